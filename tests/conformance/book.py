"""The rules and tables of the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.engine.game import Game
from kbrules.game.moves import MoveSet
from kbrules.game.state import State
from kbrules.library.position import position_keys
from kbrules.library.store import Files
from kbrules.scenario.models import MidgameModel
from kbrules.scenario.position import cache_of, laid_or_error
from kbrules.scenario.reader import position_in
from kbrules.scenario.writing import Inexact, drawn, position_of
from kbrules.tools.conform import ConformanceFile

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


LETTERS = "abcdef"


@cache
def files() -> Files:
    """One for all that is recorded in a process."""
    return Files()


def written(game: Game, state: State) -> Any:
    """The keys of a position at its actions that is this very state; None if none is.

    The corpus asks about none in which a terrain was chosen or a card revealed.
    """
    position = position_of(game, state)
    if isinstance(position, Inexact):
        return None
    turn = position.turn
    if turn.stage or turn.choice or turn.aside or turn.revealed:
        return None
    default = game.ruleset.options
    options = {id: value for id, value in game.options.items() if default[id] != value}
    position = replace(position, boxes=game.ruleset.boxes, options=options)
    return _in_order(position_keys(drawn(position, game.board)))


def _in_order(keys: dict[str, Any]) -> dict[str, Any]:
    """The keys as the corpus has them: what is rarely there comes last."""
    position, turn = keys["position"], keys["turn"]
    late = [player for player, seat in position.items() if {*seat} == {"memory"}]
    for key in late:
        position[key] = position.pop(key)
    turn["round"] = turn.pop("round", 1)
    if "options" in keys:
        keys["options"] = keys.pop("options")
    return keys


def laid(keys: Any) -> tuple[Game, State] | None:
    """The game and state of a position; None if it cannot be laid."""
    position = position_in(MidgameModel.model_validate_json(json.dumps(keys)))
    try:
        laid = laid_or_error(position, cache_of(position, files()))
    except RulesError:
        return None
    return laid.game, laid.state
