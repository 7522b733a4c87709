"""Answers as plain data for programs: hexes by name, places as file and line."""

from __future__ import annotations

from typing import Any

from kbrules.engine.logs.writer import player_name
from kbrules.game.board import Board
from kbrules.game.notation import write_move
from kbrules.lang.typed.sorts import Sort
from kbrules.text import Span
from kbrules.tools.explaining.why.answer import GoldAnswer, MovesAnswer
from kbrules.tools.explaining.why.evaluation import Clause
from kbrules.tools.explaining.why.gold_clauses import AwardPart, Points, Round
from kbrules.tools.explaining.why.move_clauses import Judged, JudgedNorm
from kbrules.tools.explaining.why.smallest_change import SearchResult
from kbrules.tools.explaining.why.value_text import item_text, value_text

__all__ = ["answer_data"]

Record = dict[str, Any]


def answer_data(answer: MovesAnswer | GoldAnswer) -> Record:
    """The answer as plain data."""
    if isinstance(answer, GoldAnswer):
        return _gold(answer)
    board = answer.game.board
    return {
        "about": "moves",
        "before": [write_move(move, board) for move in answer.question.before],
        "moves": [_judged(board, each) for each in answer.judged],
        "changes": None if answer.changes is None else _changes(answer.changes),
    }


def _place(span: Span | None) -> Record | None:
    if span is None or not span.source.text:
        return None
    return {"file": span.source.name, "line": span.line, "column": span.column}


def _judged(board: Board, judged: Judged) -> Record:
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
        "on": None if step is None or step.own is None else clause_record(board, step.own),
        "norms": [] if step is None else [_norm(board, norm) for norm in step.norms],
    }


def _norm(board: Board, norm: JudgedNorm) -> Record:
    return {
        "kind": norm.norm.kind,
        "rule": norm.rule.id,
        "applies": norm.applies,
        "speaks": norm.speaks,
        "note": norm.note,
        "at": _place(norm.norm.span),
        "on": None if norm.on is None else clause_record(board, norm.on),
        "if": None if norm.guard is None else clause_record(board, norm.guard),
    }


def clause_record(board: Board, clause: Clause) -> Record:
    """A clause with its parts; of a set the names of its hexes."""
    return {
        "text": clause.text,
        "item": None if clause.item is None else item_text(board, *clause.item[1:]),
        "at": _place(clause.span),
        "sort": str(clause.expr.sort),
        "value": _value(board, clause),
        "holds": clause.holds,
        "wrong": clause.is_wrong,
        "taken_away": clause.is_taken_away,
        "define": None if clause.means is None else clause.means.name,
        "parts": [clause_record(board, part) for part in clause.parts],
    }


def _value(board: Board, clause: Clause) -> Any:
    match clause.expr.sort:
        case Sort.HEXES:
            return board.names(clause.value)
        case Sort.GROUPS:
            return [board.names(group) for group in clause.value]
        case Sort.NUMBER | Sort.TRUTH:
            return clause.value
        case _:
            return value_text(clause)


def _changes(search: SearchResult) -> Record:
    found = [list(texts) for texts in search.found]
    return {"found": found, "size": search.size, "tried": search.tried, "all": search.complete}


# Gold


def _gold(answer: GoldAnswer) -> Record:
    board = answer.game.board
    return {
        "about": "gold",
        "player": player_name(answer.question.player),
        "gold": answer.total,
        "gained": answer.gained,
        "rules": [_points(board, each) for each in answer.points],
    }


def _points(board: Board, points: Points) -> Record:
    return {
        "rule": points.rule.id,
        "title": points.rule.title or points.rule.id,
        "gold": points.gold,
        "hexes": board.names(points.hexes),
        "rounds": [_round(board, each) for each in points.rounds],
    }


def _round(board: Board, round: Round) -> Record:
    return {
        "text": " ".join(round.award.span.text.split()),
        "at": _place(round.award.span),
        "for": {name: item_text(board, sort, item) for name, sort, item in round.items},
        "gold": round.gold,
        "parts": [_part(board, part) for part in round.parts],
        "places": [
            {
                "player": player_name(place.player), "value": place.value, "place": place.place,
                "hexes": board.names(place.hexes),
            }
            for place in round.places
        ],
        "clauses": {name: clause_record(board, clause) for name, clause in round.clauses},
        "passed_over": [clause_record(board, clause) for clause in round.passed_over],
        "kept_out": {clause.text: board.names(hexes) for clause, hexes in round.missed},
    }  # fmt: skip


def _part(board: Board, part: AwardPart) -> Record:
    items = [item_text(board, part.sort, item) for item in part.items]
    return {"gold": part.gold, "hexes": board.names(part.hexes), "items": items}
