"""Gold for people: item by item and clause by clause, added up, and the board that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kbrules.game.board import Board
from kbrules.lang.sorts import Sort
from kbrules.scenario.pictures import EARNED, picture
from kbrules.text import visible
from kbrules.tools.why.answering import Gold
from kbrules.tools.why.naming import few, item_said
from kbrules.tools.why.players import player_said
from kbrules.tools.why.points import Part, Points, Round
from kbrules.tools.why.report import clause_lines, place_of, sentence_lines

__all__ = ["gold_report"]

Teller = Callable[[Board, Round], Iterator[str]]
LONGEST = 40
"""Lines of parts of one award; the rest is summed up."""


def gold_report(answer: Gold) -> str:
    """What a player is paid: of one card everything, of the whole sheet card by card."""
    board = answer.game.board
    who = player_said(answer.question.player)
    if answer.question.rule is not None:
        (points,) = answer.points
        lines = [f"{points.rule.title or points.rule.id} pays {who} {points.gold} gold", ""]
        lines += [*sentence_lines(points.rule, points.rule.awards[0].span), ""]
        lines += _points(board, points, _whole_round)
        lines += ["", picture(answer.game, answer.state, {EARNED: points.hexes})]
        return "\n".join(lines)
    lines = [f"{who} has {answer.total} gold"]
    for points in answer.points:
        lines += ["", f"{points.rule.title or points.rule.id}: {points.gold}"]
        lines += _points(board, points, _short_round)
    lines += ["", f"gained in play: {answer.gained}"] if answer.gained else []
    sums = [points.gold for points in answer.points] + ([answer.gained] if answer.gained else [])
    lines += ["", f"{' + '.join(map(str, sums)) or '0'} = {answer.total}"]
    return "\n".join(lines)


def _points(board: Board, points: Points, tell: Teller) -> Iterator[str]:
    """Every award of a rule, round by round, and the sum."""
    for each in points.rounds:
        yield from tell(board, each)
    sums = [each.gold for each in points.rounds if each.gold]
    if len(sums) > 1:
        yield f"  {' + '.join(map(str, sums))} = {points.gold}"
    if not points.rounds:
        yield "  0: there was nothing to count"


def _head(board: Board, round: Round) -> str:
    items = [f"{name} {item_said(board, sort, item)}" for name, sort, item in round.items]
    where = f"for {', '.join(items)}: " if items else ""
    text = " ".join(round.award.span.text.split())
    return f"  {where}{visible(text)}   {place_of(round.award.span)}"


def _short_round(board: Board, round: Round) -> Iterator[str]:
    """What an award paid, without its clauses; nothing if it paid nothing."""
    if round.gold:
        yield _head(board, round)
        yield from _parts(board, round)


def _whole_round(board: Board, round: Round) -> Iterator[str]:
    yield _head(board, round)
    for name, clause in round.clauses:
        if not (name == "gold" and not clause.parts):
            yield from clause_lines(clause, -1, 3, f"{name} ")
    for place in round.places:
        at = f" ({few(board, place.hexes)})" if place.hexes else ""
        yield f"      {player_said(place.player)}: {place.value}, place {place.place}{at}"
    yield from _parts(board, round)
    for clause, hexes in round.missed:
        count = hexes.bit_count()
        whose = "1 piece is" if count == 1 else f"{count} pieces are"
        yield f"      {whose} kept out by `{visible(clause.text)}` alone: {few(board, hexes, 12)}"
    yield f"    = {round.gold}"


def _parts(board: Board, round: Round) -> Iterator[str]:
    for part in round.parts[:LONGEST]:
        yield f"    {part.gold:>4}  {_part_said(board, part)}"
    if rest := round.parts[LONGEST:]:
        yield f"    {sum(part.gold for part in rest):>4}  {len(rest)} more"


def _part_said(board: Board, part: Part) -> str:
    if part.sort is Sort.HEXES and part.hexes:
        return few(board, part.hexes, 12)
    sort = Sort.HEXES if part.sort is Sort.GROUPS else part.sort
    one = {Sort.PLAYERS: Sort.PLAYER, Sort.TERRAINS: Sort.TERRAIN}.get(sort, sort)
    return ", ".join(item_said(board, one, item) for item in part.items) or "as a whole"
