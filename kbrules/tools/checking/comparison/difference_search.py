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
from kbrules.hex.sets import Address
from kbrules.progress import OnProgress, silent
from kbrules.scenario.position import enter_stage, has_actions
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

CONTINUATIONS = 3  # ways to go on from a position
MAX_MOVES = 3  # moves on each
MAX_CASES = 4  # positions kept for each sort of difference, the least crowded first

MoveSequence = tuple[tuple[Move, Address | None], ...]


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceCase:
    """A position, perhaps with moves, and what differs there."""

    position: PositionData
    difference: Difference


@dataclass(slots=True, eq=False)
class DifferenceSearch:
    """How many positions were looked at, on how many each sort of difference showed, and where.

    skipped: positions that only one of the rule sets can be brought to.
    """

    positions: int = 0
    skipped: int = 0
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    cases: list[DifferenceCase] = field(default_factory=list)

    def note(self, position: PositionData, differing: list[Difference]) -> None:
        """Take note of what differs in a position."""
        for key, difference in {each.key: each for each in reversed(differing)}.items():
            self.counts[key] += 1
            self.cases.append(DifferenceCase(position, difference))
            same_kind = [case for case in self.cases if case.difference.key == key]
            if len(same_kind) > MAX_CASES:
                self.cases.remove(max(same_kind, key=lambda case: case.position.size))


def find_differences(
    old: RulesVersion,
    new: RulesVersion,
    changes: RuleChanges,
    count: int,
    seed: int,
    on_progress: OnProgress = silent,
) -> DifferenceSearch:
    """What differs on `count` positions of the tables that both rule sets can lay."""
    search = DifferenceSearch()
    cards = changes.cards(old.ruleset, new.ruleset)
    tiles = changes.tiles(old.ruleset, new.ruleset)
    for sample in samples(old.ruleset, count, seed, cards, tiles=tiles):
        on_progress(search.positions, count, "positions")
        search.positions += 1
        pair = _pair(old, new, sample, changes.contents_differ)
        if pair is None:
            search.skipped += 1
            continue
        position = position_data(*pair.old, sector=old.ruleset.parts.section_size)
        search.note(position, differences(pair))
        for moves, differing in _continuations(pair, Random(sample.seed, "ways"), changes.ids):
            search.note(replace(position, moves=moves), differing)
    on_progress(search.positions, count, "positions")
    return search


def _pair(
    old: RulesVersion, new: RulesVersion, sample: Sample, contents_differ: bool
) -> PositionPair | None:
    """A sampled position under both rules, somebody being at their actions."""
    if (sample.state.is_over and sample.kind == PLAYED) or not has_actions(old.ruleset):
        state = sample.state
    else:
        draft = draft_of(sample.state)
        enter_stage(draft, old.ruleset, "actions", max(0, sample.state.active))
        state = sample.game.run_to_decision(draft)
    if contents_differ:
        return pair_of(position_data(sample.game, state, old.ruleset.parts.section_size), old, new)
    try:
        game = game_at(new.ruleset, sample.table)
    except (SetupError, KeyError):
        return None
    return PositionPair((sample.game, state), (game, _under_rules(game, state)))


def _under_rules(game: Game, state: State) -> State:
    """The same position under other rules about the same things."""
    draft = draft_of(state)
    if has_actions(game.ruleset) and not state.is_over:
        enter_stage(draft, game.ruleset, "actions", max(0, state.active))
        known = {path for path in state.used if path in game.plan.offers}
        draft.used = tuple(path for path in state.used if path in known)
    return game.run_to_decision(draft)


def pair_of(position: PositionData, old: RulesVersion, new: RulesVersion) -> PositionPair | None:
    """A position set up by both rule sets, its moves made; None if one of them cannot."""
    before, after = (prepare_position(position, version.cache) for version in (old, new))
    if before is None or after is None or before.game.board.kinds != after.game.board.kinds:
        return None
    pair = PositionPair((before.game, before.state), (after.game, after.state))
    for move in before.moves:
        if move not in common_moves(pair):
            return None
        pair = after_move(pair, move)[0]
    return pair


def _continuations(
    pair: PositionPair, random: Random, preferred: Sequence[str]
) -> Iterator[tuple[MoveSequence, list[Difference]]]:
    """A few ways to go on, each up to where the two part; by changed rules if they offer any."""
    if differences(pair):
        return
    for _ in range(CONTINUATIONS):
        current, made = pair, MoveSequence()
        for _ in range(MAX_MOVES):
            moves = common_moves(current)
            if not moves:
                break
            move = random.choice([m for m in moves if m.rule in preferred] or moves)
            at = current.old[0].board.grid.address(move.hex) if move.hex >= 0 else None
            made = (*made, (move, at))
            current, differing = after_move(current, move)
            differing = differing or differences(current)
            if differing:
                yield made, differing
                break
