"""`kbrules show`: what is in the boxes, and what the language has words for, and how it looks."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kbrules.hooks import lazily

from . import completion
from .boxes import BoxWords, boxes_and_folders, load_words
from .games import parse_cards, player_count, setup_errors
from .options import Lang, With
from .output import FULL, PageForm, ReportOptions, form_option, show, write
from .replay import replay_file
from .terminal import (
    DIFFERS,
    Progress,
    exit_with,
    exit_with_findings,
    folder_here,
    print_findings,
    printable,
    wants_colour,
)

with lazily():
    from kbrules import diagnostics, hooks
    from kbrules.engine import setup as setups
    from kbrules.library import box as library_boxes
    from kbrules.project import project as projects
    from kbrules.scenario import collection
    from kbrules.tools import show as showing
    from kbrules.tools.editors import highlight
    from kbrules.tools.pictures import (
        board as board_pictures,
        drawings,
        replay as replay_pictures,
    )

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State
    from kbrules.hooks import OnProgress
    from kbrules.lang.typed import Rule
    from kbrules.library.ruleset import Ruleset
    from kbrules.scenario.running import Case


SCENARIO, LOG = "scenario", "log"
_DEFAULT_WIDTH = 1600


class PanelKind(StrEnum):
    """What can stand beside a picture."""

    legend = "legend"
    players = "players"
    score = "score"


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
    turned: Annotated[bool, typer.Option("--turned", help="A section turned by half.")] = False,
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
    output_format: Annotated[PageForm, form_option("show")] = FULL,
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
    _refuse_without_source(kind, at, output_format == "json" and bool(files))
    print_text = partial(_print_page, output_format, kind or "", name or "")
    if kind == SCENARIO:
        show_scenario(name or "", files, words, print_text)
    elif kind == LOG and name:
        show_log(Path(name), at, files, words, print_text)
    elif kind == LOG:
        _list_logs(output_format == "json")
    elif kind is None:
        print_text("\n".join([*showing.kinds_shown(), SCENARIO, LOG]))
    elif not files:
        print_text(showing.page_of(_rules(words), kind, name or "", turned))
    else:
        picture = showing.picture_of(_rules(words), kind, name or "", turned)
        write_pictures(files, picture, language=words.language)


def _refuse_with_source(files: PictureFiles, turned: bool, at: int | None) -> None:
    if files or turned or at is not None:
        exit_with("KB009", "code has no picture and no moves", "with `--source`, leave these out")


def _refuse_without_source(kind: str | None, at: int | None, picture_as_json: bool) -> None:
    if at is not None and kind != LOG:
        exit_with("KB009", "--at: only a log has moves", f"`kbrules show {LOG} FILE --at {at}`")
    if picture_as_json:
        exit_with("KB009", "a picture is not shown as JSON", "leave out what asks for a picture")


def _print_page(form: PageForm, kind: str, name: str, text: str) -> None:
    show(showing.page_report(kind, name, text), ReportOptions(form))


def _list_logs(as_json: bool) -> None:
    """The logs in the folder you are in, for people."""
    if as_json:
        exit_with("KB009", "which log?", f"`kbrules show {LOG} FILE`")
    names = sorted(path.name for path in Path().glob("*.kblog"))
    typer.echo("\n".join(names) or "none")


def _rules(words: BoxWords) -> Ruleset:
    """The rules of what is named, else those of the folder one is in, if they have no mistakes."""
    return (None if words or words.language else _rules_here()) or load_words(words)


def _rules_here() -> Ruleset | None:
    """The usual boxes with the expansion one is in, if one is in any that has no mistakes."""
    folder = folder_here()
    if folder is None:
        return None
    project = projects.Project((), library_boxes.usual_boxes(), [folder])
    loaded = project.loaded(project.further)
    return None if loaded.findings else loaded.ruleset


# Files of pictures: which forms are wanted, what stands beside a board, and how it is written.

_KINDS = ("svg", "png", "pdf", "html")


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
    picture: board_pictures.Picture,
    page: Callable[[OnProgress], str] | None = None,
    position: tuple[Game, State] | None = None,
    language: str = "",
) -> None:
    """Write a picture in the forms that are wanted; the page may be another than the usual one,
    and tell how far it is.

    Panels of players and score are of the position. language: that of the titles of the boxes.
    """
    panels = [_panel(kind, picture, position) for kind in files.panels]
    page = page or (lambda _: board_pictures.picture_page(picture, language))

    def drawn() -> str:
        return board_pictures.board_svg(picture, panels)

    with Progress("drawing") as progress:
        forms: list[tuple[Path | None, Callable[[], str | bytes]]] = [
            (files.svg, lambda: drawn() + "\n"),
            (files.png, lambda: drawings.png_of(drawn(), files.width)),
            (files.html, lambda: page(progress.show)),
        ]
        wanted = [(file, draw) for file, draw in forms if file]
        for file, draw in hooks.with_progress(wanted, "pictures", progress.show):
            write(file, draw())


def _panel(
    kind: PanelKind, picture: board_pictures.Picture, position: tuple[Game, State] | None
) -> board_pictures.Panel:
    if kind == PanelKind.legend:
        return board_pictures.legend(picture)
    assert position is not None, "asked of a log alone"
    panel = board_pictures.players if kind == PanelKind.players else board_pictures.score
    return panel(*position)


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


# What `kbrules show` shows of files: the beginning of a scenario, a moment of a logged game.

_SEPARATOR = "::"
_MAX_LISTED = 12


PrintText = Callable[[str], None]
"""What prints a text, for people or for programs."""


def show_scenario(name: str, files: PictureFiles, words: BoxWords, print_text: PrintText) -> None:
    """The beginning of a scenario or example; without a title, the titles there are in a file."""
    path, _, title = name.partition(_SEPARATOR)
    cases = _cases(path, words)
    chosen = _cases_named(title, cases) if title else cases if path and len(cases) == 1 else []
    if not chosen and not files:
        print_text("\n".join(case.id for case in cases))
        return
    if not chosen:
        help = f"name one: {printable(shlex.quote(cases[0].id))}"
        exit_with("KB009", f"`{path}` holds {len(cases)} scenarios and examples", help)
    scene, found = replay_pictures.scene_of_item(chosen[0])
    if scene is None:
        exit_with_findings(found)
    if not files:
        print_text(scene.text)
    write_pictures(files, scene.picture, language=words.language)


def _cases(path: str, words: Sequence[str]) -> list[Case]:
    boxes, folders = boxes_and_folders(words)
    collected = projects.Project.to_test([Path(path)] if path else [], boxes, folders).cases()
    if collected.findings:
        exit_with_findings(collected.findings)
    if not collected.cases:
        exit_with("KB007", f"`{path}` holds no scenario and no example", "look at the path")
    return collected.cases


def _cases_named(title: str, cases: Sequence[Case]) -> list[Case]:
    """The case that a title means; ends the command if that is none or several."""
    found = collection.cases_named(cases, title)
    if len(found) > 1:
        names = "\n".join(map(collection.shell_name, found[:_MAX_LISTED]))
        exit_with(
            "KB413", f"{diagnostics.quoted(title)} may mean {len(found)} of them; say which", names
        )
    if not found:
        titles = [case.id.partition(_SEPARATOR)[2] for case in cases]
        near = diagnostics.suggest(title, titles)
        known = "; ".join(titles[:_MAX_LISTED])
        guess = f"did you mean {diagnostics.quoted(near)}?" if near else f"there are: {known}"
        exit_with("KB413", f"there is no scenario {diagnostics.quoted(title)}", guess)
    return found


def show_log(
    path: Path, at: int | None, files: PictureFiles, words: BoxWords, print_text: PrintText
) -> None:
    """The position after so many moves, at the end if none are said; as a page the whole game."""
    replayed = replay_file(path, words, "--at", at, to_end=bool(files.html))
    result, game = replayed.replay, replayed.game
    last = result.moves if at is None else min(at, result.moves)
    state = result.states[last]
    scene = replay_pictures.scene_of_game(game, state, f"{path.name}, move {last}")
    if not files:
        print_text(scene.text)
    write_pictures(
        files,
        scene.picture,
        lambda on: replay_pictures.replay_page(
            replay_pictures.timeline_of(replayed.log, result, on), at or 0, words.language
        ),
        (game, state),
    )
    print_findings(replayed.findings)
    raise typer.Exit(DIFFERS if replayed.findings else 0)


# `kbrules show --source`: the code that a configuration becomes.

_SEED = 1


def show_sources(
    named: Sequence[str], words: Sequence[str], players: int | None, cards: Sequence[str]
) -> None:
    """Print what is generated for a table, or what of it comes from a rule.

    named: the rule, its kind before it or not; nothing for all. words: as `--with` takes them.
    """
    ruleset = load_words(words)
    rule = _rule_named(ruleset, named) if named else None
    table_cards = [*cards, *([rule.id] if rule and rule.id in ruleset.catalog.cards else ())]
    table = _table(ruleset, players, table_cards)
    texts = list(showing.source_texts(ruleset, table, rule))  # takes some seconds
    _print_code("\n\n".join(map(str.rstrip, texts)) or "# nothing of it becomes code")


def _print_code(text: str) -> None:
    """Print Python, with colours on a terminal."""
    in_colour = wants_colour(False)
    if in_colour:
        text = highlight.highlighted_python(text)
    typer.echo(text, color=in_colour or None)


def _rule_named(ruleset: Ruleset, named: Sequence[str]) -> Rule:
    """The rule, card or tile of a name; ends the command if there is none."""
    *kind, name = named
    for rule in ruleset.rules:
        if rule.id == name and rule.kind in (kind or [rule.kind]):
            return rule
    kinds = {rule.id: rule.kind for rule in ruleset.rules}
    near = diagnostics.suggest(name, sorted(kinds))
    help = (
        f"did you mean {diagnostics.quoted(near)}?"
        if near
        else "`kbrules show rule` lists the rules"
    )
    if name in kinds:
        help = f"it is a {kinds[name]}: `kbrules show --source {name}`"
    exit_with("KB413", f"there is no {(kind or ['rule'])[0]} {diagnostics.quoted(name)}", help)


def _table(ruleset: Ruleset, players: int | None, cards: Sequence[str]) -> setups.TableSetup:
    count = player_count(ruleset, players)
    with setup_errors(ruleset, count):
        table = setups.choose_table(ruleset, count, _SEED)
        return setups.with_cards(ruleset, table, parse_cards(ruleset, cards))
