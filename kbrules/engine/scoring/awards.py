"""Awards linked for one plan: what one pays, the hexes that earned it, whether it can pay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.evaluation.nodes import WORK, Node
from kbrules.lang.typed.core import Award, Call, Expr, Lit, Rule
from kbrules.lang.typed.sorts import Sort
from kbrules.library.ruleset import IN_PLAY
from kbrules.plan.plan import Plan
from kbrules.primitives.operators import bounded

_AND = "and(truth,truth)"

AwardRound = tuple[View, int, Mask]
"""A view with the names that loops bound, the gold paid to whom it is of, what earned it."""


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
        paid = [self._pay(inner) for inner in self._loop_views(view)]
        if self._watch is not None:
            for _, gold, _ in paid:
                self._watch.record(self.award, gold != 0)
        return paid

    def _loop_views(self, view: View) -> list[View]:
        views = [view]
        for name, domain, guard in self._loops:
            inner = [v.bound(name, item) for v in views for item in _items(domain.value(v))]
            views = [v for v in inner if guard is None or guard.value(v)]
        return views

    def _pay(self, view: View) -> AwardRound:
        domain = self._domain
        if domain is None:
            return self._pay_once(view)
        if not self._is_ranked(view):
            return view, 0, 0
        items = domain.value(view)
        if isinstance(items, int):
            return self._pay_per_hex(view, items)
        return self._pay_per_item(view, items)

    def _pay_per_hex(self, view: View, hexes: Mask) -> AwardRound:
        items = hexes.bit_count() if self._guard is None or self._guard.value(view) else 0
        if not items:
            return view, 0, 0
        gold = bounded(self._amount.value(view)) * (items // self.award.every)
        return view, gold, _evidence(hexes, view)

    def _pay_per_item(self, view: View, items: Sequence[int]) -> AwardRound:
        """Items are counted one by one if there is a condition: it asks each of them."""
        chosen = [*items] if self._guard is None else self._counted(self._guard, view, items)
        if not chosen:
            return view, 0, 0
        gold = bounded(self._amount.value(view)) * (len(chosen) // self.award.every)
        assert self.award.domain is not None
        is_groups = self.award.domain.sort is Sort.GROUPS
        return view, gold, _evidence(_union(chosen), view) if is_groups else 0

    def _counted(self, guard: Node, view: View, items: Sequence[int]) -> list[int]:
        inner = view.bind_each(self.award.variable, items)
        return [
            item for item, item_view in zip(items, inner, strict=True) if guard.value(item_view)
        ]

    def _pay_once(self, view: View) -> AwardRound:
        view.counted_sets = []
        amount = bounded(self._amount.value(view))
        if not self._is_ranked(view):
            amount = 0
        if self._guard is not None and not self._guard.value(view):
            amount = 0
        witness, view.counted_sets = _union(view.counted_sets), None
        return view, amount, _evidence(witness, view)

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
        return 1 + len({more for other in others if (more := by.value(other)) > value})


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


def _evidence(hexes: Mask, view: View) -> Mask:
    """Of rows and the like, only the player's own hexes; other hexes as they are."""
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
