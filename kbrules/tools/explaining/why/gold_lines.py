"""Gold for people: item by item and clause by clause, added up, and the board that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import groupby
from operator import or_

from kbrules.engine.scoring import cut_off
from kbrules.game.board import Board
from kbrules.lang.typed import Sort
from kbrules.library.reading import place_of
from kbrules.scenario.report import EARNED, board_text
from kbrules.text import visible
from kbrules.tools.explaining.why.answer import GoldAnswer
from kbrules.tools.explaining.why.gold_clauses import AwardPart, Points, Round
from kbrules.tools.explaining.why.move_lines import clause_lines, sentence_lines
from kbrules.tools.explaining.why.players import player_text
from kbrules.tools.explaining.why.value_text import bound_text, item_text, short_list

RoundWriter = Callable[[Board, Round], Iterator[str]]
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


def _points(board: Board, points: Points, writer: RoundWriter) -> Iterator[str]:
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


def _head(board: Board, round: Round) -> str:
    items = [bound_text(board, *item) for item in round.items]
    return f"    {', '.join(items) or 'pays'}: {round.gold}"


def _short_round(board: Board, round: Round) -> Iterator[str]:
    """What an award paid, without its clauses; hexes that pay alike share a line."""
    if round.items and round.gold:
        yield _head(board, round)
    for gold, group in groupby(round.parts, key=lambda part: part.gold):
        parts = list(group)
        if len(parts) == 1 or any(part.sort is not Sort.HEXES for part in parts):
            yield from (f"    {part.gold:>4}  {_part_text(board, part)}" for part in parts)
        else:
            hexes = reduce(or_, (part.hexes for part in parts))
            yield f"    {gold * len(parts):>4}  {gold} each: {short_list(board, hexes, MAX_PARTS)}"


def _full_round(board: Board, round: Round) -> Iterator[str]:
    yield _head(board, round)
    if not round.gold and round.items:
        yield f"      {_why_nothing(round)}"
    else:
        for name, clause in round.clauses:
            if not (name == "gold" and not clause.parts):
                yield from clause_lines(clause, -1, 3, f"{name} ")
    for place in round.places:
        at = f" ({short_list(board, place.hexes)})" if place.hexes else ""
        yield f"      {player_text(place.player)}: {place.value}, place {place.place}{at}"
    yield from _parts(board, round)
    for clause in round.failed_conditions:
        yield from clause_lines(clause, -1, 3, "if ")
    for clause, hexes in round.excluded:
        count = hexes.bit_count()
        subject = "1 piece is" if count == 1 else f"{count} pieces are"
        names = short_list(board, hexes, 12)
        yield f"      {subject} kept out by `{visible(clause.text)}` alone: {names}"


def _why_nothing(round: Round) -> str:
    """Why a round of a loop paid nothing, in a few words."""
    for name, clause in round.clauses:
        if name == "if" and not clause.value:
            return f"`{visible(clause.text)}` does not hold"
    if round.places:
        return f"this pays for place {round.award.rank}"
    return "there is nothing to count"


def _parts(board: Board, round: Round) -> Iterator[str]:
    for part in round.parts[:MAX_PARTS]:
        yield f"    {part.gold:>4}  {_part_text(board, part)}"
    if rest := round.parts[MAX_PARTS:]:
        yield f"    {sum(part.gold for part in rest):>4}  {len(rest)} more"


def _part_text(board: Board, part: AwardPart) -> str:
    if part.sort is not Sort.HEXES or not part.hexes:
        items = ", ".join(item_text(board, part.sort, item) for item in part.items)
        return items or "as a whole"
    hexes = short_list(board, part.hexes, 12)
    if all(item.bit_count() <= 1 for item in part.items):
        return hexes
    items = ", ".join(item_text(board, part.sort, item) for item in part.items)
    return hexes if items == hexes else f"{items}: {hexes}"
