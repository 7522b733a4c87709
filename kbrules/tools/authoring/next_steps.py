"""What can be done next in a folder: with the expansions that lie there, and with logs of games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from kbrules.library.load import check_all
from kbrules.library.reading import MANIFEST, author_folder, shown_name
from kbrules.text import visible

MAX_LISTED = 3
"""So many expansions, and so many logs, are spoken of at most."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """A command, without `kbrules`, and why to give it."""

    command: str
    why: str


def typed_name(path: Path) -> str:
    """The name of a file or folder as one types it in a shell, without what cannot be seen."""
    return quote(visible(shown_name(path)))


def expansions_in(folder: Path) -> list[Path]:
    """The expansion that a folder lies in, or those right below it, named from there."""
    box_folder = author_folder(folder / MANIFEST)
    if box_folder is not None:
        return [box_folder]
    below = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}") if path.is_file())
    return [path.relative_to(folder) for path in below[:MAX_LISTED]]


def next_steps(folder: Path) -> Iterator[NextStep]:
    """What to do with each expansion and log of a folder."""
    for box in expansions_in(folder):
        yield _step_for(box)
    for log in sorted(folder.glob("*.kblog"))[:MAX_LISTED]:
        yield NextStep(f"replay {typed_name(log)}", "a game that was played here")


def _step_for(box: Path) -> NextStep:
    """Check what is wrong; test what is not."""
    _, findings = check_all(folders=[box])
    if not findings:
        return NextStep(
            f"test {typed_name(box)}", "all can be read; its scenarios and examples come next"
        )
    first = findings[0]
    number = "1 finding" if len(findings) == 1 else f"{len(findings)} findings, the first one"
    name = visible(Path(first.span.source.name).name)
    return NextStep(f"check {typed_name(box)}", f"{number} {first.code} in {name}")
