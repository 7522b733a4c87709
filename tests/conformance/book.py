"""The rules and tables of the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.engine.game import Game
from kbrules.game.moves import MoveSet
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.scenario.models import MidgameModel
from kbrules.scenario.position import cache_of, laid_or_error
from kbrules.scenario.reader import position_in
from kbrules.scenario.setup import RulesetCaches
from kbrules.tools.conform.models import ConformanceFile
from kbrules.tools.conform.run import legal
from kbrules.tools.sampling import position_data, position_keys

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
def caches() -> RulesetCaches:
    """One for all that is recorded in a process."""
    return RulesetCaches()


def written(game: Game, state: State, sector: tuple[int, int] | None = None) -> Any:
    """The keys of a position that is laid out as this very state; None if none is."""
    if state.stage[0] != "turn":
        return None
    try:
        keys = _keys(game, state, sector)
        found = laid(keys)
        if found is not None:
            _remember(game, state, found[1], keys)
            found = laid(keys)
    except (RulesError, ValueError, KeyError, IndexError):
        return None
    return keys if found is not None and _is_same(game, state, *found) else None


def laid(keys: Any) -> tuple[Game, State] | None:
    """The game and state of a position; None if it cannot be laid."""
    position = position_in(MidgameModel.model_validate_json(json.dumps(keys)))
    try:
        laid = laid_or_error(position, cache_of(position, caches()))
    except RulesError:
        return None
    return laid.game, laid.state


def _keys(game: Game, state: State, sector: tuple[int, int] | None) -> Any:
    pose = position_data(game, state, sector)
    keys = position_keys(pose, game.ruleset.catalog, game.ruleset.boxes)
    names = [game.ruleset.catalog.card_name(i) for i in range(len(game.ruleset.catalog.deck))]
    position = keys["position"]
    if names:
        for pile, counts in zip(("deck", "discards"), state.piles, strict=False):
            position[pile] = {n: c for n, c in zip(names, counts, strict=True) if c}
    keys["turn"]["round"] = state.stage[1] // len(state.seats) + 1
    if game.ruleset.options:
        default = game.ruleset.options
        given = {k: v for k, v in game.options.items() if default.get(k) != v}
        keys.pop("options", None)
        if given:
            keys["options"] = {k: v if not isinstance(v, bool) else ("no", "yes")[v]
                               for k, v in given.items()}  # fmt: skip
    return keys


def _remember(game: Game, state: State, other: State, keys: Any) -> None:
    """Write the memories that do not follow from the pieces."""
    for name, (scope, slot) in game.ruleset.memories.items():
        if scope == "table":
            if state.memory[slot] != other.memory[slot]:
                table = keys["position"].setdefault("memory", {})
                table[name] = _value(game, state.memory[slot])
        elif scope == "player":
            for player, seat in enumerate(state.seats):
                if seat.memory[slot] != other.seats[player].memory[slot]:
                    mine = keys["position"].setdefault(LETTERS[player], {})
                    value = _value(game, seat.memory[slot])
                    mine.setdefault("memory", {})[name] = value


def _value(game: Game, value: int) -> Any:
    """Small numbers as they are; sets of hexes by their names."""
    return value if value < 100 else [game.board.grid.name(hex) for hex in bits(value)]


def _is_same(game: Game, state: State, other: Game, there: State) -> bool:
    same_facts = state.facts_hash() == there.facts_hash()
    return same_facts and legal(game, state) == legal(other, there)
