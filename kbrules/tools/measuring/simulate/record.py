"""The answer for programs, as JSON.

`format` (1); `question`, as in the file of games; `deals`, `games`, `seeds` (first and last),
`version`, `rules` (a digest for each side), `command`, `error`, `stand_ins`, `sides` (what they are
called), `sentences`, and `tables`. Each table has `id`, `unit`, `even` (what all would be if
nothing mattered, or null), `columns` (`party`, `bot`, `side`: -1 for the difference of side 1 from
side 0) and `lines` (`id`, `title`, `figures`: one for each column, null where a thing is not in
the game). A figure has `value`, `low`, `high` (null if there is no end, or if it was the same on
every table) and `tables`, by how many independent tables it is known.
"""

from __future__ import annotations

import json
from typing import Any

from kbrules.tools.measuring.simulate.answer import Answer
from kbrules.tools.measuring.simulate.figure_tables import FigureTable
from kbrules.tools.measuring.simulate.figures import Figure
from kbrules.tools.measuring.simulate.report_text import sentences

__all__ = ["json_of"]

FORMAT = 1
_DIGITS = 6


def json_of(answer: Answer) -> str:
    """All of it."""
    first = answer.question.seed
    data = {
        "format": FORMAT,
        "question": answer.question.to_json(),
        "deals": answer.deals,
        "games": answer.games,
        "seeds": [first, first + answer.deals - 1],
        "version": answer.version,
        "rules": list(answer.rules),
        "command": answer.command,
        "error": answer.error,
        "stand_ins": list(answer.store.stand_ins),
        "sides": list(answer.sides),
        "sentences": list(sentences(answer)),
        "tables": [_table(answer, table) for table in answer.tables],
    }
    return json.dumps(data, indent=1)


def _table(answer: Answer, table: FigureTable) -> dict[str, Any]:
    columns = [{"party": c.party, "bot": c.bot, "side": c.side} for c in table.columns]
    lines = [
        {
            "id": line.id,
            "title": answer.titles.get(line.id, line.id),
            "figures": [_figure(figure) for figure in line.figures],
        }
        for line in table.lines
    ]
    head = {"id": table.id, "unit": table.unit, "even": table.even}
    return {**head, "columns": columns, "lines": lines}


def _figure(figure: Figure | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    ends = (figure.low, figure.high) if figure.has_ends else (None, None)
    value, low, high = (each and round(each, _DIGITS) for each in (figure.value, *ends))
    return {"value": value, "low": low, "high": high, "tables": figure.games}
