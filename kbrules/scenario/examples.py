"""Examples in rule files: a drawing, what the rule offers or pays there, and who wins.

The turn of player `a` stands at its actions, nothing is used, and nothing else is in the way.
A mark `+` is a hex that is offered. A mark `<` is a piece of `a` that is lifted, drawn or not;
then `+` is where it may go. A mark `!` is a hex that is chosen before gold gained is counted. The
digit `1` draws a place with the tile that the example is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.engine.game import Game
from kbrules.game.moves import Move
from kbrules.game.state import READY, State, Tile
from kbrules.hex.masks import Mask, lowest
from kbrules.lang import tree
from kbrules.lang.core import Rule
from kbrules.library.drawn import Drawn
from kbrules.library.positions import Position, read_position
from kbrules.library.ruleset import Ruleset
from kbrules.plan.evaluators import Linking, reference
from kbrules.plan.limits import MOST_FIRINGS
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.scenario.happening import after_choosing, after_drawing, turned_up
from kbrules.scenario.laying import ask, bring_to, has_actions, hold, put, set_up, show
from kbrules.scenario.lines import (
    NO_DRAWING,
    PLAYERS,
    Counts,
    Gives,
    Lines,
    Offers,
    Wins,
    own_tile,
    read_lines,
)
from kbrules.scenario.outcome import Outcome, passed_or_not
from kbrules.scenario.pictures import EARNED, compare, named, picture

__all__ = ["RuleExample", "examples_of", "laid_example", "run_example", "run_examples"]

EXPECTED, LIFTED, CHOSEN = "+", "<", "!"
Findings = list[tuple[Diagnostic, str]]


@dataclass(frozen=True, slots=True)
class RuleExample:
    """An example and the rule it stands in."""

    rule: Rule
    example: tree.Example

    @property
    def title(self) -> str:
        """The rule, and what the example is called."""
        return f"{self.rule.id}, {self.example.title}" if self.example.title else self.rule.id


def examples_of(ruleset: Ruleset) -> list[RuleExample]:
    """All examples of a rule set, in the order of the files and of the lines in them."""
    found = [RuleExample(rule, each) for rule in ruleset.rules for each in rule.examples]
    return sorted(found, key=lambda e: (e.example.span.source.name, e.example.span.start))


def run_example(ruleset: Ruleset, each: RuleExample, linking: Linking = reference) -> Outcome:
    """Lay out what an example draws and see whether the rule does there what it says."""
    trial, wrong = _trial(ruleset, each, linking)
    if trial is None:
        return passed_or_not([(each, "") for each in sorted(wrong)])
    return passed_or_not(list(trial.findings()))


def laid_example(
    ruleset: Ruleset, each: RuleExample
) -> tuple[tuple[Game, State] | None, list[Diagnostic]]:
    """The game and the position of an example, or what is wrong with how it is written."""
    trial, wrong = _trial(ruleset, each)
    return (None, sorted(wrong)) if trial is None else (trial.laid, [])


def _trial(
    ruleset: Ruleset, each: RuleExample, linking: Linking = reference
) -> tuple[_Trial | None, list[Diagnostic]]:
    example = each.example
    lines, wrong = read_lines(example, ruleset.catalog)
    if example.drawing is None:
        span = example.span.source.at(example.span.line, example.span.column, len("example"))
        wrong.append(Diagnostic("KB102", span, "this example has no drawing", NO_DRAWING))
        return None, wrong
    legend = own_tile(each.rule.id, ruleset.catalog)
    position, more = read_position(
        ruleset.catalog, example.drawing, legend=legend, sectors=lines.sectors
    )
    wrong += more
    if position is not None:
        wrong += _wrong_marks(position, lines, Drawn.of(example.drawing))
    if position is None or wrong:
        return None, wrong
    return _Trial(ruleset, each.rule, position, lines, linking), []


def run_examples(ruleset: Ruleset) -> list[tuple[RuleExample, Outcome]]:
    """Every example of a rule set with what came of it."""
    return [(each, run_example(ruleset, each)) for each in examples_of(ruleset)]


def _wrong_marks(position: Position, lines: Lines, drawn: Drawn) -> Iterator[Diagnostic]:
    """Marks that say nothing here, or the contrary of a line."""
    known = {EXPECTED, LIFTED, *([CHOSEN] if lines.gains else [])}
    for sign in sorted(position.marks.keys() - known):
        message = f"the mark {quoted(sign)} means nothing in an example"
        help = f"mark what is offered by {quoted(EXPECTED)} and a piece to lift by {quoted(LIFTED)}"
        yield Diagnostic("KB110", drawn.span, message, help)
    if position.marks.get(LIFTED, 0).bit_count() > 1:
        yield Diagnostic("KB110", drawn.span, "only one piece can be lifted")
    for claim in lines.offers:
        if claim.none and EXPECTED in position.marks:
            message = f"nothing is to be offered, yet hexes are marked {quoted(EXPECTED)}"
            yield Diagnostic("KB110", claim.span, message)
        elif not claim.none and EXPECTED not in position.marks:
            message = f"no hex is marked {quoted(EXPECTED)}"
            yield Diagnostic("KB110", claim.span, message, "write `offers none` if nothing is")


class _Trial:
    """One example laid out."""

    def __init__(
        self, ruleset: Ruleset, rule: Rule, position: Position, lines: Lines, linking: Linking
    ) -> None:
        self._rule = rule
        self._lines = lines
        self._board = position.board
        self._expected = position.marks.get(EXPECTED, 0)
        self._lifted = position.marks.get(LIFTED, 0)
        self._chosen = position.marks.get(CHOSEN, 0)
        own = (rule.id,) if rule.kind in CARD_KINDS else ()
        cards = tuple(dict.fromkeys((*own, *lines.cards)))
        self._game = Game(
            ruleset, position.board, _players(position, lines), cards, linking=linking
        )
        self._state = self._lay(position)

    @property
    def _has_cards(self) -> bool:
        """Whether the boxes have a deck from which cards are played."""
        return bool(self._game.ruleset.catalog.deck)

    @property
    def laid(self) -> tuple[Game, State]:
        """The game, and the position in which its claims are looked at."""
        return self._game, self._state

    def _lay(self, position: Position) -> State:
        game = self._game
        draft = game.empty()
        for (owner, piece), hexes in position.pieces.items():
            put(draft, owner, piece, hexes, game.board.catalog.pieces[piece].size)
        put(draft, 0, _first_piece(game.ruleset), self._lifted & ~draft.occupied, 1)
        show(draft, self._lines.played)
        if self._rule.kind in TILE_KINDS:
            kind = game.ruleset.catalog.tile_index(self._rule.id)
            hold(draft, 0, Tile(kind, self._origin(kind), READY))
        if has_actions(game.ruleset):
            bring_to(draft, game.ruleset, "actions", 0)
        else:
            bring_to(draft, game.ruleset, "start", 0)
        if _reacts(self._rule):
            ask(draft, game, self._rule, 0)
        if self._lines.draws:
            set_up(draft, self._rule)
        draft.firings = MOST_FIRINGS  # no `whenever` of another rule shall change what is drawn
        state = game.settle(draft)
        return state if self._rule.actions else turned_up(game, state, self._lines.draws)

    def _origin(self, kind: int) -> int:
        """A place the tile may come from, touched if there is one; else a hex beyond the board."""
        board = self._board
        place = board.catalog.tiles[kind].place
        places = board.kinds[board.catalog.hex_index(place)] if place else 0
        return lowest(places) if places else board.grid.full.bit_length()

    def findings(self) -> Iterator[tuple[Diagnostic, str]]:
        """What does not hold, each with a picture."""
        for gives in self._lines.gives:
            yield from self._check_gold(gives)
        for gains in self._lines.gains:
            yield from self._check_gain(gains)
        for counts in self._lines.counts:
            yield from self._check_count(counts)
        for offers in self._lines.offers:
            yield from self._check_offer(offers)
        if self._lines.wins:
            yield from self._check_winners(self._lines.wins)

    def _check_gold(self, claim: Gives) -> Iterator[tuple[Diagnostic, str]]:
        line = self._game.score(self._state).line(self._rule.id, claim.player)
        gold = line.gold if line is not None else 0
        if gold == claim.gold:
            return
        message = f"{quoted(self._rule.id)} gives {gold}, not {claim.gold}"
        help = "" if line is not None else "it has no line that begins with `gold`"
        marks = {EARNED: line.hexes if line is not None else 0}
        drawn = picture(self._game, self._state, marks)
        yield Diagnostic("KB505", claim.span, message, help), drawn

    def _check_winners(self, claims: list[Wins]) -> Iterator[tuple[Diagnostic, str]]:
        found = self._game.score(self._state).winners
        drawn = picture(self._game, self._state, {})
        for claim in claims:
            if claim.player not in found:
                message = f"{PLAYERS[claim.player]} does not win"
                yield Diagnostic("KB505", claim.span, message), drawn
        for player in sorted(set(found) - {claim.player for claim in claims}):
            message = f"{PLAYERS[player]} wins as well"
            yield Diagnostic("KB505", claims[-1].span, message), drawn

    def _check_gain(self, claim: Gives) -> Iterator[tuple[Diagnostic, str]]:
        after = after_choosing(self._game, self._state, self._asked(), self._chosen)
        labels: tuple[Label, ...] = ()
        help = ""
        if isinstance(after, int):
            message = f"{self._board.grid.name(after)} cannot be chosen"
            labels, help = self._against(after), self._wanting(after)
        else:
            gold = after.seats[claim.player].gold
            if gold == claim.gold:
                return
            message = f"{quoted(self._rule.id)} lets gain {gold}, not {claim.gold}"
        drawn = picture(self._game, self._state, {})
        yield Diagnostic("KB505", claim.span, message, help, labels), drawn

    def _check_count(self, claim: Counts) -> Iterator[tuple[Diagnostic, str]]:
        view = self._game.view(self._state, 0, {})
        value = self._game.program.quantity(view, claim.name)
        if value != claim.value:
            message = f"{quoted(claim.name)} is {value}, not {claim.value}"
            yield Diagnostic("KB505", claim.span, message), ""

    def _check_offer(self, claim: Offers) -> Iterator[tuple[Diagnostic, str]]:
        found = self._targets() if self._lifted else self._offered(self._drawn())
        if isinstance(found, Diagnostic):
            span = claim.span
            said = Diagnostic(found.code, span, found.message, found.help, found.labels)
            yield said, compare(self._game, self._state, self._expected, 0, self._lifted)
            return
        if found == self._expected:
            return
        missing, surplus = self._expected & ~found, found & ~self._expected
        parts = [f"not offered: {named(self._board, missing)}"] if missing else []
        parts += [f"offered as well: {named(self._board, surplus)}"] if surplus else []
        asks = missing and not self._lifted
        labels = self._against(lowest(missing)) if asks else ()
        help = self._wanting(lowest(missing)) if asks else ""
        drawn = compare(self._game, self._state, self._expected, found, self._lifted)
        yield Diagnostic("KB505", claim.span, "; ".join(parts), help, labels), drawn

    def _asked(self) -> str:
        """The rule whose action is looked at: this one, or the one that must be done in a turn."""
        if self._rule.actions or _reacts(self._rule):
            return self._rule.id
        offers = self._game.program.offers.values()
        return next((o.owner.rule.id for o in offers if o.action.required), self._rule.id)

    def _drawn(self) -> State:
        return after_drawing(self._game, self._state, self._asked(), self._lines.draws)

    def _offered(self, state: State) -> Mask:
        groups = self._game.legal_moves(state).groups
        found = 0
        for group in groups:
            if group.rule == self._asked():
                found |= group.hexes
        return found

    def _targets(self) -> Mask | Diagnostic:
        """Where the piece marked as lifted may go."""
        hex = lowest(self._lifted)
        if not self._rule.actions:
            return self._anywhere(hex)
        groups = self._game.legal_moves(self._state).groups
        move = next(
            (Move(g.verb, g.rule, hex) for g in groups
             if g.rule == self._rule.id and g.hexes & self._lifted), None,
        )  # fmt: skip
        if move is None:
            message = f"{self._board.grid.name(hex)} cannot be lifted"
            labels, help = self._against(hex, "lift"), self._wanting(hex, "lift")
            return Diagnostic("KB505", self._rule.span, message, help, labels)
        return self._offered(self._game.apply(self._state, move))

    def _anywhere(self, hex: int) -> Mask:
        """Where the norms of the table alone let a lifted piece go."""
        choices, norms = self._game.choices, self._game.program.norms("move")
        view = choices.lifted(self._game.view(self._state, 0, {}), hex)
        return norms.judged(view, self._board.grid.full)

    def _against(self, hex: int, verb: str = "build") -> tuple[Label, ...]:
        """The clauses that stand against a hex, where they are written."""
        refusal = self._game.explain(self._state, Move(verb, self._asked(), hex))
        name = self._board.grid.name(hex)
        return tuple(
            Label(reason.span, f"{name}: {reason.text}")
            for reason in refusal.reasons
            if reason.span is not None
        )

    def _wanting(self, hex: int, verb: str = "build") -> str:
        """What an example lacks so that anything is offered: what stands in no rule, or a card."""
        if not self._state.shown and self._asked() != self._rule.id and self._has_cards:
            return "no card is face up: say which with `played` and a terrain"
        reasons = self._game.explain(self._state, Move(verb, self._asked(), hex)).reasons
        return "; ".join(reason.text for reason in reasons if reason.span is None)


def _reacts(rule: Rule) -> bool:
    """Whether all a rule offers are reactions to what others do."""
    return not rule.actions and any(trigger.offered for trigger in rule.triggers)


def _first_piece(ruleset: Ruleset) -> int:
    """The piece that is meant where only its mark is drawn."""
    pieces = enumerate(ruleset.catalog.pieces)
    return next((index for index, piece in pieces if not piece.neutral), 0)


def _players(position: Position, lines: Lines) -> int:
    """As many as are drawn or spoken of, and at least two."""
    owners = [owner for owner, _ in position.pieces]
    paid = [claim.player for claim in (*lines.gives, *lines.gains)]
    winners = [claim.player for claim in lines.wins]
    return 1 + max([1, *owners, *paid, *winners])
