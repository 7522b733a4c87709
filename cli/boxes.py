"""`kbrules boxes`, and what `--with` means.

That is names of boxes, shipped or installed, `all` the usual shipped ones, or folders of authors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from .terminal.findings import exit_with, exit_with_findings, print_findings, printable
from .terminal.output import PageForm, PageFormat
from .terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.engine.logs.reading import Log
    from kbrules.library.ruleset import Ruleset

ALL = "all"
# To read whole manifests only to find where to begin would take longer than all the rest.
_NEEDS = re.compile(r"^needs: *\[ *[\"'\w]", re.MULTILINE)

NamedBoxes = tuple[list[str], list[Path]]  # boxes by name, folders


def command(output_format: PageForm = PageFormat.full) -> None:
    """List the boxes that can be loaded by name: those that come with kbrules and installed ones.

    A package has a box if it names it in the group `kbrules.expansions` of its entry points.
    Ends with 1 if the box of a package cannot be used.

    \b
    Examples:
      kbrules boxes                         all boxes, and where they come from
      kbrules boxes --output-format json    the same for programs
    """
    from kbrules.tools.reports.output_models import BoxesOutput, as_json
    from kbrules.tools.show import box_list

    rows, problems = box_list()
    if output_format is PageFormat.json:
        typer.echo(as_json(BoxesOutput(boxes=tuple(rows))))
    else:
        width = max(len(row.id) for row in rows)
        for row in rows:
            version = f" {row.version}" if row.version else ""
            place = f", {row.place}" if row.source != rows[0].source else ""
            line = f"{row.id:<{width}}  {row.title}{version}, from {row.source}{place}"
            typer.echo(printable(line))
    print_findings(problems)
    raise typer.Exit(1 if problems else 0)


def boxes_and_folders(words: Sequence[str]) -> NamedBoxes:
    """The boxes and folders that the values of `--with` name; ends the command if one is neither.

    A name may be a list with commas. A folder of the name of an installed box is what is meant.
    """
    from kbrules.library.box import shipped_boxes, usual_boxes

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
            names.append(_installed(word, shipped))
    return sorted(set(names)), folders


def _installed(word: str, shipped: Sequence[str]) -> str:
    """The name of an installed box; ends the command if there is none that can be used."""
    from kbrules.library.box import installed_boxes

    boxes = installed_boxes()
    box = boxes.get(word)
    if box is None:
        _refuse_unknown(
            word, [*shipped, *(id for id, box in boxes.items() if box.folder and id not in shipped)]
        )
    if box.problem is not None:
        exit_with_findings([box.problem])
    return word


def _refuse_unknown(word: str, known: Sequence[str]) -> NoReturn:
    from kbrules.diagnostics import quoted, suggest

    near = suggest(word, [ALL, *known])
    guess = f"did you mean {quoted(near)}? " if near else ""
    listed = ", ".join(quoted(name) for name in known)
    help = f"{guess}the boxes are {listed}; anything else must be a folder"
    exit_with("KB009", f"{quoted(word)} is neither a box nor a folder", help)


def folder_here() -> Path | None:
    """The author's folder that we are in, if we are in one."""
    from kbrules.library.reading import MANIFEST, author_folder

    return author_folder(Path.cwd() / MANIFEST)


def with_folder_here(folders: list[Path]) -> list[Path]:
    """Folders with the author's folder that we are in, if there is one that is not among them."""
    from kbrules.library.reading import real_path

    here = folder_here()
    known = {real_path(folder) for folder in folders}
    return folders if here is None or real_path(here) in known else [here, *folders]


def with_roots(names: Iterable[str], folders: Iterable[Path] = ()) -> list[str]:
    """Boxes with those that need no other, unless a folder is a game of its own.

    What the boxes need in turn is found when loading.
    """
    from kbrules.library.box import shipped_box, shipped_boxes

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
    from kbrules.library.box import read_box
    from kbrules.library.reading import MANIFEST

    box, _ = read_box(folder / MANIFEST)
    return box is not None and not box.model.needs and box.model.table is not None


def load_or_exit(names: Sequence[str], folders: Sequence[Path], language: str = "") -> Ruleset:
    """The rule set of boxes and folders; ends the command with every finding if it is not good.

    language: that of titles and wordings; empty for that of the boxes themselves.
    """
    from kbrules.library.file_cache import FileCache
    from kbrules.library.load import check_all

    with Progress("reading") as progress:
        files = FileCache(language, progress.show)
        ruleset, findings = check_all(names, folders, files=files)
    if ruleset is None or findings:
        exit_with_findings(findings)
    return ruleset


class BoxWords(list[str]):
    """The values of `--with`, and of `--lang` beside it: the language of titles and wordings."""

    def __init__(self, words: Iterable[str] | None, language: str = "") -> None:
        super().__init__(words or ())
        self.language = language


def _language(words: Sequence[str]) -> str:
    return words.language if isinstance(words, BoxWords) else ""


def load_named(words: Sequence[str]) -> Ruleset:
    """The rule set of what `--with` names, with the boxes that need no other."""
    names, folders = boxes_and_folders(words)
    return load_or_exit(with_roots(names, folders), folders, _language(words))


def load_for_log(log: Log, words: Sequence[str]) -> Ruleset:
    """The boxes that `--with` names, or else those of a log, with the folders of `--with`."""
    from kbrules.library.box import boxes_by_name

    names, folders = boxes_and_folders(words)
    boxes = names or boxes_by_name(log.header.data["boxes"], folders)
    return load_or_exit(boxes, folders, _language(words))


def load_words(words: Sequence[str]) -> Ruleset:
    """The rule set of what `--with` names, and no more than that needs."""
    return load_or_exit(*boxes_and_folders(words), _language(words))
