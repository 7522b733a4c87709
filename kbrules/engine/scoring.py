"""Gold: every award of every rule and card in play, with the hexes that earned it; who wins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from kbrules.game.board import Board
from kbrules.game.state import LIMITS, State
from kbrules.game.view import View
from kbrules.hex.sets import Mask
from kbrules.hooks import html_of
from kbrules.lang.evaluation import WORK, Node
from kbrules.lang.typed import Award, Call, Expr, Lit, Rule, Sort, Var, Win
from kbrules.library.ruleset import IN_PLAY, Ruleset
from kbrules.plan.plan import CUT_OFF, Plan
from kbrules.primitives.operators import bounded

# Awards linked for one plan: what one pays, the hexes that earned it, whether it can pay.

_AND = "and(truth,truth)"

Counted = Mask | Sequence[Any]
"""What an award counted: hexes, or items of another kind."""
AwardRound = tuple[View, int, Mask, Counted]
"""A view with the names that loops bound, the gold paid to whom it is of, what earned it."""


@dataclass(frozen=True, slots=True)
class RankPlace:
    """What a player has of what is ranked, and which place that is, 1 for the most."""

    player: int
    value: int
    place: int
    hexes: Mask


class LinkedAward:
    """An award, its expressions linked for one plan."""

    def __init__(self, award: Award, plan: Plan) -> None:
        def linked(expr: Expr | None) -> Node | None:
            return None if expr is None else plan.link(expr)

        self.award = award
        self._watch = plan.observer
        self._amount = plan.link(award.amount)
        self._domain, self._by, self._guard = map(linked, (award.domain, award.by, award.guard))
        self._loops = [(name, plan.link(of), linked(guard)) for name, of, guard in award.loops]

    def rounds(self, view: View) -> Sequence[AwardRound]:
        """What it pays whoever the view is of, once for each round of its loops."""
        WORK.check()
        views = [view]
        for name, domain, guard in self._loops:
            inner = [v.bound(name, item) for v in views for item in _items(domain.value(v))]
            views = [v for v in inner if guard is None or guard.value(v)]
        paid = [self._pay(each) for each in views]
        if self._watch is not None:
            for _, gold, _, _ in paid:
                self._watch.record(self.award, gold != 0)
        return paid

    def _pay(self, view: View) -> AwardRound:
        domain = self._domain
        if domain is None:
            return self._pay_once(view)
        if not self._is_ranked(view):
            return view, 0, 0, ()
        items = domain.value(view)
        if not isinstance(items, int):
            return self._pay_per_item(view, items)
        if not items or not (self._guard is None or self._guard.value(view)):
            return view, 0, 0, ()
        gold = bounded(self._amount.value(view)) * (items.bit_count() // self.award.every)
        return view, gold, items, items

    def _pay_per_item(self, view: View, items: Sequence[int]) -> AwardRound:
        """Items are counted one by one if there is a condition: it asks each of them."""
        chosen, guard = [*items], self._guard
        if guard is not None:
            views = view.bind_each(self.award.variable, items)
            chosen = [item for item, v in zip(items, views, strict=True) if guard.value(v)]
        if not chosen:
            return view, 0, 0, ()
        gold = bounded(self._amount.value(view)) * (len(chosen) // self.award.every)
        assert self.award.domain is not None
        is_groups = self.award.domain.sort is Sort.GROUPS
        hexes = _union(evidence(item, view) for item in chosen) if is_groups else 0
        return view, gold, hexes, chosen

    def _pay_once(self, view: View) -> AwardRound:
        view.counted_sets = []
        amount = bounded(self._amount.value(view))
        if not self._is_ranked(view):
            amount = 0
        if self._guard is not None and not self._guard.value(view):
            amount = 0
        witness, view.counted_sets = _union(view.counted_sets), None
        return view, amount, evidence(witness, view), ()

    def _is_ranked(self, view: View) -> bool:
        """Whether a player has the rank that is paid, if one is required."""
        return self._by is None or self._rank(self._by, view) == self.award.rank

    def _rank(self, by: Node, view: View) -> int:
        """The rank of a player among all by a value: 1 for the most; equal values share a rank.

        A tie does not use up the places below it (rulebook.md 2.17).
        """
        value = by.value(view)
        others = [view.of(player) for player in range(len(view.state.seats)) if player != view.me]
        for other in others:
            other.counted_sets = None  # what others have earns this player nothing
        return _place(value, map(by.value, others))

    def places(self, view: View) -> list[RankPlace]:
        """What everyone has of what is ranked, the most first; nothing if no rank is paid."""
        if self._by is None:
            return []
        views = [view.of(player) for player in range(len(view.state.seats))]
        for each in views:
            each.counted_sets = []
        values = [self._by.value(each) for each in views]
        found = [
            RankPlace(each.me, value, _place(value, values), _union(each.counted_sets or ()))
            for each, value in zip(views, values, strict=True)
        ]
        return sorted(found, key=lambda each: each.place)


def _place(value: int, values: Iterable[int]) -> int:
    """The place of a value among all: 1 for the most; equal values share a place."""
    return 1 + len({more for more in values if more > value})


def linked_award(award: Award, plan: Plan) -> LinkedAward:
    """An award linked for a plan, once."""
    linked: dict[int, LinkedAward] = plan.derived.setdefault(LinkedAward, {})
    found = linked.get(id(award))
    if found is None:
        found = linked[id(award)] = LinkedAward(award, plan)
    return found


def _items(value: int | tuple[int, ...]) -> tuple[int, ...]:
    """The items of a domain; those of a set of hexes are its hexes, each as a set."""
    if isinstance(value, tuple):
        return value
    return tuple(1 << hex for hex in range(value.bit_length()) if value >> hex & 1)


def _union(sets: Iterable[Mask]) -> Mask:
    found = 0
    for each in sets:
        found |= each
    return found


def evidence(hexes: Mask, view: View) -> Mask:
    """Of a row and the like, only the player's own hexes; other hexes as they are."""
    return hexes & view.mine or hexes


def can_pay(rule: Rule, plan: Plan) -> bool:
    """Whether any award of a rule may pay at the end, as far as options and cards decide it."""
    if plan.ruleset.mentions(rule.awards, IN_PLAY):
        return any(_may_pay(award, plan) for award in rule.awards)
    known: dict[str, bool] = plan.derived.setdefault(can_pay, {})
    if rule.id not in known:
        known[rule.id] = any(_may_pay(award, plan) for award in rule.awards)
    return known[rule.id]


def _may_pay(award: Award, plan: Plan) -> bool:
    direct = (award.guard, award.amount, award.domain)
    looped = (expr for _, domain, guard in award.loops for expr in (domain, guard))
    return not any(_is_zero(plan.folded_with_cards(e)) for e in (*direct, *looped) if e is not None)


def _is_zero(expr: Expr) -> bool:
    """Whether it is known to be false, zero or empty."""
    match expr:
        case Lit(value=value):
            return not value
        case Call(word=word, arguments=arguments) if word == _AND:
            return any(map(_is_zero, arguments))
    return False


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """What one rule or card pays one player, and the hexes that earned it."""

    rule: str
    title: str
    gold: int
    hexes: Mask


@dataclass(frozen=True, slots=True)
class Count:
    """A number that rules keep for players to see: one for each, or a single one of the table."""

    title: str
    values: tuple[int, ...]
    is_shared: bool


@dataclass(frozen=True, slots=True)
class Payment:
    """What one award pays once: to whoever the view is of, with the names its loops bound there.

    counted: the items that it counted, hexes one by one.
    """

    award: Award
    view: View
    gold: int
    hexes: Mask
    counted: tuple[Any, ...]
    places: tuple[RankPlace, ...]


WinValues = tuple[int, ...]
"""What decides who wins, as each player has it; empty if no rule says what decides."""


def leaders(values: WinValues) -> tuple[int, ...]:
    """Who has the most; equals share."""
    best = max(values, default=0)
    return tuple([player for player, value in enumerate(values) if value == best])


def _undecided(totals: tuple[int, ...]) -> WinValues:
    return ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score of all players: lines per player, gold gained in play, totals, winners.

    `judge` answers what decides who wins, given the totals; nobody asks it before the winners.
    `decided_by` is the title of the rule that says what decides; empty if none does. `is_final`
    says whether the game is over. `nonpaying` are the rules that cannot pay at this table.
    `cut_off` says what was cut off in the game by a limit, a sentence each. `counts` are the
    numbers that rules keep for players to see.
    """

    lines: tuple[tuple[ScoreLine, ...], ...]
    gained: tuple[int, ...]
    judge: Callable[[tuple[int, ...]], WinValues] = field(
        default=_undecided, compare=False, repr=False
    )
    decided_by: str = field(default="", compare=False)
    is_final: bool = field(default=True, compare=False)
    nonpaying: frozenset[str] = field(default=frozenset(), compare=False)
    cut_off: tuple[str, ...] = field(default=(), compare=False)
    counts: tuple[Count, ...] = field(default=(), compare=False)

    def _repr_html_(self) -> str | None:
        """The score as a notebook shows it."""
        return html_of(self)

    @property
    def rows(self) -> list[tuple[ScoreLine, ...]]:
        """What is shown of the lines: for each rule that can pay here, its line of each player."""
        rows = zip(*self.lines, strict=True)
        return [lines for lines in rows if lines[0].rule not in self.nonpaying]

    @property
    def totals(self) -> tuple[int, ...]:
        """The total gold of each player."""
        return tuple(
            sum(line.gold for line in lines) + gained
            for lines, gained in zip(self.lines, self.gained, strict=True)
        )

    @property
    def winners(self) -> tuple[int, ...]:
        """Those with the most of what `win by` asks for; equals share. Nobody without `win by`."""
        return leaders(self.win_values)

    @property
    def win_values(self) -> WinValues:
        """What decides who wins, as each player has it; empty without `win by`."""
        return self.judge(self.totals)

    def line(self, rule: str, player: int) -> ScoreLine | None:
        """What one rule or card pays one player."""
        return next((line for line in self.lines[player] if line.rule == rule), None)


def cut_off(state: State) -> tuple[str, ...]:
    """What was cut off by a limit in a game so far, a sentence for each limit that was met."""
    return tuple(CUT_OFF[limit] for bit, limit in enumerate(LIMITS) if state.cut >> bit & 1)


def counts(ruleset: Ruleset, state: State) -> tuple[Count, ...]:
    """The numbers that rules keep for players to see, in the order of their names."""
    found = []
    for name, title in sorted(ruleset.titles.items()):
        scope, slot = ruleset.memories[name]
        own = tuple(seat.memory[slot] for seat in state.seats)
        is_shared = scope == "table"
        found.append(Count(title, (state.memory[slot],) if is_shared else own, is_shared))
    return tuple(found)


class Scoring:
    """Counts the gold of a state."""

    def __init__(self, plan: Plan, board: Board, cards: Collection[int]) -> None:
        self._plan = plan
        self._board = board
        self._evaluate = plan.evaluate
        owners = plan.ruleset.owners.values()
        self.owners = [o for o in owners if o.card < 0 or o.card in cards]
        rules = [owner.rule for owner in self.owners]
        self._cards = {o.rule.id: o.card for o in self.owners if o.card >= 0}
        self.rules = [rule for rule in rules if rule.awards]
        self.ids = tuple(rule.id for rule in self.rules)
        self._winning = [rule for rule in rules if rule.wins]

    def sheet(self, state: State) -> Sheet:
        """The score sheet of a state, as if the game ended now."""
        players = range(len(state.seats))
        lines = tuple(tuple(self.line(rule, state, p) for rule in self.rules) for p in players)
        won = self._winning_rule(state)
        judge = _undecided if won is None else partial(self._win_values, won.wins[0], state)
        decided_by = "" if won is None else won.title or won.id
        gained = tuple(seat.gold for seat in state.seats)
        notes = cut_off(state), counts(self._plan.ruleset, state)
        nonpaying = self.nonpaying | {r.id for r in self.rules if not self._counts(r, state)}
        return Sheet(lines, gained, judge, decided_by, state.is_over, nonpaying, *notes)

    def _counts(self, rule: Rule, state: State) -> bool:
        """Whether a rule is of no card, or of one that counts in a state."""
        card = self._cards.get(rule.id)
        return card is None or not state.unscored >> card & 1

    def _winning_rule(self, state: State) -> Rule | None:
        """The rule that says what decides who wins."""
        return next((rule for rule in self._winning if self._counts(rule, state)), None)

    @cached_property
    def nonpaying(self) -> frozenset[str]:
        """The rules that cannot pay at this table, whatever is played."""
        return frozenset(rule.id for rule in self.rules if not can_pay(rule, self._plan))

    @cached_property
    def _awards(self) -> list[list[LinkedAward]]:
        """The linked awards of each rule."""
        return [[linked_award(award, self._plan) for award in rule.awards] for rule in self.rules]

    def _view(self, state: State, player: int) -> View:
        return View(self._board, state, player, self._plan, {})

    def totals(self, state: State) -> tuple[int, ...]:
        """Return the total gold of each player, as if the game ended now."""
        rules = zip(self.rules, self._awards, strict=True)
        awards = [award for r, each in rules if self._counts(r, state) for award in each]
        views = [self._view(state, player) for player in range(len(state.seats))]
        paid = [[gold for a in awards for _, gold, _, _ in a.rounds(view)] for view in views]
        return tuple([sum(each) + s.gold for each, s in zip(paid, state.seats, strict=True)])

    def win_values(self, state: State, totals: tuple[int, ...]) -> WinValues:
        """What decides who wins, as each player with these totals has it; empty if nothing does."""
        won = self._winning_rule(state)
        return () if won is None else self._win_values(won.wins[0], state, totals)

    def _win_values(self, win: Win, state: State, totals: tuple[int, ...]) -> WinValues:
        """What a victory asks for, as each player has it in a state."""
        if isinstance(win.by, Var) and self._plan.observer is None:  # the gold, as it mostly is
            return totals
        views = (
            View(self._board, state, player, self._plan, {"total": total})
            for player, total in enumerate(totals)
        )
        return tuple(self._evaluate(win.by, view) for view in views)

    def line(self, rule: Rule, state: State, player: int) -> ScoreLine:
        """What a rule pays a player in a state."""
        gold, hexes = 0, 0
        for _, (_, paid, earned, _) in self._rounds(rule, state, player):
            gold += paid
            hexes |= earned if paid else 0
        return ScoreLine(rule.id, rule.title or rule.id, gold, hexes)

    def payments(self, rule: Rule, state: State, player: int) -> Iterator[Payment]:
        """What makes up a line: each award of a rule, once for each round of its loops."""
        for linked, (view, gold, hexes, counted) in self._rounds(rule, state, player):
            items = _items(counted) if isinstance(counted, int) else tuple(counted)
            places = tuple(linked.places(view))
            yield Payment(linked.award, view, gold, hexes, items, places)

    def _rounds(
        self, rule: Rule, state: State, player: int
    ) -> Iterator[tuple[LinkedAward, AwardRound]]:
        view = self._view(state, player)
        for award in rule.awards if self._counts(rule, state) else ():
            linked = linked_award(award, self._plan)
            for each in linked.rounds(view):
                yield linked, each
