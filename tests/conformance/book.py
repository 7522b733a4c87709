"""The cases of one file while they are recorded: each is kept once, and only if it runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kbrules.game.moves import MoveSet
from kbrules.tools.conform.models import ConformanceFile

FORMAT = 1


@dataclass
class Book:
    """Positions by name, and the cases about them."""

    positions: dict[str, Any] = field(default_factory=dict)
    cases: dict[str, dict[str, Any]] = field(default_factory=dict)

    def put(
        self, id: str, position: str, question: Mapping[str, Any], holds: Iterable[str],
        found: str, source: str, moves: Iterable[str] = (), **more: Any,
    ) -> None:  # fmt: skip
        """Enter a case; one that holds nothing is left out."""
        held, made = sorted({*holds} - {""}), list(moves)
        if not held:
            return
        while id in self.cases:
            id += "+"
        self.cases[id] = {
            "id": id, "position": position, **({"moves": made} if made else {}), **question,
            "holds": held, "found": found, **more, "source": source,
        }  # fmt: skip

    def text(self) -> str:
        """The text of the file, a position or a case in each line."""
        used = {case["position"] for case in self.cases.values()}
        laid = ((name, keys) for name, keys in self.positions.items() if name in used)
        positions = [f"{json.dumps(name)}: {json.dumps(keys)}" for name, keys in laid]
        cases = [json.dumps(case) for case in self.cases.values()]
        return (
            f'{{"format": {FORMAT}, "positions": {{\n' + ",\n".join(positions)
            + '\n}, "cases": [\n' + ",\n".join(cases) + "\n]}\n"
        )  # fmt: skip

    def file(self) -> ConformanceFile:
        """The same as it is read."""
        return ConformanceFile.model_validate_json(self.text())


def rules_of(moves: MoveSet) -> set[str]:
    """The rules that offer any of the moves; a chosen terrain is none."""
    if moves.weights:
        return {"terrain_cards"}
    return {group.rule if group.verb not in ("choose", "end") else "turn" for group in moves.groups}
