"""Looking at sampled positions: everything that lints want to know of them, in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError
from kbrules.game.random import Random
from kbrules.game.state import READY, State, Tile, draft_of
from kbrules.lang import tree
from kbrules.lang.core import Rule, Step
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.setup.position_edits import add_tile
from kbrules.tools.authoring.lint.sampled.action_sampler import ActionSampler
from kbrules.tools.authoring.lint.sampled.evidence import shown
from kbrules.tools.authoring.lint.sampled.lint_trace import LintTrace
from kbrules.tools.authoring.lint.sampled.pay_sampler import PaySampler
from kbrules.tools.authoring.lint.sampled.places import in_force, options_in
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.checking.sampling import PLAYED, STREWN, Budget, Sample, samples

__all__ = ["FEW", "SampleStatistics", "sample_statistics"]

FEW = 25
"""How often a thing must have been asked before it is blamed for always answering the same."""
_PER_TABLE = 8  # positions: as many as are taken from one game
_END = "end_game"
LONGEST = 1_200  # moves of a game; the longest of all boxes have half as many
_CUT_OFF = 8  # turns in which rules ran into a limit; more of them show nothing new
WORK = 60_000  # events of all games; those of all boxes together come to a third of it
_USUAL_NORMS = 20
_PER_NORM = 150  # events that cost as much as one norm more in a game that is made
_FIRST = 20  # moves from the beginning of each game that are watched
_ON = 12  # moves that are played on from a strewn position


@dataclass(slots=True, eq=False)
class SampleStatistics:
    """What was seen of the rules that are asked for, on how many positions.

    endless: how many of the games ended only because no game goes on for ever. is_stopped: whether
    more happened in them than is looked at. shown: the rules whose own examples hold.
    """

    ruleset: Ruleset
    rules: tuple[Rule, ...]
    options: tuple[str, ...]
    trace: LintTrace
    acting: ActionSampler
    cashier: PaySampler
    positions: int = 0
    games: int = 0
    endless: int = 0
    is_stopped: bool = False
    shown: set[str] = field(default_factory=set)

    @property
    def claim(self) -> str:
        """How sure what is said of them is."""
        return f"sampled {self.positions}"


def sample_statistics(subject: Subject) -> SampleStatistics:
    """Look at as many positions as are wanted, from play and strewn, and play on from them."""
    ruleset, rules = subject.ruleset, in_force(subject)
    trace = LintTrace(subject.is_asked)
    options = tuple(sorted(declared(subject)))
    seen = SampleStatistics(
        ruleset, rules, options, trace, ActionSampler(ruleset, rules), PaySampler(ruleset, rules)
    )
    if rules:
        _Sampler(seen, subject.samples, subject.check_cancelled).everything()
        seen.shown = shown(subject, trace)
    return seen


def declared(subject: Subject) -> set[str]:
    """The options that are declared in the files, or that rules in them speak of."""
    found = {each.name.text for each in subject.declarations if isinstance(each, tree.Option)}
    for rule in in_force(subject):
        found |= options_in(rule)
    return found


def _work_of_norms(ruleset: Ruleset) -> int:
    """What the norms above those of a usual box cost where a game is made: every step asks them."""
    norms = sum(len(owned.rule.norms) for owned in ruleset.owners.values())
    return max(0, norms - _USUAL_NORMS) * _PER_NORM


@dataclass(slots=True)
class _Sampler:
    """One look at a rule set; nothing in it depends on anything but rules and numbers."""

    seen: SampleStatistics
    count: int
    check_cancelled: Callable[[], None]
    _last: Sample | None = field(default=None, init=False)
    _budget: Budget = field(default_factory=lambda: Budget(WORK), init=False)
    _can_end: bool = field(init=False)

    def __post_init__(self) -> None:
        blocks = self.seen.ruleset.blocks.values()
        steps = (step for block in blocks for step in block.steps)
        # A game that a step ends at once looks like one that was given up.
        self._can_end = any(isinstance(s, Step) and s.name == _END for s in steps)

    def everything(self) -> None:
        """Look at every sample; at few where rules run into limits, for each takes long.

        After a game without an end there is no other.
        """
        try:
            self._look_at_all()
        except SetupError:
            return  # no table can be laid from these boxes, so that nothing can be said
        self.seen.is_stopped = self._budget.is_spent

    def _look_at_all(self) -> None:
        for sample in self._samples():
            self.check_cancelled()
            if self.seen.acting.exhausted >= _CUT_OFF:
                return
            self._count_games(sample)
            if self.seen.endless:
                return
            self.seen.positions += 1
            self._look(sample)

    def _samples(self) -> Iterator[Sample]:
        """Positions with all cards that are asked for on the table, by turns with other options."""
        ruleset, trace = self.seen.ruleset, self.seen.trace
        cards = [rule.id for rule in self.seen.rules if rule.id in ruleset.catalog.cards]
        for seed in range(-(-self.count // _PER_TABLE)):
            self._budget.left -= _work_of_norms(ruleset)
            options = self._options(seed)
            count = min(_PER_TABLE, self.count - seed * _PER_TABLE)
            found = samples(
                ruleset, count, seed, cards, options, trace, longest=LONGEST, budget=self._budget
            )
            yield from found
            if self._budget.is_spent:
                return

    def _options(self, seed: int) -> dict[str, bool | int]:
        """On every second table some of the options that are asked for say the contrary."""
        random, defaults = Random(seed, "options"), self.seen.ruleset.options
        wanted = [id for id in self.seen.options if isinstance(defaults[id], bool)]
        if not wanted or not seed % 2:
            return {}
        chosen = random.sample(wanted, 1 + random.below(len(wanted)))
        return {id: not defaults[id] for id in chosen}

    def _count_games(self, sample: Sample) -> None:
        """Whether the game before came to an end is known once the next begins."""
        last = self._last
        if last is not None and last.seed != sample.seed:
            self.seen.games += 1
            self.seen.endless += not (last.state.is_over and (last.state.ending or self._can_end))
            self._last = None
        if self._last is None:
            game = sample.game
            begun = game.start()
            self.seen.acting.play_on(game, begun, _FIRST, Random(sample.seed, "looking"))
        if sample.kind == PLAYED:
            self._last = sample

    def _look(self, sample: Sample) -> None:
        game, random = sample.game, Random(self.seen.positions, "looking")
        self.seen.cashier.look(game, sample.state)
        if sample.kind == STREWN:
            begun = self._gifted(game, sample.state, random)
            self.seen.acting.play_on(game, begun, _ON, random)

    def _gifted(self, game: Game, state: State, random: Random) -> State:
        """The state with tiles that are asked for in hand, so that they can be used."""
        tiles, board = self.seen.acting.tiles, game.board
        if not tiles or state.is_over:
            return state
        draft = draft_of(state)
        for kind in random.sample(tiles, min(2, len(tiles))):
            nowhere = [board.grid.full.bit_length()]
            origins = [hex for hex, tile in board.tiles.items() if tile == kind] or nowhere
            add_tile(draft, state.active, Tile(kind, random.choice(origins), READY))
        return game.run_to_decision(draft)
