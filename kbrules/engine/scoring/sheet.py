"""Gold: every award of every rule and card in play, with the hexes that earned it; who wins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

from kbrules.display import html_of
from kbrules.engine.scoring.awards import LinkedAward, can_pay, linked_award
from kbrules.game.board import Board
from kbrules.game.state import LIMITS, State
from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.typed.core import Award, Rule, Var, Win
from kbrules.library.ruleset import Ruleset
from kbrules.plan.limits import CUT_OFF
from kbrules.plan.plan import Plan


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
    """What one award pays once: to whoever the view is of, with the names its loops bound there."""

    award: Award
    view: View
    gold: int
    hexes: Mask


GoldTable = list[tuple[int, ...]]
"""For each player what each rule pays."""
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
        rules = [o.rule for o in owners if o.card < 0 or o.card in cards]
        self._cards = {o.rule.id: o.card for o in owners if o.card >= 0 and o.card in cards}
        self.rules = [rule for rule in rules if rule.awards]
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

    def gold_by_rule(self, state: State) -> GoldTable:
        """What each rule pays, in the order of `rules`, for each player."""
        views = [self._view(state, player) for player in range(len(state.seats))]
        paid = [tuple([_gold(awards, view) for awards in self._awards]) for view in views]
        if not state.unscored:
            return paid
        counts = [self._counts(rule, state) for rule in self.rules]
        return [tuple(g if c else 0 for g, c in zip(row, counts, strict=True)) for row in paid]

    @cached_property
    def _awards(self) -> list[list[LinkedAward]]:
        """The linked awards of each rule."""
        return [[linked_award(award, self._plan) for award in rule.awards] for rule in self.rules]

    def _view(self, state: State, player: int) -> View:
        return View(self._board, state, player, self._plan, {})

    def totals(self, state: State) -> tuple[int, ...]:
        """The total gold of each player, as if the game ended now."""
        pairs = zip(self.gold_by_rule(state), state.seats, strict=True)
        return tuple([sum(row) + seat.gold for row, seat in pairs])

    def winners(self, state: State, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Who wins with these totals; nobody if no rule says what decides."""
        return leaders(self.win_values(state, totals))

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
        for payment in self.payments(rule, state, player):
            gold += payment.gold
            hexes |= payment.hexes if payment.gold else 0
        return ScoreLine(rule.id, rule.title or rule.id, gold, hexes)

    def payments(self, rule: Rule, state: State, player: int) -> Iterator[Payment]:
        """What makes up a line: each award of a rule, once for each round of its loops."""
        view = self._view(state, player)
        for award in rule.awards if self._counts(rule, state) else ():
            for inner, gold, hexes in linked_award(award, self._plan).rounds(view):
                yield Payment(award, inner, gold, hexes)


def _gold(awards: list[LinkedAward], view: View) -> int:
    """What a rule's awards pay whoever a view is of."""
    return sum([gold for award in awards for _, gold, _ in award.rounds(view)])
