"""`kbrules show`: what is in the boxes, and what the language has words for, and how it looks."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import BoxWords, folder_here, load_words
from .options import Lang, With
from .showing.picture_files import (
    PanelKind,
    PictureFiles,
    check_kinds,
    check_panels,
    write_pictures,
)
from .showing.positions import show_log, show_scenario
from .showing.sources import show_sources
from .terminal import completion
from .terminal.findings import exit_with
from .terminal.output import PageForm, PageFormat

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset

SCENARIO, LOG = "scenario", "log"
_DEFAULT_WIDTH = 1600

Kind = Annotated[
    str | None,
    typer.Argument(
        help="card, location, section, board, scenario, log, word or another kind.",
        autocompletion=completion.kinds,
    ),
]
Name = Annotated[
    str | None,
    typer.Argument(
        help="Which one, a file for scenario and log; without it, all are listed.",
        autocompletion=completion.names,
    ),
]
Turned = Annotated[bool, typer.Option("--turned", help="A section turned by half.")]
At = Annotated[int | None, typer.Option("--at", help="Of a log, the position after so many moves.")]
Svg = Annotated[
    Path | None, typer.Option("--svg", help="Write a picture there; `-` is standard output.")
]
Png = Annotated[
    Path | None, typer.Option("--png", help="The same in dots; needs kbrules[pictures].")
]
Html = Annotated[
    Path | None,
    typer.Option("--html", help="The same as a page; of a log, the whole game, move by move."),
]
Width = Annotated[
    int, typer.Option("--width", min=100, max=8000, help="How many dots wide a PNG is.")
]
Panels = Annotated[
    list[PanelKind] | None,
    typer.Option("--panel", help="What stands beside an SVG or PNG; again for more."),
]
Source = Annotated[
    bool, typer.Option("--source", help="The code generated for a table, or of it a rule's part.")
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="With --source: how many play.")
]
Cards = Annotated[
    list[str] | None, typer.Option("--card", help="With --source: a card on the table; again.")
]


def command(
    kind: Kind = None,
    name: Name = None,
    turned: Turned = False,
    at: At = None,
    svg: Svg = None,
    png: Png = None,
    html: Html = None,
    width: Width = _DEFAULT_WIDTH,
    panel: Panels = None,
    with_: With = None,
    source: Source = False,
    players: Players = None,
    card: Cards = None,
    lang: Lang = "",
    output_format: PageForm = PageFormat.full,
) -> None:
    """Show a card, a location, a section, a board, a word or a step of the language.

    Sections, boards, scenarios and logs have pictures. The page of a log is the whole game. Rules
    have a source: the code they become, with the file and line of the rule beside it.
    Ends with 0 if all is well, 1 if a log could be shown only in part, 2 if nothing could.

    \b
    Examples:
      kbrules show card                  the cards there are
      kbrules show options               the disputed questions, and what is the default
      kbrules show word adjacent         what a word of the language means
      kbrules show step build            how a step is written
      kbrules show section ID --turned   a section as it lies turned
      kbrules show board "ID ID turned/ID ID" --svg board.svg --png board.png
      kbrules show scenario mine/scenarios/first.scenario.yaml --png first.png
      kbrules show scenario "mine/rules/mill.kb::mill" --svg -
      kbrules show log game.kblog --at 40
      kbrules show log game.kblog --html game.html
      kbrules show log game.kblog --png end.png --panel players --panel score
      kbrules show --source ID           the code of a card, a tile or a rule
      kbrules show --source --with all --players 4
    """
    check_kinds(svg=svg, png=png, html=html)
    files, words = PictureFiles(svg, png, html, width, tuple(panel or ())), BoxWords(with_, lang)
    check_panels(files, kind == LOG)
    if source:
        _refuse_with_source(files, turned, at)
        return show_sources([*filter(None, (kind, name))], words, players, card or [])
    if players is not None or card:
        exit_with("KB009", "--players and --card say whose code is shown", "add `--source`")
    as_json = output_format is PageFormat.json
    _refuse_without_source(kind, at, as_json and bool(files))
    print_text = partial(_print_json, kind or "", name or "") if as_json else typer.echo
    if kind == SCENARIO:
        show_scenario(name or "", files, words, print_text)
    elif kind == LOG and name:
        show_log(Path(name), at, files, words, print_text)
    elif as_json:
        _show_json(kind or "", name or "", turned, words)
    elif kind is None:
        typer.echo(_kinds())
    elif kind == LOG:
        _list_logs()
    else:
        _show(kind, name or "", turned, files, words)


def _refuse_with_source(files: PictureFiles, turned: bool, at: int | None) -> None:
    if files or turned or at is not None:
        exit_with("KB009", "code has no picture and no moves", "with `--source`, leave these out")


def _refuse_without_source(kind: str | None, at: int | None, picture_as_json: bool) -> None:
    if at is not None and kind != LOG:
        exit_with("KB009", "--at: only a log has moves", f"`kbrules show {LOG} FILE --at {at}`")
    if picture_as_json:
        exit_with("KB009", "a picture is not shown as JSON", "leave out what asks for a picture")


def _print_json(kind: str, name: str, text: str) -> None:
    from kbrules.tools.reports.output_models import ShowOutput, as_json

    typer.echo(as_json(ShowOutput(kind=kind, name=name, text=text)))


def _show_json(kind: str, name: str, turned: bool, words: BoxWords) -> None:
    """A page or a list for programs."""
    from kbrules.tools.show import page_of

    if kind == LOG:
        exit_with("KB009", "which log?", f"`kbrules show {LOG} FILE`")
    text = page_of(_rules(words), kind, name, turned) if kind else _kinds()
    _print_json(kind, name, text)


def _kinds() -> str:
    from kbrules.tools.show import kinds_shown

    return "\n".join([*kinds_shown(), SCENARIO, LOG])


def _list_logs() -> None:
    """The logs in the folder you are in."""
    names = sorted(path.name for path in Path().glob("*.kblog"))
    typer.echo("\n".join(names) or "none")


def _show(kind: str, name: str, turned: bool, files: PictureFiles, words: BoxWords) -> None:
    """Something of the boxes or of the language."""
    from kbrules.tools.show import page_of, picture_of

    ruleset = _rules(words)
    if files:
        picture = picture_of(ruleset, kind, name, turned)
        write_pictures(files, picture, language=words.language)
    else:
        typer.echo(page_of(ruleset, kind, name, turned))


def _rules(words: BoxWords) -> Ruleset:
    """The rules of what is named, else those of the folder one is in, if they have no mistakes."""
    return (None if words or words.language else _rules_here()) or load_words(words)


def _rules_here() -> Ruleset | None:
    """The usual boxes with the expansion one is in, if one is in any that has no mistakes."""
    from kbrules.library.box import usual_boxes
    from kbrules.library.load import check_all

    folder = folder_here()
    if folder is None:
        return None
    ruleset, findings = check_all(usual_boxes(), [folder])
    return None if findings else ruleset
