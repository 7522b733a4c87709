"""Looking for differences: on sampled positions, and a few moves further from each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError, game_at
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.hex.layout import Address
from kbrules.scenario.setup.position_edits import enter_stage, has_actions
from kbrules.tools.checking.comparison.differences import (
    Difference,
    PositionPair,
    after_move,
    common_moves,
    differences,
)
from kbrules.tools.checking.comparison.rule_changes import RuleChanges
from kbrules.tools.checking.comparison.versions import RulesVersion
from kbrules.tools.checking.sampling import PLAYED, Sample, samples
from kbrules.tools.checking.shrinking.position import PositionData, position_data
from kbrules.tools.checking.shrinking.scenario_text import prepare_position

__all__ = ["DifferenceCase", "DifferenceSearch", "find_differences", "pair_of"]

TRIES = 3  # ways to go on from a position
DEPTH = 3  # moves on each
KEPT = 4  # positions kept for each sort of difference, the least crowded first

Way = tuple[tuple[Move, Address | None], ...]


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceCase:
    """A position, perhaps with moves, and what differs there."""

    pose: PositionData
    difference: Difference


@dataclass(slots=True, eq=False)
class DifferenceSearch:
    """How many positions were looked at, on how many each sort of difference showed, and where.

    skipped: positions that only one of the rule sets can be brought to.
    """

    looked: int = 0
    skipped: int = 0
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    cases: list[DifferenceCase] = field(default_factory=list)

    def note(self, pose: PositionData, found: list[Difference]) -> None:
        """Take note of what differs in a position."""
        for key, difference in {each.key: each for each in reversed(found)}.items():
            self.counts[key] += 1
            self.cases.append(DifferenceCase(pose, difference))
            alike = [case for case in self.cases if case.difference.key == key]
            if len(alike) > KEPT:
                self.cases.remove(max(alike, key=lambda case: case.pose.size))


def find_differences(
    old: RulesVersion, new: RulesVersion, what: RuleChanges, count: int, seed: int
) -> DifferenceSearch:
    """What differs on `count` positions of the tables that both rule sets can lay."""
    found = DifferenceSearch()
    cards = what.cards(old.ruleset, new.ruleset)
    tiles = what.tiles(old.ruleset, new.ruleset)
    for sample in samples(old.ruleset, count, seed, cards, tiles=tiles):
        found.looked += 1
        pair = _pair(old, new, sample, what.things)
        if pair is None:
            found.skipped += 1
            continue
        pose = position_data(*pair.old, sector=old.ruleset.parts.section_size)
        found.note(pose, differences(pair))
        for way, differing in _further(pair, Random(sample.seed, "ways"), what.ids):
            found.note(replace(pose, moves=way), differing)
    return found


def _pair(
    old: RulesVersion, new: RulesVersion, sample: Sample, is_other: bool
) -> PositionPair | None:
    """A sampled position under both rules, somebody being at their actions."""
    if (sample.state.is_over and sample.kind == PLAYED) or not has_actions(old.ruleset):
        state = sample.state
    else:
        draft = draft_of(sample.state)
        enter_stage(draft, old.ruleset, "actions", max(0, sample.state.active))
        state = sample.game.run_to_decision(draft)
    if is_other:
        return pair_of(position_data(sample.game, state, old.ruleset.parts.section_size), old, new)
    try:
        game = game_at(new.ruleset, sample.table)
    except (SetupError, KeyError):
        return None
    return PositionPair((sample.game, state), (game, _settled(game, state)))


def _settled(game: Game, state: State) -> State:
    """The same position under other rules about the same things."""
    draft = draft_of(state)
    if has_actions(game.ruleset) and not state.is_over:
        enter_stage(draft, game.ruleset, "actions", max(0, state.active))
        known = {path for path in state.used if path in game.plan.offers}
        draft.used = tuple(path for path in state.used if path in known)
    return game.run_to_decision(draft)


def pair_of(pose: PositionData, old: RulesVersion, new: RulesVersion) -> PositionPair | None:
    """A position laid out by both rule sets, its moves made; None if one of them cannot."""
    one, two = prepare_position(pose, old.cache), prepare_position(pose, new.cache)
    if one is None or two is None or one.game.board.kinds != two.game.board.kinds:
        return None
    pair = PositionPair((one.game, one.state), (two.game, two.state))
    for move in one.moves:
        if move not in common_moves(pair):
            return None
        pair = after_move(pair, move)[0]
    return pair


def _further(
    pair: PositionPair, random: Random, wanted: Sequence[str]
) -> Iterator[tuple[Way, list[Difference]]]:
    """A few ways to go on, each up to where the two part; by changed rules if they offer any."""
    if differences(pair):
        return
    for _ in range(TRIES):
        here, way = pair, Way()
        for _ in range(DEPTH):
            moves = common_moves(here)
            if not moves:
                break
            move = random.choice([m for m in moves if m.rule in wanted] or moves)
            at = here.old[0].board.grid.address(move.hex) if move.hex >= 0 else None
            way = (*way, (move, at))
            here, otherwise = after_move(here, move)
            otherwise = otherwise or differences(here)
            if otherwise:
                yield way, otherwise
                break
