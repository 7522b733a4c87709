"""Questions about the example or scenario at a place, and a card measured beside others."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from kbrules.diagnostics import Diagnostic
from kbrules.engine.setup import SetupError
from kbrules.hex.sets import Mask
from kbrules.hooks import OnProgress
from kbrules.lang.syntax import tree
from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.load import check_all, needed
from kbrules.library.reading import author_folder, is_shipped
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.scenario.examples import RuleExample
from kbrules.scenario.running import Case
from kbrules.tools.balance import playing
from kbrules.tools.balance.measure import balance_report, measure
from kbrules.tools.language_server.session import SessionView
from kbrules.tools.language_service.answers import ServiceError
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.replay import scene_of_item
from kbrules.tools.processes import cores
from kbrules.tools.reports.report import as_text
from kbrules.tools.simulate.results_file import MEMORY, UnusableFile
from kbrules.tools.why.questions import ExplainedPosition, position_of, read_question
from kbrules.tools.why.report import answer, why_report

# Questions about the example or scenario at a place: why a move is legal, and how it looks.


Place = int | str | None
"""A line from 0, the id or title of a test, or nothing: the first of the file."""
_OFFERED = 12
NOTHING: Mask = 0


def case_at(view: SessionView, path: Path, place: Place) -> Case:
    """The example or scenario at a place. Raises ServiceError if there is none."""
    cases = cases_of(view, path)
    if isinstance(place, str):
        cases = [case for case in cases if place in (case.id, case.title)]
    elif place is not None:
        end = view.document(path).lines.lines(_line(place))[1]
        cases = [case for case in cases if _begin(case) <= end][-1:] or cases[:1]
    if not cases:
        raise ServiceError("there is no example or scenario here that can be run")
    return cases[0]


def cases_of(view: SessionView, path: Path) -> list[Case]:
    """All examples or scenarios of a file. Raises ServiceError if a mistake leaves none of them."""
    found = view.workspace.collection(path)
    if not found.cases:
        for wrong in (*found.findings, *found.not_run):
            source = wrong.span.source
            place = f"{source.name}:{source.position(wrong.span.start)[0]}"
            raise ServiceError(f"{place}: {wrong.message}")
    return found.cases


def card_at(view: SessionView, path: Path, place: Place) -> str:
    """The id of the card or task at a place; nothing if another rule stands there, or none."""
    if not isinstance(place, int):
        return place or ""
    end = view.document(path).lines.lines(_line(place))[1]
    rules = (d for d in view.workspace.rules(path).declarations if isinstance(d, tree.Rule))
    above = [d for d in rules if d.span.source.written(d.span.start, d.span.end)[0] <= end]
    return above[-1].name.text if above and above[-1].kind.text in CARD_KINDS else ""


def _line(number: int) -> types.Range:
    place = types.Position(max(number, 0), 0)
    return types.Range(place, place)


def _begin(case: Case) -> int:
    """Where an example or scenario begins; the first example of a rule begins with the rule."""
    it = case.definition
    is_first = isinstance(it, RuleExample) and it.example is it.rule.examples[0]
    span = it.rule.span if isinstance(it, RuleExample) and is_first else case.span
    return span.source.written(span.start, span.end)[0]


def why_at(view: SessionView, path: Path, place: Place, hex: str) -> str:
    """Why what could be done at a hex is legal or not, clause by clause."""
    found = _position(view, path, place)
    question = read_question(found.game, found.state, ["why", "not", hex])
    if isinstance(question, Diagnostic):
        raise ServiceError(
            f"{question.message}; {question.help}" if question.help else question.message
        )
    report = why_report(answer(found.game, found.state, question), found.name)
    return as_text(report, False)


def hexes_at(view: SessionView, path: Path, place: Place) -> list[str]:
    """Hexes worth asking about: some at which a move is legal, and then some others."""
    found = _position(view, path, place)
    board, legal = found.game.board, NOTHING
    for group in found.game.legal_moves(found.state).groups:
        legal |= group.hexes
    names = board.names(legal)[: _OFFERED // 2] + board.names(board.grid.full & ~legal)
    return names[:_OFFERED]


def _position(view: SessionView, path: Path, place: Place) -> ExplainedPosition:
    found, wrong = position_of(case_at(view, path, place))
    if found is None:
        raise ServiceError(wrong[0].message if wrong else "there is no position here")
    return found


def board_at(view: SessionView, path: Path, place: Place) -> tuple[str, str]:
    """The title and the picture (SVG) of the board of an example or scenario."""
    case = case_at(view, path, place)
    scene, wrong = scene_of_item(case)
    if scene is None:
        raise ServiceError(wrong[0].message if wrong else "there is no board to draw here")
    return case.title, board_svg(scene.picture)


# A card measured beside others while the editor shows how far it is.


GAMES = 40
BOTS = ("greedy",)


def measured(path: Path, card: str, games: int, watch: OnProgress) -> str:
    """What a card pays beside others, by the files as they are saved.

    card: its id; empty for the only one of the file. watch: told how many games of how many are
    played; what it raises ends the games. Raises ServiceError where nothing can be measured.
    """
    try:
        ruleset = _ruleset(path)
        question = _question(ruleset, playing.card_in(ruleset, card or str(path)))
        with _measured_results(path, question, ruleset.digest) as results:
            found = measure(ruleset, question, results, games, (), None, max(2, cores()), watch)
    except playing.CardNotFound as missing:
        wrong = missing.diagnostic
        raise ServiceError(
            f"{wrong.message}; {wrong.help}" if wrong.help else wrong.message
        ) from None
    except (SetupError, UnusableFile) as error:
        raise ServiceError(str(error)) from None
    return as_text(balance_report(found), False)


def _measured_results(
    path: Path, question: playing.BalanceQuestion, digest: str
) -> playing.Results:
    """The games of a card of one's own, kept beside its expansion until the rules change."""
    home = None if is_shipped(path) else author_folder(path)
    if home is None:
        return playing.Results(MEMORY, question, digest)
    return playing.results_made_for(
        "editor", home / f"{question.card}.editor.sqlite", question, digest
    )


def _ruleset(path: Path) -> Ruleset:
    """The rules that a card is played by: its expansion with what it needs, or what is shipped."""
    home = None if is_shipped(path) else playing.folder_of(str(path))
    folders = [] if home is None else [home]
    boxes = needed(Files(), [], folders) if folders else usual_boxes()
    ruleset, found = check_all(boxes, folders)
    if ruleset is None or found:
        raise ServiceError("the rules have mistakes; mend and save them first")
    return ruleset


def _question(ruleset: Ruleset, card: str) -> playing.BalanceQuestion:
    boxes = tuple(box for box in ruleset.boxes if box in shipped_boxes())
    return playing.BalanceQuestion(card, boxes, ruleset.folders, ruleset.parts.players[0], BOTS)
