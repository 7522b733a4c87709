"""The answer to a question, its picture, and its report for people and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, islice
from operator import or_
from typing import Any

from kbrules.engine.configuration import Reason
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.scoring import cut_off
from kbrules.game.board import Board
from kbrules.game.moves import OWN_VERBS, write_move
from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.lang.typed import Rule, Sort
from kbrules.library.reading import place_of
from kbrules.scenario.report import EARNED, board_text, visible_pieces
from kbrules.text import Span, visible
from kbrules.tools.pictures.board import Picture, board_svg
from kbrules.tools.reports.report import Lines, Report, Style
from kbrules.tools.why import evaluation, moves
from kbrules.tools.why.questions import AboutGold, AboutMoves, Question, player_text

# Answers to questions: judged moves, or gold by clause.


@dataclass(frozen=True, slots=True)
class MovesAnswer:
    """Moves judged, the likeliest first, and the smallest change that makes the first legal.

    `changes` is None if the first is legal, or no change can make it so.
    """

    game: Game
    question: AboutMoves
    judged: tuple[moves.JudgedMove, ...]
    changes: moves.SearchResult | None


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """What rules and cards pay a player, and the player's number on the score sheet for it."""

    game: Game
    state: State
    question: AboutGold
    points: tuple[evaluation.Points, ...]
    gained: int

    @property
    def total(self) -> int:
        """All that is in question, added up."""
        return sum(each.gold for each in self.points) + self.gained


def answer(game: Game, state: State, question: Question) -> MovesAnswer | GoldAnswer:
    """The answer to a question about a position."""
    if isinstance(question, AboutGold):
        return _gold_answer(game, state, question)
    judged = [moves.judge(game, question.state, move) for move in question.moves]
    judged.sort(key=lambda each: not each.legal)
    first = judged[0]
    needs_hex = first.hex < 0 and first.move.verb not in OWN_VERBS
    is_settled = first.legal or first.move.verb == "draw" or needs_hex
    search = None if is_settled else moves.smallest_change(game, question.state, first.move)
    return MovesAnswer(game, question, tuple(judged), search)


def _gold_answer(game: Game, state: State, question: AboutGold) -> GoldAnswer:
    if question.rule is not None:
        points = [evaluation.points_of(game, state, question.player, question.rule)]
        return GoldAnswer(game, state, question, tuple(points), 0)
    points = evaluation.sheet_of(game, state, question.player)
    return GoldAnswer(game, state, question, tuple(points), state.seats[question.player].gold)


# An answer as an SVG picture of the board: the hexes that pay, or the hex in question.


QUESTIONED, LEGAL = "?", "+"


def picture_of(answer: MovesAnswer | GoldAnswer) -> str:
    """The board with what the answer speaks of marked."""
    if isinstance(answer, GoldAnswer):
        hexes = reduce(or_, (points.hexes for points in answer.points), 0)
        return _svg(answer, answer.state, {EARNED: hexes}, "What pays")
    first = next(iter(answer.judged), None)
    signs: dict[str, Mask] = {}
    if first is not None and first.hex >= 0:
        signs = {
            QUESTIONED: 1 << first.move.hex,
            LEGAL: _legal_hexes(answer) & ~(1 << first.move.hex),
        }
    return _svg(answer, answer.question.state, signs, "What is legal")


def _legal_hexes(answer: MovesAnswer) -> Mask:
    move = answer.judged[0].move
    groups = answer.game.legal_moves(answer.question.state).groups
    legal = (g.hexes for g in groups if (g.verb, g.rule) == (move.verb, move.rule))
    return reduce(or_, legal, 0)


def _svg(
    answer: MovesAnswer | GoldAnswer, state: State, signs: Mapping[str, Mask], title: str
) -> str:
    return board_svg(Picture(answer.game.board, visible_pieces(state), signs, title))


# Why a move is legal or not, in lines: the sentences that decide, clause by clause.
#
# Lines that speak for a move begin with `+`, those against it with `x`.


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


def _verdict(answer: MovesAnswer, judged: moves.JudgedMove) -> list[str]:
    board, move = answer.game.board, judged.move
    verdict = "is legal" if judged.legal else "is not legal"
    who = answer.game.legal_moves(judged.state).player
    for_player = f" for {player_text(who)}" if who >= 0 else ""
    lines = [f"`{write_move(move, board)}` {verdict}{for_player}"]
    if judged.hex >= 0:
        lines.append(hex_text(answer, judged))
    return lines


def hex_text(answer: MovesAnswer, judged: moves.JudgedMove) -> str:
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


def _sentences(game: Game, judged: moves.JudgedMove) -> Iterator[str]:
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


def _step_lines(judged: moves.JudgedMove, step: moves.JudgedStep, board: Board) -> Iterator[str]:
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


def _norm_lines(norm: moves.JudgedNorm, hex: int) -> Iterator[str]:
    mark = {"for": FOR, "against": AGAINST}.get(norm.effect, IDLE)
    note = f" ({norm.note})" if norm.note else ""
    yield f"{mark} {norm.norm.kind} of {norm.rule.id}{note}   {place_of(norm.norm.span)}"
    if norm.target is not None:
        parts = clause_lines(norm.target, hex, 2)
        yield from parts if norm.effect else islice(parts, 1)
    if norm.guard is not None:
        parts = clause_lines(norm.guard, -1, 2, "if ")
        yield from parts if norm.effect else islice(parts, 1)


def clause_lines(
    clause: evaluation.EvaluatedClause, hex: int, depth: int, head: str = ""
) -> Iterator[str]:
    """A clause and its parts, each a line: how it is written, in or out, and its value."""
    result = _result_text(clause, hex)
    mark = AGAINST if clause.is_wrong else IDLE
    text = f"{head}{visible(clause.text)}"
    if clause.item is not None:
        text = f"{evaluation.bound_text(clause.view.board, *clause.item)}: {text}"
    yield f"{mark}{' ' * (2 * depth - 1)}{text}   {result}"
    if clause.definition is not None:
        words = f'"{visible(clause.definition.wording)}"   {place_of(clause.definition.span)}'
        yield f"{' ' * (2 * depth + 2)}{words}"
    for part in clause.parts:
        if not _is_number(part):
            inner = hex if part.holds is not None else -1
            yield from clause_lines(part, inner, depth + 1)


def _is_number(clause: evaluation.EvaluatedClause) -> bool:
    return clause.text.isdigit()


def _result_text(clause: evaluation.EvaluatedClause, hex: int) -> str:
    parts = []
    if clause.holds is not None and hex >= 0 and clause.expr.sort == "hexes":
        parts.append("in" if clause.holds else "out")
    near = evaluation.nearest_text(clause, hex)
    parts.append(near or evaluation.value_text(clause))
    return ", ".join(parts)


# Changes and other moves


def _changes(search: moves.SearchResult) -> list[str]:
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


def _others(answer: MovesAnswer, others: list[moves.JudgedMove]) -> Iterator[str]:
    yield "also there:"
    for judged in others:
        text = write_move(judged.move, answer.game.board)
        if judged.legal:
            yield f"  `{text}` is legal"
            continue
        reason = judged.refusal.reasons[0]
        yield f"  `{text}` is not: {reason.rule}: {reason.text}"


# Gold for people: item by item and clause by clause, added up, and the board that shows it.


RoundWriter = Callable[[Board, evaluation.Round], Iterator[str]]
MAX_PARTS = 40
"""Lines of parts of one award; the rest is summed up."""


def gold_lines(answer: GoldAnswer) -> list[str]:
    """What a player is paid: of one card everything, of the whole sheet card by card."""
    board = answer.game.board
    who = player_text(answer.question.player)
    if answer.question.rule is not None:
        (points,) = answer.points
        lines = [f"{points.rule.title or points.rule.id} pays {who} {points.gold} gold", ""]
        lines += [*sentence_lines(points.rule, points.rule.awards[0].span), ""]
        lines += _points(board, points, _full_round)
        lines += ["", *board_text(answer.game, answer.state, {EARNED: points.hexes}).split("\n")]
        return lines
    lines = [f"{who} has {answer.total} gold"]
    for points in answer.points:
        lines += ["", f"{points.rule.title or points.rule.id}: {points.gold}"]
        lines += _points(board, points, _short_round)
    lines += ["", f"gained in play: {answer.gained}"] if answer.gained else []
    sums = [points.gold for points in answer.points] + ([answer.gained] if answer.gained else [])
    lines += ["", f"{' + '.join(map(str, sums)) or '0'} = {answer.total}"]
    lines += [f"cut off: {sentence}" for sentence in cut_off(answer.state)]
    return lines


def _points(board: Board, points: evaluation.Points, writer: RoundWriter) -> Iterator[str]:
    """Every award of a rule, round by round, and the sum."""
    for award, rounds in groupby(points.rounds, key=lambda each: each.award):
        yield f"  {visible(award.span.one_line)}   {place_of(award.span)}"
        for each in rounds:
            yield from writer(board, each)
    sums = [each.gold for each in points.rounds if each.gold]
    if len(sums) > 1:
        yield f"  {' + '.join(map(str, sums))} = {points.gold}"
    if not points.rounds:
        yield "  there is nothing to count"


def _head(board: Board, round: evaluation.Round) -> str:
    items = [evaluation.bound_text(board, *item) for item in round.items]
    return f"    {', '.join(items) or 'pays'}: {round.gold}"


def _short_round(board: Board, round: evaluation.Round) -> Iterator[str]:
    """What an award paid, without its clauses; hexes that pay alike share a line."""
    if round.items and round.gold:
        yield _head(board, round)
    for gold, group in groupby(round.parts, key=lambda part: part.gold):
        parts = list(group)
        if len(parts) == 1 or any(part.sort is not Sort.HEXES for part in parts):
            yield from (f"    {part.gold:>4}  {_part_text(board, part)}" for part in parts)
        else:
            hexes = reduce(or_, (part.hexes for part in parts))
            where = evaluation.short_list(board, hexes, MAX_PARTS)
            yield f"    {gold * len(parts):>4}  {gold} each: {where}"


def _full_round(board: Board, round: evaluation.Round) -> Iterator[str]:
    yield _head(board, round)
    if not round.gold and round.items:
        yield f"      {_why_nothing(round)}"
    else:
        for name, clause in round.clauses:
            if not (name == "gold" and not clause.parts):
                yield from clause_lines(clause, -1, 3, f"{name} ")
    for place in round.places:
        at = f" ({evaluation.short_list(board, place.hexes)})" if place.hexes else ""
        yield f"      {player_text(place.player)}: {place.value}, place {place.place}{at}"
    yield from _parts(board, round)
    for clause in round.failed_conditions:
        yield from clause_lines(clause, -1, 3, "if ")
    for clause, hexes in round.excluded:
        count = hexes.bit_count()
        subject = "1 piece is" if count == 1 else f"{count} pieces are"
        names = evaluation.short_list(board, hexes, 12)
        yield f"      {subject} kept out by `{visible(clause.text)}` alone: {names}"


def _why_nothing(round: evaluation.Round) -> str:
    """Why a round of a loop paid nothing, in a few words."""
    for name, clause in round.clauses:
        if name == "if" and not clause.value:
            return f"`{visible(clause.text)}` does not hold"
    if round.places:
        return f"this pays for place {round.award.rank}"
    return "there is nothing to count"


def _parts(board: Board, round: evaluation.Round) -> Iterator[str]:
    for part in round.parts[:MAX_PARTS]:
        yield f"    {part.gold:>4}  {_part_text(board, part)}"
    if rest := round.parts[MAX_PARTS:]:
        yield f"    {sum(part.gold for part in rest):>4}  {len(rest)} more"


def _part_text(board: Board, part: evaluation.AwardPart) -> str:
    if part.sort is not Sort.HEXES or not part.hexes:
        items = ", ".join(evaluation.item_text(board, part.sort, item) for item in part.items)
        return items or "as a whole"
    hexes = evaluation.short_list(board, part.hexes, 12)
    if all(item.bit_count() <= 1 for item in part.items):
        return hexes
    items = ", ".join(evaluation.item_text(board, part.sort, item) for item in part.items)
    return hexes if items == hexes else f"{items}: {hexes}"


# The report of an answer: lines for people with what speaks for a move in colour, and its data.
#
# In the data hexes have names, and places are file and line.


Record = dict[str, Any]


def why_report(answer: MovesAnswer | GoldAnswer, position: str) -> Report:
    """The report about a position, named unless the reader is in it."""
    lines = gold_lines(answer) if isinstance(answer, GoldAnswer) else moves_lines(answer)
    data = {"format": 1, "position": position, **_answer_data(answer)}
    shown = Lines(tuple(lines), tuple(map(_style, lines)), f"{position}:" if position else "")
    return Report(position, [shown], data, lines[:1])


def _style(line: str) -> Style:
    """Red for what speaks against, green for what speaks for it, as far as it says so."""
    if line.startswith(f"{AGAINST} "):
        return Style.bad
    if line.startswith(f"{FOR} "):
        return Style.good
    return Style.strong if line.startswith("`") else Style.plain


# Data


def _answer_data(answer: MovesAnswer | GoldAnswer) -> Record:
    """The answer as plain data."""
    if isinstance(answer, GoldAnswer):
        return _gold(answer)
    board = answer.game.board
    return {
        "about": "moves",
        "before": [write_move(move, board) for move in answer.question.before],
        "moves": [_judged(board, each) for each in answer.judged],
        "changes": None if answer.changes is None else _change_data(answer.changes),
    }


def _place(span: Span | None) -> Record | None:
    if span is None or not span.source.text:
        return None
    return {"file": span.source.name, "line": span.line, "column": span.column}


def _judged(board: Board, judged: moves.JudgedMove) -> Record:
    step = judged.step
    return {
        "move": write_move(judged.move, board),
        "legal": judged.legal,
        "reasons": [
            {"rule": reason.rule, "text": reason.text, "at": _place(reason.span)}
            for reason in judged.refusal.reasons
        ],
        "nearest": list(judged.refusal.nearest),
        "obstacles": [] if step is None else list(step.obstacles),
        "on": None if step is None or step.own_set is None else _clause_record(board, step.own_set),
        "norms": [] if step is None else [_norm(board, norm) for norm in step.norms],
    }


def _norm(board: Board, norm: moves.JudgedNorm) -> Record:
    return {
        "kind": norm.norm.kind,
        "rule": norm.rule.id,
        "applies": norm.applies,
        "speaks": norm.effect,
        "note": norm.note,
        "at": _place(norm.norm.span),
        "on": None if norm.target is None else _clause_record(board, norm.target),
        "if": None if norm.guard is None else _clause_record(board, norm.guard),
    }


def _clause_record(board: Board, clause: evaluation.EvaluatedClause) -> Record:
    """A clause with its parts; of a set the names of its hexes."""
    return {
        "text": clause.text,
        "item": None if clause.item is None else evaluation.item_text(board, *clause.item[1:]),
        "at": _place(clause.span),
        "sort": str(clause.expr.sort),
        "value": _value(board, clause),
        "holds": clause.holds,
        "wrong": clause.is_wrong,
        "taken_away": clause.is_taken_away,
        "define": None if clause.definition is None else clause.definition.name,
        "parts": [_clause_record(board, part) for part in clause.parts],
    }


def _value(board: Board, clause: evaluation.EvaluatedClause) -> Any:
    match clause.expr.sort:
        case Sort.HEXES:
            return board.names(clause.value)
        case Sort.GROUPS:
            return [board.names(group) for group in clause.value]
        case Sort.NUMBER | Sort.TRUTH:
            return clause.value
        case _:
            return evaluation.value_text(clause)


def _change_data(search: moves.SearchResult) -> Record:
    changes = [list(texts) for texts in search.found]
    return {"found": changes, "size": search.size, "tried": search.tried, "all": search.complete}


# Gold


def _gold(answer: GoldAnswer) -> Record:
    board = answer.game.board
    return {
        "about": "gold",
        "player": player_name(answer.question.player),
        "gold": answer.total,
        "gained": answer.gained,
        "rules": [_points_data(board, each) for each in answer.points],
    }


def _points_data(board: Board, points: evaluation.Points) -> Record:
    return {
        "rule": points.rule.id,
        "title": points.rule.title or points.rule.id,
        "gold": points.gold,
        "hexes": board.names(points.hexes),
        "rounds": [_round(board, each) for each in points.rounds],
    }


def _round(board: Board, round: evaluation.Round) -> Record:
    return {
        "text": round.award.span.one_line,
        "at": _place(round.award.span),
        "for": {name: evaluation.item_text(board, sort, item) for name, sort, item in round.items},
        "gold": round.gold,
        "parts": [_part(board, part) for part in round.parts],
        "places": [
            {
                "player": player_name(place.player), "value": place.value, "place": place.place,
                "hexes": board.names(place.hexes),
            }
            for place in round.places
        ],
        "clauses": {name: _clause_record(board, clause) for name, clause in round.clauses},
        "passed_over": [_clause_record(board, clause) for clause in round.failed_conditions],
        "kept_out": {clause.text: board.names(hexes) for clause, hexes in round.excluded},
    }  # fmt: skip


def _part(board: Board, part: evaluation.AwardPart) -> Record:
    items = [evaluation.item_text(board, part.sort, item) for item in part.items]
    return {"gold": part.gold, "hexes": board.names(part.hexes), "items": items}
