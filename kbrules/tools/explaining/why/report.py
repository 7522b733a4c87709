"""The report of an answer: lines for people with what speaks for a move in colour, and its data.

In the data hexes have names, and places are file and line.
"""

from __future__ import annotations

from typing import Any

from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Board
from kbrules.game.moves import write_move
from kbrules.lang.typed import Sort
from kbrules.text import Span
from kbrules.tools.explaining.why.answer import GoldAnswer, MovesAnswer
from kbrules.tools.explaining.why.evaluation import EvaluatedClause
from kbrules.tools.explaining.why.gold_clauses import AwardPart, Points, Round
from kbrules.tools.explaining.why.gold_lines import gold_lines
from kbrules.tools.explaining.why.move_clauses import JudgedMove, JudgedNorm
from kbrules.tools.explaining.why.move_lines import AGAINST, FOR, moves_lines
from kbrules.tools.explaining.why.smallest_change import SearchResult
from kbrules.tools.explaining.why.value_text import item_text, value_text
from kbrules.tools.reports.report import Lines, Report, Style

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
        "changes": None if answer.changes is None else _changes(answer.changes),
    }


def _place(span: Span | None) -> Record | None:
    if span is None or not span.source.text:
        return None
    return {"file": span.source.name, "line": span.line, "column": span.column}


def _judged(board: Board, judged: JudgedMove) -> Record:
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


def _norm(board: Board, norm: JudgedNorm) -> Record:
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


def _clause_record(board: Board, clause: EvaluatedClause) -> Record:
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
        "define": None if clause.definition is None else clause.definition.name,
        "parts": [_clause_record(board, part) for part in clause.parts],
    }


def _value(board: Board, clause: EvaluatedClause) -> Any:
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
        "text": round.award.span.one_line,
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
        "clauses": {name: _clause_record(board, clause) for name, clause in round.clauses},
        "passed_over": [_clause_record(board, clause) for clause in round.failed_conditions],
        "kept_out": {clause.text: board.names(hexes) for clause, hexes in round.excluded},
    }  # fmt: skip


def _part(board: Board, part: AwardPart) -> Record:
    items = [item_text(board, part.sort, item) for item in part.items]
    return {"gold": part.gold, "hexes": board.names(part.hexes), "items": items}
