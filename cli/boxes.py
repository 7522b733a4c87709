"""What `--with` means: names of shipped boxes, `all` the usual ones, or folders of authors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from .findings import exit_with, exit_with_findings

if TYPE_CHECKING:
    from kbrules.engine.logs.replay import Log
    from kbrules.library.ruleset import Ruleset

__all__ = [
    "Wanted",
    "boxes_and_folders",
    "load_for_log",
    "load_named",
    "load_or_exit",
    "with_roots",
]

ALL = "all"
# To read whole manifests only to find where to begin would take longer than all the rest.
_NEEDS = re.compile(r"^needs: *\[ *\w", re.MULTILINE)

Wanted = tuple[list[str], list[Path]]  # shipped boxes, folders


def boxes_and_folders(words: Sequence[str]) -> Wanted:
    """The boxes and folders that the values of `--with` name; ends the command if one is neither.

    A name may be a list with commas.
    """
    from kbrules.library.boxes.box import shipped_boxes, usual_boxes

    shipped = shipped_boxes()
    names: list[str] = []
    folders: list[Path] = []
    for word in filter(None, (part.strip() for each in words for part in each.split(","))):
        if word == ALL:
            names += usual_boxes()
        elif word in shipped:
            names.append(word)
        elif Path(word).is_dir():
            folders.append(Path(word))
        else:
            _refuse_unknown(word, shipped)
    return sorted(set(names)), folders


def _refuse_unknown(word: str, shipped: Sequence[str]) -> NoReturn:
    from kbrules.diagnostics import quoted, suggest

    near = suggest(word, [ALL, *shipped])
    guess = f"did you mean {quoted(near)}? " if near else ""
    listed = ", ".join(quoted(name) for name in shipped)
    help = f"{guess}the boxes are {listed}; anything else must be a folder"
    exit_with("KB009", f"{quoted(word)} is neither a box nor a folder", help)


def with_roots(names: Iterable[str], folders: Iterable[Path] = ()) -> list[str]:
    """Boxes with those that need no other, unless a folder is a game of its own.

    What the boxes need in turn is found when loading.
    """
    from kbrules.library.boxes.box import shipped_box, shipped_boxes

    if any(map(_is_whole_game, folders)):
        return sorted(names)
    manifests = {name: shipped_box(name) for name in shipped_boxes()}
    roots = [
        name
        for name, path in manifests.items()
        if not _NEEDS.search(path.read_text(encoding="utf-8"))
    ]
    return sorted({*names, *roots})


def _is_whole_game(folder: Path) -> bool:
    """Whether an author's folder needs no box and says itself what makes a table."""
    from kbrules.library.boxes.box import read_box
    from kbrules.library.resources import MANIFEST

    box, _ = read_box(folder / MANIFEST)
    return box is not None and not box.model.needs and box.model.table is not None


def load_or_exit(names: Sequence[str], folders: Sequence[Path]) -> Ruleset:
    """The rule set of boxes and folders; ends the command with every finding if it is not good."""
    from kbrules.library.load import check_all

    ruleset, findings = check_all(names, folders)
    if ruleset is None or findings:
        exit_with_findings(findings)
    return ruleset


def load_named(words: Sequence[str]) -> Ruleset:
    """The rule set of what `--with` names, with the boxes that need no other."""
    names, folders = boxes_and_folders(words)
    return load_or_exit(with_roots(names, folders), folders)


def load_for_log(log: Log, words: Sequence[str]) -> Ruleset:
    """The boxes that `--with` names, or else those of a log, with the folders of `--with`."""
    from kbrules.library.boxes.box import shipped_boxes

    names, folders = boxes_and_folders(words)
    shipped = set(shipped_boxes())
    boxes: list[str] = log.header.data["boxes"]
    return load_or_exit(names or [box for box in boxes if box in shipped], folders)
