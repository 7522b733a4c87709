"""Questions about examples and scenarios: what came of them, why, how they look, drawn anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog
from kbrules.hex import grid, sets
from kbrules.lang.syntax import tree
from kbrules.library.boards.positions import FIRST, MARKS, OWNERS
from kbrules.library.boards.tables import DrawingSource, DrawnWord
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.scenario.examples import RuleExample
from kbrules.scenario.running import Case
from kbrules.tools.language_service import answers
from kbrules.tools.language_service.answers import Place, Refused, TextEdit
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.replay import scene_of_item
from kbrules.tools.positions import state_of_case
from kbrules.tools.reports.report import as_text
from kbrules.tools.why.questions import read_question
from kbrules.tools.why.report import answer, why_report

# The example, scenario or card at a place.


_OFFERED = 12
NOTHING: sets.Mask = 0


def case_at(workspace: Workspace, path: Path, at: int | None, name: str | None) -> Case:
    """Return the example or scenario of an id or title, or the one that begins before a place.

    Without either it is the first of the file. Raises Refused if there is none.
    """
    cases = cases_of(workspace, path)
    if name:
        cases = [case for case in cases if name in (case.id, case.title)]
    elif at is not None:
        cases = [case for case in cases if _begin(case) <= at][-1:] or cases[:1]
    if not cases:
        raise Refused("there is no example or scenario here that can be run")
    return cases[0]


def cases_of(workspace: Workspace, path: Path) -> list[Case]:
    """Return all examples or scenarios of a file. Raises Refused if a mistake leaves none."""
    found = workspace.collection(path)
    if not found.cases:
        for wrong in (*found.findings, *found.not_run):
            source = wrong.span.source
            place = f"{source.name}:{source.position(wrong.span.start)[0]}"
            raise Refused(f"{place}: {wrong.message}")
    return found.cases


def card_at(workspace: Workspace, path: Path, at: int) -> str:
    """Return the id of the card or task at a place; nothing if another rule is there, or none."""
    rules = (d for d in workspace.rules(path).declarations if isinstance(d, tree.Rule))
    above = [d for d in rules if answers.place_in(path, d.span).start <= at]
    return above[-1].name.text if above and above[-1].kind.text in CARD_KINDS else ""


def _begin(case: Case) -> int:
    """Return where a case begins; the first example of a rule begins with the rule."""
    it = case.definition
    is_first = isinstance(it, RuleExample) and it.example is it.rule.examples[0]
    span = it.rule.span if isinstance(it, RuleExample) and is_first else case.span
    return span.source.written(span.start, span.end)[0]


def run(
    workspace: Workspace, path: Path, at: int | None, name: str | None
) -> tuple[answers.ExampleResult, ...]:
    """Return what came of the examples and scenarios of a file, or of one of them."""
    cases_of(workspace, path)
    found = workspace.examples(path)
    if at is None and name is None:
        return found
    wanted = case_at(workspace, path, at, name).id
    return tuple(each for each in found if each.id == wanted)


# Why a move is legal there, and how it looks.


@dataclass(frozen=True, slots=True)
class Board:
    """The board of an example or scenario as a picture (SVG)."""

    title: str
    svg: str


def why_at(workspace: Workspace, path: Path, at: int | None, name: str | None, hex: str) -> str:
    """Return why what could be done at a hex is legal or not, clause by clause."""
    found = _made(state_of_case(case_at(workspace, path, at, name)))
    question = read_question(found.game, found.state, ["why", "not", hex])
    if isinstance(question, Diagnostic):
        raise Refused(question.message, question.help, question.code)
    report = why_report(answer(found.game, found.state, question), found.name)
    return as_text(report, False)


def hexes_at(workspace: Workspace, path: Path, at: int | None, name: str | None) -> list[str]:
    """Return hexes worth asking about: some at which a move is legal, and then some others."""
    found = _made(state_of_case(case_at(workspace, path, at, name)))
    board, legal = found.game.board, NOTHING
    for group in found.game.legal_moves(found.state).groups:
        legal |= group.hexes
    names = board.names(legal)[: _OFFERED // 2] + board.names(board.grid.full & ~legal)
    return names[:_OFFERED]


def board_of(workspace: Workspace, path: Path, at: int | None, name: str | None) -> Board:
    """Return the board of an example or scenario."""
    case = case_at(workspace, path, at, name)
    return Board(case.title, board_svg(_made(scene_of_item(case)).picture))


def _made(result: tuple[answers.Value | None, Sequence[Diagnostic]]) -> answers.Value:
    """Return what was made of a case. Raises Refused if nothing could be."""
    made, wrong = result
    if made is None:
        raise Refused(wrong[0].message if wrong else "there is no position here")
    return made


# The examples of the declaration at a place: drawn, run, and what came of each.


@dataclass(frozen=True, slots=True)
class Sign:
    """What can be put on a hex of a drawing, and what it means."""

    sign: str
    title: str


@dataclass(frozen=True, slots=True)
class DrawnExample:
    """An example or scenario that was run, as a picture (SVG) and in words.

    `palette` is what may be drawn in it, empty if that is a scenario; `found` what was there
    instead of what it expects.
    """

    title: str
    place: Place
    svg: str
    holds: bool
    says: str
    palette: tuple[Sign, ...]
    found: str


@dataclass(frozen=True, slots=True)
class Nearby:
    """The examples of the rule at a place, with its id, or the scenario there."""

    title: str = ""
    examples: tuple[DrawnExample, ...] = ()


def near(workspace: Workspace, path: Path, at: int) -> Nearby:
    """Return the examples of the rule around a place, or the scenario there, run and drawn."""
    cases = workspace.collection(path).cases
    before = [case for case in cases if _owner_begins(case) <= at]
    owner = _owner(before[-1]) if before else None
    shown = [case for case in cases if owner is not None and _owner(case) == owner] or cases[:1]
    return Nearby(owner or "", tuple(_drawn(workspace, case) for case in shown))


def _owner_begins(case: Case) -> int:
    """Return where the declaration or scenario begins."""
    it = case.definition
    span = it.rule.span if isinstance(it, RuleExample) else case.span
    return span.source.written(span.start, span.end)[0]


def _owner(case: Case) -> str:
    it = case.definition
    return it.rule.id if isinstance(it, RuleExample) else case.title


def _drawn(workspace: Workspace, case: Case) -> DrawnExample:
    scene, _ = scene_of_item(case)
    result = workspace.result(case)
    svg = "" if scene is None else board_svg(scene.picture)
    says = "holds" if result.holds else result.found
    signs = palette(case.cache.ruleset.catalog) if _drawing(case) is not None else ()
    return DrawnExample(case.title, result.place, svg, result.holds, says, signs, result.picture)


def _drawing(case: Case) -> DrawingSource | None:
    it = case.definition
    drawing = it.example.drawing if isinstance(it, RuleExample) else None
    return None if drawing is None else DrawingSource.of(drawing)


# Drawings changed by the mouse: what is put on a hex becomes an edit of the text.


CLEAR = "-"
"""Takes away what is on a hex, and its mark."""
_NAME = re.compile(r"([a-z]{1,2})([0-9]{1,3})")
_SEATS = 2  # players whose pieces are offered; more are typed


def draw(
    workspace: Workspace, path: Path, example: int, hex: str, sign: str, origin: str
) -> tuple[TextEdit, ...]:
    """Return the edits that put a sign on a hex of the example that begins at a place.

    With an `origin` what is on that hex is moved. Raises Refused for what cannot be drawn there.
    """
    for case in workspace.collection(path).cases:
        drawing = _drawing(case)
        if drawing is not None and workspace.place(case.span).start == example:
            if origin:
                return tuple(move_piece(drawing, origin, hex, path))
            return (put_sign(drawing, hex, sign, case.cache.ruleset.catalog, path),)
    raise Refused("no example with a drawing begins there", "put the cursor on a card")


def palette(catalog: Catalog) -> tuple[Sign, ...]:
    """Return what can be put on a hex."""
    kinds = [Sign(kind.letter, kind.title) for kind in catalog.hexes if kind.letter]
    pieces = [
        Sign(owner + piece.letter, f"{piece.title} of {owner}")
        for owner in OWNERS[:_SEATS]
        for piece in catalog.pieces
        if not piece.neutral
    ]
    others = [Sign(FIRST, "any terrain"), Sign("+", "offered")]
    return (*kinds, *others, *pieces, Sign(CLEAR, "nothing"))


def put_sign(drawing: DrawingSource, hex: str, sign: str, catalog: Catalog, path: Path) -> TextEdit:
    """Return the edit that puts a sign of the palette on a hex.

    Columns of the drawing stay where blanks leave room. Raises Refused for a hex or a sign that
    there is not.
    """
    if sign not in {each.sign for each in palette(catalog)}:
        raise Refused("that cannot be drawn", "choose something of the palette")
    word = _word(drawing, hex)
    return _edit(word, _with_sign(word.text, sign, catalog), path)


def move_piece(drawing: DrawingSource, origin: str, hex: str, path: Path) -> Sequence[TextEdit]:
    """Return the edits that move the piece of a hex to another; without one, its terrain is
    copied."""
    source, target = _word(drawing, origin), _word(drawing, hex)
    if source == target:
        return []
    ground, piece, mark = _parts(source.text)
    target_ground, target_piece, target_mark = _parts(target.text)
    if not piece:
        return [_edit(target, ground + target_piece + target_mark, path)]
    moved = target_ground + piece + target_mark
    return [_edit(source, ground + mark, path), _edit(target, moved, path)]


def _edit(word: DrawnWord, text: str, path: Path) -> TextEdit:
    source, end = word.span.source.text, word.span.end
    blanks_after = len(source[end:]) - len(source[end:].lstrip(" "))
    is_last = source[end + blanks_after : end + blanks_after + 1] in ("", "\n", "\r")
    growth = len(text) - len(word.text)
    if growth > 0:
        end += min(growth, blanks_after if is_last else max(0, blanks_after - 1))
    blanks = "" if is_last else " " * -growth
    return TextEdit(Place(str(path), word.span.start, end), text + blanks)


def _word(drawing: DrawingSource, hex: str) -> DrawnWord:
    """Return the word of a hex of the table; islands are typed."""
    address = _NAME.fullmatch(hex)
    rows = drawing.rows()
    if address and not any(word.text.endswith(":") for row in rows for word in row):
        number = int(address[2]) - 1
        row = rows[number] if 0 <= number < len(rows) else ()
        for column, word in enumerate(row):
            if grid.column_letters(column) == address[1]:
                return word
    raise Refused(f"`{hex[:20]}` is not drawn here", "choose a hex of the picture")


def _parts(word: str) -> tuple[str, str, str]:
    """Return the kind of a cell, its piece and its mark."""
    mark = word[-1] if len(word) > 1 and word[-1] in MARKS else ""
    return word[0], word[1 : len(word) - len(mark)], mark


def _with_sign(word: str, sign: str, catalog: Catalog) -> str:
    """Return the word of a cell with something put on it."""
    kind, piece, mark = _parts(word)
    if sign == CLEAR:
        return kind
    if sign in MARKS:
        return kind + piece + ("" if mark == sign else sign)
    if sign[0] in OWNERS:
        first = next(each.letter for each in catalog.pieces if not each.neutral)
        return kind + (sign[0] if sign[1:] == first else sign) + mark
    return sign + piece + mark
