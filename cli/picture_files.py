"""How a command writes pictures: to files in whole or not at all, or to standard output."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .terminal.findings import exit_unwritten, exit_with

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State
    from kbrules.tools.publishing.pictures.panels import Panel
    from kbrules.tools.publishing.pictures.picture import Picture

__all__ = [
    "STDOUT", "PanelKind", "PictureFiles", "check_kinds", "check_panels", "check_room", "write",
    "write_pictures",
]  # fmt: skip

STDOUT = Path("-")
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
    wishes: PictureFiles,
    picture: Picture,
    page: Callable[[], str] | None = None,
    moment: tuple[Game, State] | None = None,
    language: str = "",
) -> None:
    """Write a picture in the forms that are wanted; the page may be another than the usual one.

    Panels of players and score are of the moment. language: that of the titles of the boxes.
    """
    from kbrules.tools.publishing.pictures.board import board_svg
    from kbrules.tools.publishing.pictures.page import picture_page
    from kbrules.tools.publishing.pictures.raster import png_of

    panels = [_panel(kind, picture, moment) for kind in wishes.panels]
    if wishes.svg:
        write(wishes.svg, lambda: board_svg(picture, panels) + "\n")
    if wishes.png:
        write(wishes.png, lambda: png_of(board_svg(picture, panels), wishes.width))
    if wishes.html:
        write(wishes.html, page or (lambda: picture_page(picture, language)))


def _panel(kind: PanelKind, picture: Picture, moment: tuple[Game, State] | None) -> Panel:
    from kbrules.tools.publishing.pictures import panels

    if kind == PanelKind.legend:
        return panels.legend(picture)
    assert moment is not None, "asked of a log alone"
    return (panels.players if kind == PanelKind.players else panels.score)(*moment)


def check_panels(wishes: PictureFiles, has_players: bool) -> None:
    """End the command if panels are wanted where there is nothing beside which, or of which."""
    if wishes.panels and not (wishes.svg or wishes.png):
        exit_with(
            "KB009", "--panel: there is no picture for it", "add `--svg FILE` or `--png FILE`"
        )
    others = [kind for kind in wishes.panels if kind != PanelKind.legend]
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


def check_room(paths: Iterable[Path | None]) -> None:
    """End the command, before anything is played, if what it makes could not be written there."""
    for path in paths:
        if path is not None and path != STDOUT and not path.absolute().parent.is_dir():
            exit_with(
                "KB008",
                f"`{path}` cannot be written: there is no such folder",
                "make the folder first",
            )


def write(path: Path, made: Callable[[], str | bytes]) -> None:
    """Write what is made; ends the command if it cannot be made here or not written there."""
    from kbrules.engine.logs.files import write_bytes_atomically
    from kbrules.tools.processes.extras import MissingExtra

    try:
        data = made()
    except MissingExtra as missing:
        exit_with(missing.code, str(missing), missing.help)
    if path == STDOUT:
        typer.echo(data, nl=False)
        return
    try:
        write_bytes_atomically(path, data if isinstance(data, bytes) else data.encode())
    except OSError as error:
        exit_unwritten(f"`{path}`", error)
