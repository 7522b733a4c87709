"""The preparation of a scenario: its first state, or all that is wrong with its text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, RulesError, quoted
from kbrules.engine.game import Game
from kbrules.game.state import State
from kbrules.library.boxes.box import known_boxes, shipped_boxes, unusable
from kbrules.scenario.names import NameResolver, check_names, unknown_name
from kbrules.scenario.position import build_position
from kbrules.scenario.reader import Scenario, parse_position_file
from kbrules.scenario.setup import (
    MARKED,
    GameSetup,
    RulesetCache,
    RulesetCaches,
    fallback_board,
    set_up_game,
)
from kbrules.text import Source, Span

FEWEST_PLAYERS = 2
_NAME = "position"  # of the text in findings


@dataclass(frozen=True, slots=True, eq=False)
class ScenarioStart:
    """The game of a scenario and the state it begins in."""

    setup: GameSetup
    state: State


def build_start(
    scenario: Scenario, cache: RulesetCache
) -> tuple[ScenarioStart | None, list[Diagnostic]]:
    """The scenario ready to be played, and what is wrong with it that is known without playing."""
    model = scenario.model
    players = model.players or max(cache.ruleset.parts.players[0], FEWEST_PLAYERS)
    resolver = NameResolver(scenario, cache.ruleset, players)
    setup = set_up_game(resolver, cache)
    check_names(resolver, fallback_board(resolver, cache) if setup is None else setup.game.board)
    state = None if setup is None else build_position(setup)
    if state is not None and setup is not None:
        resolver.add(*_unused_marks(setup))
    if resolver.findings or setup is None or state is None:
        return None, resolver.findings
    return ScenarioStart(setup, state), []


def _unused_marks(setup: GameSetup) -> Iterator[Diagnostic]:
    """Hexes marked in a drawing of the scenario's own that no offer means."""
    scenario = setup.resolver.scenario
    model = scenario.model
    expected = [model.expect, *(getattr(step, "expect", None) for step in model.steps)]
    expected += [getattr(each, "reachable", None) for each in expected]
    expected += [getattr(each, "unreachable", None) for each in expected]
    offers = [offer for each in expected if each is not None for offer in each.offered.values()]
    is_own = not scenario.root or "board" in scenario.own_keys
    has_expectations = model.expect is not None or model.steps  # a position by itself has none
    if setup.marked and has_expectations and is_own and "marked" not in offers:
        message = f"hexes are marked {quoted(MARKED)}, but no offer refers to them"
        help = "write `marked` for what a rule offers"
        yield Diagnostic("KB110", scenario.key("board", "drawing"), message, help)


def unknown_boxes(scenario: Scenario) -> list[Diagnostic]:
    """A finding for each box under `with` that does not exist."""
    boxes = scenario.model.boxes
    if {*boxes} <= {*shipped_boxes()}:
        return []
    known = known_boxes()
    return [
        unusable(box) or unknown_name("box", box, known, scenario.span("with", index))
        for index, box in enumerate(boxes)
        if box not in known
    ]


# Positions from a program


def read_position(
    given: str | Mapping[str, Any], folders: Iterable[str | Path] = ()
) -> tuple[Game, State]:
    """The game and the state of a position, written as at the top of a scenario file.

    `given` has the keys `board` and, as far as they are needed, `with`, `players`, `options`,
    `cards`, `position`, `turn` and `unchecked`, as YAML text or as the same values. The rules are
    those of the boxes under `with` and of authors' folders, read again only where files have
    changed. Raises RulesError with every finding, by line and column (for values, of the values
    written as JSON).
    """
    source = Source(_NAME, given if isinstance(given, str) else _as_json(given))
    scenario, findings = parse_position_file(source)
    if scenario is None:
        raise RulesError(findings)
    cache, findings = _new_cache(scenario, tuple(Path(folder) for folder in folders))
    if cache is None:
        raise RulesError(findings)
    return position_of(scenario, cache)


def position_of(scenario: Scenario, cache: RulesetCache) -> tuple[Game, State]:
    """The game and the state in which a scenario starts. RulesError with all that is wrong."""
    start, findings = build_start(scenario, cache)
    if start is None:
        raise RulesError(findings)
    return start.setup.game, start.state


def _as_json(values: object) -> str:
    """Values as JSON, which is YAML too."""
    try:
        if not isinstance(values, Mapping):
            raise _no_value(values)
        return json.dumps(_plain(values), indent=2, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError) as error:  # a number that is none, or values in a ring
        raise _error(f"the values cannot be written: {error}") from error


def _plain(value: object) -> Any:
    """A value as plain lists and tables; RulesError if JSON cannot hold it."""
    if isinstance(value, Mapping):
        return {_key(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise _no_value(value)


def _key(key: object) -> str:
    """A key is text; the digit of a legend may be a number."""
    if isinstance(key, str | int):
        return str(key)
    raise _no_value(key)


def _no_value(value: object) -> RulesError:
    return _error(f"a position has texts, numbers, lists and tables, not {quoted(repr(value))}")


def _error(message: str) -> RulesError:
    return RulesError([Diagnostic("KB403", Span.none(_NAME), message)])


@cache
def _caches() -> RulesetCaches:
    return RulesetCaches()


def _new_cache(
    scenario: Scenario, folders: tuple[Path, ...]
) -> tuple[RulesetCache | None, list[Diagnostic]]:
    """A new cache for the rules of a position: others must not share its board."""
    unknown = unknown_boxes(scenario)
    if unknown:
        return None, unknown
    caches = _caches()
    caches.invalidate()
    shared, findings = caches.cache_for(caches.boxes_for(scenario.model.boxes, folders), folders)
    return (None, list(findings)) if shared is None else (RulesetCache(shared.ruleset), [])
