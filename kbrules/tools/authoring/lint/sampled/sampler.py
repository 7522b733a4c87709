"""Looking at sampled positions: everything that lints want to know of them, in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError
from kbrules.game.random import Random
from kbrules.game.state import READY, State, Tile, draft_of
from kbrules.lang.evaluation import WORK, OutOfWork
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule, Step
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress
from kbrules.scenario.position import add_tile
from kbrules.tools.authoring.lint.sampled.action_sampler import ActionSampler
from kbrules.tools.authoring.lint.sampled.evidence import proven_rules
from kbrules.tools.authoring.lint.sampled.lint_trace import LintTrace
from kbrules.tools.authoring.lint.sampled.pay_sampler import PaySampler
from kbrules.tools.authoring.lint.sampled.places import in_force, options_in
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.checking.sampling import PLAYED, SCATTERED, Budget, Sample, samples

MIN_SAMPLES = 25
"""How often a clause is evaluated before it is blamed for always having the same value."""
_POSITIONS_PER_GAME = 8  # positions: as many as are taken from one game
_END = "end_game"
MAX_MOVES = 1_200  # moves of a game; the longest of all boxes have half as many
_MAX_LIMITED_TURNS = 8  # turns in which rules ran into a limit; more of them show nothing new
MAX_WORK = 2_500_000  # steps of expressions in all, beside those for each file
MAX_WORK_PER_FILE = 350_000  # as much more for each; all boxes together take four fifths of it
MAX_WORK_OF_FILES = 12_000_000  # for however many files
MAX_EVENTS = 60_000  # events of all games; those of all boxes together come to a third of it
_FREE_NORMS = 20
_EVENTS_PER_NORM = 150  # events that cost as much as one norm more in a game that is made
_OPENING_MOVES = 20  # moves from the beginning of each game that are watched
_FURTHER_MOVES = 12  # moves that are played on from a scattered position


@dataclass(slots=True, eq=False)
class SampleStatistics:
    """What was seen of the selected rules, on how many positions.

    endless: how many of the games ended only because no game goes on for ever. is_stopped: whether
    more happened in them than is looked at; is_out_of_work: whether more had to be worked out
    than max_work.
    proven: the rules whose own examples hold.
    """

    ruleset: Ruleset
    rules: tuple[Rule, ...]
    options: tuple[str, ...]
    trace: LintTrace
    actions: ActionSampler
    pay: PaySampler
    max_work: int
    positions: int = 0
    games: int = 0
    endless: int = 0
    is_stopped: bool = False
    is_out_of_work: bool = False
    proven: set[str] = field(default_factory=set)

    @property
    def claim(self) -> str:
        """The confidence of findings about them."""
        return f"sampled {self.positions}"

    @contextmanager
    def within_work(self) -> Iterator[None]:
        """Leave a block once it has done as much work as may be, and note that."""
        try:
            with WORK.limited(self.max_work):
                yield
        except OutOfWork:
            self.is_stopped = self.is_out_of_work = True


def sample_statistics(subject: Subject) -> SampleStatistics:
    """Look at as many positions as are wanted, from play and scattered, and play on from them."""
    ruleset, rules = subject.ruleset, in_force(subject)
    trace = LintTrace(subject.is_selected)
    options = tuple(sorted(options_of(subject)))
    statistics = SampleStatistics(
        ruleset,
        rules,
        options,
        trace,
        ActionSampler(ruleset, rules),
        PaySampler(ruleset, rules),
        max_work_of(len(subject.sources)),
    )
    with statistics.within_work():
        _look(statistics, subject)
    return statistics


def max_work_of(files: int) -> int:
    """How many steps of expressions are done for some files; a single one is no long wait."""
    return min(MAX_WORK + files * MAX_WORK_PER_FILE, MAX_WORK_OF_FILES)


def _look(statistics: SampleStatistics, subject: Subject) -> None:
    """Fill the statistics, at most until the work allowed for it is done."""
    if statistics.rules:
        _Sampler(statistics, subject.samples, subject.check_cancelled, subject.on_progress).run()
        statistics.proven = proven_rules(subject, statistics.trace)


def options_of(subject: Subject) -> set[str]:
    """The options that are declared in the files, or that rules in them speak of."""
    options = {each.name.text for each in subject.declarations if isinstance(each, tree.Option)}
    for rule in in_force(subject):
        options |= options_in(rule)
    return options


def _norm_cost(ruleset: Ruleset) -> int:
    """What the norms above those of a usual box cost where a game is made: every step asks them."""
    norms = sum(len(owned.rule.norms) for owned in ruleset.owners.values())
    return max(0, norms - _FREE_NORMS) * _EVENTS_PER_NORM


@dataclass(slots=True)
class _Sampler:
    """One look at a rule set; nothing in it depends on anything but rules and numbers."""

    statistics: SampleStatistics
    count: int
    check_cancelled: Callable[[], None]
    on_progress: OnProgress
    _last: Sample | None = field(default=None, init=False)
    _budget: Budget = field(default_factory=lambda: Budget(MAX_EVENTS), init=False)
    _can_end: bool = field(init=False)

    def __post_init__(self) -> None:
        blocks = self.statistics.ruleset.blocks.values()
        steps = (step for block in blocks for step in block.steps)
        # A game that a step ends at once looks like one that was given up.
        self._can_end = any(isinstance(s, Step) and s.name == _END for s in steps)

    def run(self) -> None:
        """Look at every sample; at few where rules run into limits, for each takes long.

        After a game without an end there is no other.
        """
        self._tell()
        try:
            self._sample_all()
        except SetupError:
            return  # no table can be laid from these boxes, so that nothing is sampled
        self.statistics.is_stopped = self._budget.is_spent

    def _sample_all(self) -> None:
        for sample in self._samples():
            self.check_cancelled()
            if self.statistics.actions.limited_turns >= _MAX_LIMITED_TURNS:
                return
            self._count_games(sample)
            if self.statistics.endless:
                return
            self.statistics.positions += 1
            self._sample(sample)
            self._tell()

    def _tell(self) -> None:
        self.on_progress(self.statistics.positions, self.count, "positions")

    def _samples(self) -> Iterator[Sample]:
        """Positions with all selected cards on the table, by turns with other options."""
        ruleset, trace = self.statistics.ruleset, self.statistics.trace
        cards = [rule.id for rule in self.statistics.rules if rule.id in ruleset.catalog.cards]
        for seed in range(-(-self.count // _POSITIONS_PER_GAME)):
            self._budget.left -= _norm_cost(ruleset)
            options = self._options(seed)
            count = min(_POSITIONS_PER_GAME, self.count - seed * _POSITIONS_PER_GAME)
            batch = samples(
                ruleset,
                count,
                seed,
                cards,
                options,
                trace,
                max_moves=MAX_MOVES,
                budget=self._budget,
            )
            yield from batch
            if self._budget.is_spent:
                return

    def _options(self, seed: int) -> dict[str, bool | int]:
        """On every second table some of the selected options have the other value."""
        random, defaults = Random(seed, "options"), self.statistics.ruleset.options
        candidates = [id for id in self.statistics.options if isinstance(defaults[id], bool)]
        if not candidates or not seed % 2:
            return {}
        chosen = random.sample(candidates, 1 + random.below(len(candidates)))
        return {id: not defaults[id] for id in chosen}

    def _count_games(self, sample: Sample) -> None:
        """Whether the game before came to an end is known once the next begins."""
        last = self._last
        if last is not None and last.seed != sample.seed:
            self.statistics.games += 1
            self.statistics.endless += not (
                last.state.is_over and (last.state.ending or self._can_end)
            )
            self._last = None
        if self._last is None:
            game = sample.game
            start = game.start()
            self.statistics.actions.play_on(
                game, start, _OPENING_MOVES, Random(sample.seed, "looking")
            )
        if sample.kind == PLAYED:
            self._last = sample

    def _sample(self, sample: Sample) -> None:
        game, random = sample.game, Random(self.statistics.positions, "looking")
        self.statistics.pay.sample(game, sample.state)
        if sample.kind == SCATTERED:
            start = self._with_tiles(game, sample.state, random)
            self.statistics.actions.play_on(game, start, _FURTHER_MOVES, random)

    def _with_tiles(self, game: Game, state: State, random: Random) -> State:
        """The state with selected tiles in hand, so that they can be used."""
        tiles, board = self.statistics.actions.tiles, game.board
        if not tiles or state.is_over:
            return state
        draft = draft_of(state)
        for kind in random.sample(tiles, min(2, len(tiles))):
            off_board = [board.grid.full.bit_length()]
            origins = [hex for hex, tile in board.tiles.items() if tile == kind] or off_board
            add_tile(draft, state.active, Tile(kind, random.choice(origins), READY))
        return game.run_to_decision(draft)
