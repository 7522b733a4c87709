"""Why a move is legal or not, in lines: the sentences that decide, clause by clause.

Lines that speak for a move begin with `+`, those against it with `x`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kbrules.engine.configuration import Reason
from kbrules.engine.game import Game
from kbrules.engine.scoring import cut_off
from kbrules.game.board import Board
from kbrules.game.moves import write_move
from kbrules.lang.typed import Rule
from kbrules.library.reading import place_of
from kbrules.text import Span, visible
from kbrules.tools.explaining.why.answer import MovesAnswer
from kbrules.tools.explaining.why.evaluation import EvaluatedClause
from kbrules.tools.explaining.why.move_clauses import JudgedMove, JudgedNorm, JudgedStep
from kbrules.tools.explaining.why.players import player_text
from kbrules.tools.explaining.why.smallest_change import SearchResult
from kbrules.tools.explaining.why.value_text import bound_text, nearest_text, value_text

FOR, AGAINST, IDLE = "+", "x", " "


def moves_lines(answer: MovesAnswer) -> list[str]:
    """Why moves are legal or not: the first of them in full, a line for each other."""
    lines: list[str] = []
    question = answer.question
    for move in question.before:
        lines.append(f"after `{write_move(move, answer.game.board)}`:")
    if not answer.judged:
        return [*lines, "nothing can be decided now"]
    first, *others = answer.judged
    lines += [f"cut off before: {sentence}" for sentence in cut_off(first.state)]
    lines += _verdict(answer, first)
    lines += _sentences(answer.game, first)
    if first.step is not None and first.hex >= 0:
        lines += ["", *_step_lines(first, first.step, answer.game.board)]
    if first.refusal.nearest:
        lines += ["", *first.refusal.nearest_text.split("\n")]
    if answer.changes is not None:
        lines += ["", *_changes(answer.changes)]
    if others:
        lines += ["", *_others(answer, others)]
    return lines


def _verdict(answer: MovesAnswer, judged: JudgedMove) -> list[str]:
    board, move = answer.game.board, judged.move
    verdict = "is legal" if judged.legal else "is not legal"
    who = answer.game.legal_moves(judged.state).player
    for_player = f" for {player_text(who)}" if who >= 0 else ""
    lines = [f"`{write_move(move, board)}` {verdict}{for_player}"]
    if judged.hex >= 0:
        lines.append(hex_text(answer, judged))
    return lines


def hex_text(answer: MovesAnswer, judged: JudgedMove) -> str:
    """What a hex is and who stands there."""
    board, hex = answer.game.board, judged.hex
    kind = board.catalog.hexes[board.kind_at(hex)].title
    occupant = "free"
    for player, seat in enumerate(judged.state.seats):
        for piece, mask in enumerate(seat.pieces):
            if mask >> hex & 1:
                occupant = f"a {board.catalog.pieces[piece].title.lower()} of {player_text(player)}"
    if occupant == "free" and judged.state.occupied >> hex & 1:
        occupant = "a piece of nobody"
    return f"{board.grid.name(hex)} is {kind.lower()}, {occupant}"


# Sentences


def _sentences(game: Game, judged: JudgedMove) -> Iterator[str]:
    """The sentences that decide: of a refusal each clause of it, of a legal move its rule."""
    if judged.legal:
        if judged.rule is not None and judged.step is not None:
            yield ""
            yield from sentence_lines(judged.rule, judged.step.step.span)
        return
    for reason in judged.refusal.reasons:
        yield ""
        yield f"{reason.rule}: {reason.text}"
        yield from _reason_lines(game, reason)


def _reason_lines(game: Game, reason: Reason) -> Iterator[str]:
    if reason.span is not None:
        rule = game.ruleset.rule(reason.rule)
        yield from _lines_of("" if rule is None else rule.wording, reason.span)


def sentence_lines(rule: Rule, span: Span) -> Iterator[str]:
    """A rule's title, wording, and a line of its text with the place."""
    yield f"{rule.title or rule.id}"
    yield from _lines_of(rule.wording, span)


def _lines_of(wording: str, span: Span) -> Iterator[str]:
    if wording:
        yield f'  "{visible(wording)}"'
    if span.source.text:
        yield f"  {span.line:>4} | {visible(span.source.line_text(span.line).strip())}"
        yield f"       {place_of(span)}"


# Clauses


def _step_lines(judged: JudgedMove, step: JudgedStep, board: Board) -> Iterator[str]:
    hex = judged.hex
    name = board.grid.name(hex) if hex >= 0 else ""
    yield f"clause by clause{' at ' + name if name else ''}:"
    if step.own_set is not None:
        own_mark = FOR if step.own_set.holds else AGAINST
        yield f"{own_mark} {step.verb} on   {place_of(step.step.span)}"
        yield from clause_lines(step.own_set, hex, 2)
    for obstacle in step.obstacles:
        yield f"{AGAINST} {obstacle}"
    idle = [norm for norm in step.norms if not norm.applies]
    for norm in step.norms:
        if norm.applies:
            yield from _norm_lines(norm, hex)
    for norm in idle:
        what = f"{norm.norm.kind} of {norm.rule.id}"
        yield f"{IDLE} {what}: {norm.note}   {place_of(norm.norm.span)}"


def _norm_lines(norm: JudgedNorm, hex: int) -> Iterator[str]:
    mark = {"for": FOR, "against": AGAINST}.get(norm.effect, IDLE)
    note = f" ({norm.note})" if norm.note else ""
    yield f"{mark} {norm.norm.kind} of {norm.rule.id}{note}   {place_of(norm.norm.span)}"
    if norm.target is not None:
        parts = clause_lines(norm.target, hex, 2)
        yield from parts if norm.effect else islice(parts, 1)
    if norm.guard is not None:
        parts = clause_lines(norm.guard, -1, 2, "if ")
        yield from parts if norm.effect else islice(parts, 1)


def clause_lines(clause: EvaluatedClause, hex: int, depth: int, head: str = "") -> Iterator[str]:
    """A clause and its parts, each a line: how it is written, in or out, and its value."""
    result = _result_text(clause, hex)
    mark = AGAINST if clause.is_wrong else IDLE
    text = f"{head}{visible(clause.text)}"
    if clause.item is not None:
        text = f"{bound_text(clause.view.board, *clause.item)}: {text}"
    yield f"{mark}{' ' * (2 * depth - 1)}{text}   {result}"
    if clause.definition is not None:
        words = f'"{visible(clause.definition.wording)}"   {place_of(clause.definition.span)}'
        yield f"{' ' * (2 * depth + 2)}{words}"
    for part in clause.parts:
        if not _is_number(part):
            inner = hex if part.holds is not None else -1
            yield from clause_lines(part, inner, depth + 1)


def _is_number(clause: EvaluatedClause) -> bool:
    return clause.text.isdigit()


def _result_text(clause: EvaluatedClause, hex: int) -> str:
    parts = []
    if clause.holds is not None and hex >= 0 and clause.expr.sort == "hexes":
        parts.append("in" if clause.holds else "out")
    near = nearest_text(clause, hex)
    parts.append(near or value_text(clause))
    return ", ".join(parts)


# Changes and other moves


def _changes(search: SearchResult) -> list[str]:
    if not search.tried:
        return ["no change was looked for, as nobody decides now"]
    if search.found:
        head = "the smallest change that makes it legal:"
        if search.size > 1:
            head = "no single change makes it legal; together these do:"
        return [head, *(f"  {', and '.join(texts)}" for texts in search.found)]
    tried = f"{search.tried} positions were tried"
    if not search.size:
        return [f"no change that makes it legal was found in time; {tried}"]
    if search.size == 1:
        return [f"no single change makes it legal; {tried}"]
    return [f"no change makes it legal, nor any {search.size} together that were tried; {tried}"]


def _others(answer: MovesAnswer, others: list[JudgedMove]) -> Iterator[str]:
    yield "also there:"
    for judged in others:
        text = write_move(judged.move, answer.game.board)
        if judged.legal:
            yield f"  `{text}` is legal"
            continue
        reason = judged.refusal.reasons[0]
        yield f"  `{text}` is not: {reason.rule}: {reason.text}"
