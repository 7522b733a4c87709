"""Files of pictures: which forms are wanted, what stands beside a board, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ..terminal.findings import exit_with
from ..terminal.output import write
from ..terminal.progress import Progress

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State
    from kbrules.hooks import OnProgress
    from kbrules.tools.pictures.board import Panel, Picture

_KINDS = ("svg", "png", "pdf", "html")


class PanelKind(StrEnum):
    """What can stand beside a picture."""

    legend = "legend"
    players = "players"
    score = "score"


@dataclass(frozen=True, slots=True)
class PictureFiles:
    """Where a picture is wanted in which form; a PNG is so many dots wide.

    `panels` stand beside an SVG and a PNG, in this order.
    """

    svg: Path | None
    png: Path | None
    html: Path | None
    width: int
    panels: tuple[PanelKind, ...] = ()

    def __bool__(self) -> bool:
        return any((self.svg, self.png, self.html))


def write_pictures(
    files: PictureFiles,
    picture: Picture,
    page: Callable[[OnProgress], str] | None = None,
    position: tuple[Game, State] | None = None,
    language: str = "",
) -> None:
    """Write a picture in the forms that are wanted; the page may be another than the usual one,
    and tell how far it is.

    Panels of players and score are of the position. language: that of the titles of the boxes.
    """
    from kbrules.hooks import with_progress
    from kbrules.tools.pictures.board import board_svg, picture_page
    from kbrules.tools.pictures.drawings import png_of

    panels = [_panel(kind, picture, position) for kind in files.panels]
    with Progress("drawing") as progress:
        forms: list[tuple[Path | None, Callable[[], str | bytes]]] = [
            (files.svg, lambda: board_svg(picture, panels) + "\n"),
            (files.png, lambda: png_of(board_svg(picture, panels), files.width)),
            (files.html, lambda: page(progress.show) if page else picture_page(picture, language)),
        ]
        wanted = [(file, draw) for file, draw in forms if file]
        for file, draw in with_progress(wanted, "pictures", progress.show):
            write(file, draw())


def _panel(kind: PanelKind, picture: Picture, position: tuple[Game, State] | None) -> Panel:
    from kbrules.tools.pictures import board as panels

    if kind == PanelKind.legend:
        return panels.legend(picture)
    assert position is not None, "asked of a log alone"
    return (panels.players if kind == PanelKind.players else panels.score)(*position)


def check_panels(files: PictureFiles, has_players: bool) -> None:
    """End the command if panels are wanted where there is nothing beside which, or of which."""
    if files.panels and not (files.svg or files.png):
        exit_with(
            "KB009", "--panel: there is no picture for it", "add `--svg FILE` or `--png FILE`"
        )
    others = [kind for kind in files.panels if kind != PanelKind.legend]
    if others and not has_players:
        help = f"leave it out, or ask for `{PanelKind.legend}`"
        exit_with("KB009", f"--panel {others[0]}: only a log has players and a score", help)


def check_kinds(**paths: Path | None) -> None:
    """End the command if the name of a file says that another kind of picture is wanted."""
    for kind, path in paths.items():
        named = path.suffix.lower().removeprefix(".") if path is not None else ""
        if named in _KINDS and named != kind:
            message = f"`--{kind} {path}`: this would be no {named.upper()}, but {kind.upper()}"
            help = f"write `--{named} {path}`" if named in paths else f"call it `*.{kind}`"
            exit_with("KB009", message, help)
