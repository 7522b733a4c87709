"""Looking at sampled positions: everything that lints want to know of them, in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from math import gcd
from pathlib import Path
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.scoring import Scoring
from kbrules.engine.setup import SetupError
from kbrules.game.events import CutOff, Event
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import READY, State, Tile, draft_of
from kbrules.game.view import triggers_of
from kbrules.lang.checker.expressions import CostModel, size_of
from kbrules.lang.evaluation import WORK, Node, OutOfWork, fold_constants, known_key_of
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Award, Call, Expr, Norm, Rule, Sort, Step, all_in, parts_of
from kbrules.library.reading import author_folder, data_root, is_shipped
from kbrules.library.ruleset import Offer, Ruleset
from kbrules.plan.plan import Linker
from kbrules.primitives.vocabulary import step_words
from kbrules.project.project import Project
from kbrules.scenario import example_lines, reader, running
from kbrules.scenario.examples import RuleExample, examples_of
from kbrules.scenario.position import add_tile
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Span
from kbrules.tools import tracing
from kbrules.tools.lint.boards import in_force, options_in
from kbrules.tools.lint.subject import Subject
from kbrules.tools.sampling import PLAYED, SCATTERED, Budget, Sample, samples

# The trace of the sampled lints: what of each expression ever mattered in some files.
#
# The rules of the selected files are traced, all others run as they always do. An
# expression of which nothing more can be learned runs as the others do from then on.

_LINKING_WORK = 10  # steps of expressions that take as long as linking one to be traced


class LintTrace(tracing.Trace):
    """Links rules so that what stands in some files is traced, in all games alike."""

    evaluates_all = True

    def __init__(self, is_selected: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_selected = is_selected
        self._linkers: dict[int, tuple[Ruleset, Linker]] = {}

    def __call__(self, ruleset: Ruleset) -> Linker:
        """A linker for one rule set."""
        if id(ruleset) not in self._linkers:
            self._linkers[id(ruleset)] = ruleset, self._new_linker(ruleset)
        return self._linkers[id(ruleset)][1]

    def _new_linker(self, ruleset: Ruleset) -> Linker:
        """Return a linker that links an expression once for all plans that know the same of it."""
        linker, nodes = tracing.TracingLinker(ruleset, self), dict[Any, Node]()
        questions: dict[int, tuple[Expr, list[str]]] = {}

        def link(expr: Expr, known: Mapping[str, Any]) -> Node:
            if id(expr) not in questions:
                questions[id(expr)] = expr, [*map(known_key_of, all_in(expr, Call))]
            key = id(expr), *map(known.get, questions[id(expr)][1])
            if key not in nodes:
                folded = fold_constants(expr, known, ruleset.evaluate.implementations)
                nodes[key] = self._linked(folded, linker, ruleset.evaluate.linked(folded))
            return nodes[key]

        return link

    def _linked(self, expr: Expr, linker: tracing.TracingLinker, untraced: Node) -> Node:
        """Return the node that traces an expression as long as there is more to learn of it."""
        if not self._concerns(expr):
            return untraced
        evaluator = linker.evaluator({})
        node = evaluator.linked(expr)
        WORK.steps += _LINKING_WORK * len(evaluator.expressions)
        WORK.check()
        if node.is_constant:
            return node
        checks = [*_completion_checks(evaluator)]
        return tracing.TemporarilyTracedNode(node, checks, untraced)

    def _concerns(self, expr: Expr) -> bool:
        return self.selects(expr.span) or any(map(self._concerns, parts_of(expr)))

    def selects(self, span: Span) -> bool:
        """Whether a text stands in a selected file."""
        return self._is_selected(span.source.name)

    def norm(self, kind: str, norm: Norm | None) -> tracing.EvaluationRecord | None:
        """What a norm does beside others is of interest, not what its own hexes are."""
        return None if kind == tracing.ALONE else super().norm(kind, norm)


def _completion_checks(evaluator: tracing.TracingEvaluator) -> list[Callable[[], bool]]:
    """For each record whether nothing that is still to come could matter to it."""
    expressions = [
        partial(_is_complete, record, expr.sort is Sort.TRUTH)
        for expr, record in evaluator.expressions
    ]
    norms = [partial(_is_complete, record, False) for record in evaluator.norms]
    return [
        *expressions,
        *norms,
        *(partial(getattr, each, "is_settled") for each in evaluator.operands),
    ]


def _is_complete(record: tracing.EvaluationRecord, is_truth: bool) -> bool:
    """Whether it was true or not empty once and, if it is a truth, false as well."""
    return record.yes and (record.no or not is_truth)


# Samples of offers: what players may do at positions, and what it changes.


@dataclass(slots=True, eq=False)
class SampledOffer:
    """An action: how often a player was free to use it, and could begin it."""

    offer: Offer
    ready: int = 0
    offered: int = 0


class ActionSampler:
    """Plays on from positions, mostly what some rules offer, and counts what happens."""

    def __init__(self, ruleset: Ruleset, rules: tuple[Rule, ...]) -> None:
        self._ruleset = ruleset
        self._ids = {rule.id for rule in rules}
        offers = [offer for offer in ruleset.offers() if offer.owner.rule.id in self._ids]
        self.offers = {offer.path: SampledOffer(offer) for offer in offers}
        self.tiles = sorted({o.owner.tile for o in offers if o.owner.tile >= 0})
        self.trigger_counts: Counter[str] = Counter()
        self.limit_counts: Counter[tuple[str, str]] = Counter()
        """How often which limit stopped which rule."""

    @property
    def limited_turns(self) -> int:
        """In how many turns rules ran into a limit; a redraw stops before it does anything."""
        return sum(turns for (limit, _), turns in self.limit_counts.items() if limit != "redraw")

    def play_on(self, game: Game, state: State, moves: int, random: Random) -> State:
        """The state after a few moves more; all are counted."""
        for _ in range(moves):
            legal = game.legal_moves(state)
            if not legal:
                break
            self._count_offers(state, legal)
            transition = game.play(state, self._choose_move(legal, random))
            for event in transition.events:
                self._count_event(event)
            state = transition.state
        return state

    def _choose_move(self, moves: MoveSet, random: Random) -> Move:
        preferred = [group for group in moves.groups if group.rule in self._ids]
        others = [group for group in moves.groups if group.verb not in ("end", "stop")]
        for groups in (preferred, others):
            if moves.player != CHANCE and groups and random.below(3):
                return random.choice(random.choice(groups).moves())
        return moves.sample(random)

    def _count_offers(self, state: State, moves: MoveSet) -> None:
        """Count what is offered, and what might be."""
        if moves.player == CHANCE:
            return
        for path in {group.path for group in moves.groups} & self.offers.keys():
            self.offers[path].offered += 1
        frame = state.stack[-1]
        block = self._ruleset.blocks.get(frame.block)  # there is none for a reaction
        step = None if block is None else block.steps[frame.pc]
        if isinstance(step, Step) and step_words()[step.name].is_offers:
            tiles = state.seats[frame.me].tiles
            ready = {tile.kind for tile in tiles if tile.status == READY}
            for path, sampled in self.offers.items():
                tile = sampled.offer.owner.tile
                sampled.ready += tile in ready or (tile < 0 and path not in state.used)

    def _count_event(self, event: Event) -> None:
        if isinstance(event, CutOff):
            self.limit_counts[event.limit, event.rule] += 1
        self.trigger_counts.update(triggers_of(type(event)))


# What cards pay at sampled positions, and which of them always paid a multiple of each other.

MAX_PAY_WORK = 20_000  # steps of asking at one position; of more, some positions are left out
_AWARD = 50  # steps, beside those of its expressions
_MAX_INTERVAL = 20  # positions of which one is looked at, so that there are enough of them

Payments = Sequence[int]
"""What a card paid each player at a position."""


@dataclass(slots=True, eq=False)
class CardPay:
    """What one rule paid: how often it was evaluated for a player, how often it paid, to whom.

    times_negative: how often it took gold away.
    """

    rule: Rule
    samples: int = 0
    times_paid: int = 0
    times_negative: int = 0
    differed: bool = False

    def add(self, payments: Payments) -> None:
        """Note what it paid each player at a position."""
        self.samples += len(payments)
        self.times_paid += sum(gold > 0 for gold in payments)
        self.times_negative += sum(gold < 0 for gold in payments)
        self.differed = self.differed or len(set(payments)) > 1


class EqualPay:
    """Cards that may still always pay alike; those like none of `subjects` are dropped.

    Cards are held in groups of those that are still alike. A position parts each group by what its
    cards paid there, so that a card is compared with no other one.
    """

    def __init__(self, cards: Collection[str], subjects: Collection[str]) -> None:
        self._subjects = frozenset(subjects)
        self._first_payments: dict[str, int] = {}
        self._groups = list(self._with_subjects([list(cards)]))

    @property
    def cards(self) -> Iterator[str]:
        """The cards that may still be like another one."""
        return (card for group in self._groups for card in group)

    def sample(self, payments: Mapping[str, Payments]) -> None:
        """Part the cards by what each of them paid at a position."""
        self._groups = [part for group in self._groups for part in self._split(group, payments)]

    def pairs(self) -> Iterator[tuple[str, str, tuple[int, int]]]:
        """Cards of `subjects`, each with one that it is like, and a pair of what the two paid.

        Of a group of only such cards, the last is reported as the one that another is like.
        """
        for group in self._groups:
            paying_cards = sorted(self._first_payments.keys() & set(group))
            other_card = next((card for card in paying_cards if card not in self._subjects), "")
            for card, next_card in zip_longest(paying_cards, paying_cards[1:], fillvalue=""):
                if card in self._subjects and (other := other_card or next_card):
                    yield card, other, (self._first_payments[card], self._first_payments[other])

    def _split(self, group: list[str], payments: Mapping[str, Payments]) -> Iterator[list[str]]:
        parts: dict[Payments, list[str]] = {}
        for card in group:
            parts.setdefault(self._ratio(card, payments[card]), []).append(card)
        return self._with_subjects(parts.values())

    def _with_subjects(self, groups: Collection[list[str]]) -> Iterator[list[str]]:
        """The groups in which one of `subjects` has company."""
        return (g for g in groups if len(g) > 1 and not self._subjects.isdisjoint(g))

    def _ratio(self, card: str, payments: Payments) -> Payments:
        """What a card paid as a multiple of what it first paid; cards are alike if equal."""
        first = self._first_payments.get(card) or next(filter(None, payments), 0)
        if not first:
            return ()
        self._first_payments[card] = first
        step = gcd(first, *payments) if first > 0 else -gcd(first, *payments)
        return tuple(gold // step for gold in (first, *payments))


class PaySampler:
    """Asks what some rules pay at one position after another, and compares them with all cards."""

    def __init__(self, ruleset: Ruleset, rules: Iterable[Rule]) -> None:
        catalog = ruleset.catalog
        cards = [each.rule for each in ruleset.owners.values() if each.card >= 0]
        scoring_only = {r.id: r for r in cards if r.awards and not r.acts_in_play}
        self._rules = scoring_only
        self.pays = {rule.id: CardPay(rule) for rule in rules if rule.awards}
        self._cards = {id: index for index, id in enumerate(catalog.cards)}
        self.equal_pay = EqualPay(scoring_only, self.pays.keys() & scoring_only.keys())
        rules_by_id = {**scoring_only, **{id: pay.rule for id, pay in self.pays.items()}}
        costs = CostModel()
        work = sum(_work(award, costs) for rule in rules_by_id.values() for award in rule.awards)
        self._interval = min(1 + work // MAX_PAY_WORK, _MAX_INTERVAL)
        self._positions = 0

    def sample(self, game: Game, state: State) -> None:
        """See what is paid at a position; each rule is evaluated once.

        Where asking takes long, only every so manyth position is looked at.
        """
        self._positions += 1
        if self._positions % self._interval:
            return
        scoring = Scoring(game.plan, game.board, self._cards.values())
        absent = self._cards.keys() - game.cards - self._rules.keys()
        played = [pay for pay in self.pays.values() if pay.rule.id not in absent]
        payments = {pay.rule.id: _payments(scoring, pay.rule, state) for pay in played}
        for pay in played:
            pay.add(payments[pay.rule.id])
        for card in self.equal_pay.cards:
            if card not in payments:
                payments[card] = _payments(scoring, self._rules[card], state)
        self.equal_pay.sample(payments)


def _work(award: Award, costs: CostModel) -> int:
    """How long asking one player for an award takes at most, in steps of expressions."""
    parts = (award.amount, award.domain, award.by, award.guard)
    once = sum(costs.cost_of(part).work for part in parts if part is not None)
    for _, domain, _ in award.loops:
        once *= size_of(domain.sort)
    return _AWARD + once


def _payments(scoring: Scoring, rule: Rule, state: State) -> list[int]:
    WORK.steps += _AWARD * len(rule.awards) * len(state.seats)
    WORK.check()
    return [scoring.line(rule, state, player).gold for player in range(len(state.seats))]


# What authors show themselves: their examples and scenarios are positions to look at, too.
#
# Nobody knows the rare case of a card better than whoever wrote it. What an example reaches is
# not blamed, however seldom play reaches it.


def proven_rules(subject: Subject, trace: LintTrace) -> set[str]:
    """The rules of which an example offers or pays, after all examples ran under a trace."""
    cache = RulesetCache(subject.ruleset, trace)
    examples = [each for each in examples_of(cache.ruleset) if subject.concerns(each.rule.span)]
    passed = [each for each in examples if running.Case("", each, cache).run().passed]
    return {each.rule.id for each in passed if _offers_or_pays(each, cache)}


def run_scenarios(subject: Subject, trace: LintTrace) -> None:
    """Run the scenarios beside the files, as far as they need no box that is not loaded."""
    cache, loaded = RulesetCache(subject.ruleset, trace), set(subject.ruleset.boxes)
    files = _files(Path(source.name) for source in subject.sources)
    scenarios = [each for file in files for each in reader.read_scenarios(file)[0]]
    for scenario in scenarios:
        if loaded.issuperset(scenario.model.boxes):
            running.Case("", scenario, cache).run()


def _offers_or_pays(example: RuleExample, cache: RulesetCache) -> bool:
    """Whether an example says that something is offered or paid."""
    lines, _ = example_lines.read_lines(example.example, cache.ruleset.catalog)
    offers = any(not claim.name for claim in lines.offers)
    return offers or any(claim.value > 0 for claim in (*lines.gives, *lines.gains))


def _files(sources: Iterable[Path]) -> list[Path]:
    """The scenario files in the folders of some files; of shipped ones, those of our own tests."""
    own = data_root("rules").parent / "tests" / "scenarios"
    folders = {own if is_shipped(source) else author_folder(source) for source in sources}
    roots = [folder for folder in folders if folder is not None]
    return sorted(file.path for file in Project(roots).files("scenario"))


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


class SampleStatistics:
    """What was seen of the selected rules, on how many positions.

    It looks at as many positions as are wanted, from play and scattered, and plays on from them.
    Nothing in it depends on anything but rules and numbers.

    endless: how many of the games ended only because no game goes on for ever. is_stopped: whether
    more happened in them than is looked at; is_out_of_work: whether more had to be worked out
    than max_work.
    proven: the rules whose own examples hold.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject, self.ruleset, self.rules = subject, subject.ruleset, in_force(subject)
        self.trace = LintTrace(subject.is_selected)
        self.actions = ActionSampler(self.ruleset, self.rules)
        self.pay = PaySampler(self.ruleset, self.rules)
        self.max_work = max_work_of(len(subject.sources))
        self.positions = self.games = self.endless = 0
        self.is_stopped = self.is_out_of_work = False
        self.proven: set[str] = set()
        self._last: Sample | None = None
        self._budget = Budget(MAX_EVENTS, MAX_MOVES)
        steps = (step for block in self.ruleset.blocks.values() for step in block.steps)
        # A game that a step ends at once looks like one that was given up.
        self._can_end = any(isinstance(s, Step) and s.name == _END for s in steps)
        with self.within_work():
            self._look()

    @contextmanager
    def within_work(self) -> Iterator[None]:
        """Leave a block once it has done as much work as may be, and note that."""
        try:
            with WORK.limited(self.max_work):
                yield
        except OutOfWork:
            self.is_stopped = self.is_out_of_work = True

    def _look(self) -> None:
        """Look at every sample; at few where rules run into limits, for each takes long.

        After a game without an end there is no other.
        """
        if not self.rules:
            return
        self._tell()
        with suppress(SetupError):  # no table can be laid from these boxes: nothing is sampled
            self._sample_all()
            self.is_stopped = self._budget.is_spent
        self.proven = proven_rules(self.subject, self.trace)

    def _sample_all(self) -> None:
        for sample in self._samples():
            self.subject.check_cancelled()
            if self.actions.limited_turns >= _MAX_LIMITED_TURNS:
                return
            self._count_games(sample)
            if self.endless:
                return
            self.positions += 1
            self._sample(sample)
            self._tell()

    def _tell(self) -> None:
        self.subject.on_progress(self.positions, self.subject.samples, "positions")

    def _samples(self) -> Iterator[Sample]:
        """Positions with all selected cards on the table, by turns with other options."""
        cards = [rule.id for rule in self.rules if rule.id in self.ruleset.catalog.cards]
        declared = (each.name.text for each in self.subject.nodes(tree.Option))
        choosable = sorted({*declared, *(id for rule in self.rules for id in options_in(rule))})
        norms = sum(len(owned.rule.norms) for owned in self.ruleset.owners.values())
        for seed in range(-(-self.subject.samples // _POSITIONS_PER_GAME)):
            self._budget.left -= max(0, norms - _FREE_NORMS) * _EVENTS_PER_NORM
            count = min(_POSITIONS_PER_GAME, self.subject.samples - seed * _POSITIONS_PER_GAME)
            yield from samples(
                self.ruleset, count, seed, cards, self._options(choosable, seed), self.trace,
                budget=self._budget,
            )  # fmt: skip
            if self._budget.is_spent:
                return

    def _options(self, choosable: Sequence[str], seed: int) -> dict[str, bool | int]:
        """On every second table some of the selected options have the other value."""
        random, defaults = Random(seed, "options"), self.ruleset.options
        candidates = [id for id in choosable if isinstance(defaults[id], bool)]
        if not candidates or not seed % 2:
            return {}
        chosen = random.sample(candidates, 1 + random.below(len(candidates)))
        return {id: not defaults[id] for id in chosen}

    def _count_games(self, sample: Sample) -> None:
        """Whether the game before came to an end is known once the next begins."""
        last = self._last
        if last is not None and last.seed != sample.seed:
            self.games += 1
            self.endless += not (last.state.is_over and (last.state.ending or self._can_end))
            self._last = None
        if self._last is None:
            random = Random(sample.seed, "looking")
            self.actions.play_on(sample.game, sample.game.start(), _OPENING_MOVES, random)
        if sample.kind == PLAYED:
            self._last = sample

    def _sample(self, sample: Sample) -> None:
        game, random = sample.game, Random(self.positions, "looking")
        self.pay.sample(game, sample.state)
        if sample.kind == SCATTERED:
            start = self._with_tiles(game, sample.state, random)
            self.actions.play_on(game, start, _FURTHER_MOVES, random)

    def _with_tiles(self, game: Game, state: State, random: Random) -> State:
        """The state with selected tiles in hand, so that they can be used."""
        tiles, board = self.actions.tiles, game.board
        if not tiles or state.is_over:
            return state
        draft = draft_of(state)
        for kind in random.sample(tiles, min(2, len(tiles))):
            off_board = [board.grid.full.bit_length()]
            origins = [hex for hex, tile in board.tiles.items() if tile == kind] or off_board
            add_tile(draft, state.active, Tile(kind, random.choice(origins), READY))
        return game.run_to_decision(draft)


def max_work_of(files: int) -> int:
    """How many steps of expressions are done for some files; a single one is no long wait."""
    return min(MAX_WORK + files * MAX_WORK_PER_FILE, MAX_WORK_OF_FILES)
