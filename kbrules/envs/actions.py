"""The catalogue of actions: a fixed number for every move that rules can ever offer.

It is worked out from the plan, with every card of the boxes in play: two tables of the same
rules, options and shape number their actions alike, whatever cards and tiles lie there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from kbrules.diagnostics import shortened
from kbrules.engine.configuration import Table, check_game, move_of, whole_number
from kbrules.game.board import Board
from kbrules.game.moves import Move, MoveSet, write_move
from kbrules.hex.sets import bits
from kbrules.lang.typed import Block, Either, Lit, Repeat, Statement, Step
from kbrules.library.ruleset import TURN
from kbrules.plan.plan import PLAYED, Plan
from kbrules.plan.steps import LinkedStep
from kbrules.primitives.vocabulary import step_words


class ActionKind(NamedTuple):
    """What a move is without its hex: a verb, the rule it belongs to, and whether it has a hex."""

    verb: str
    rule: str
    has_hex: bool


class Actions:
    """The actions of a configuration, numbered from 0.

    kinds: first those with a hex, then those without one; each in the order of the rules' names.
    hexes: the hexes of the board, by bit index, in board order. The action of kind k at the place
    p in `hexes` is number k * len(hexes) + p; kinds without a hex follow, one number each.
    """

    def __init__(self, kinds: Iterable[ActionKind], board: Board) -> None:
        ordered = sorted(set(kinds), key=lambda kind: (not kind.has_hex, kind.rule, kind.verb))
        self.kinds, self.hexes = tuple(ordered), tuple(bits(board.grid.full))
        self.with_hex = sum(kind.has_hex for kind in ordered)
        self._board = board
        self._kind = {kind: number for number, kind in enumerate(ordered)}
        self._place = {hex: place for place, hex in enumerate(self.hexes)}
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return self.with_hex * len(self.hexes) + len(self.kinds) - self.with_hex

    def __repr__(self) -> str:
        return f"<Actions: {len(self)} of {len(self.kinds)} kinds on {len(self.hexes)} hexes>"

    def number(self, move: Move) -> int:
        """The number of a move; KeyError if it is none that the rules can offer."""
        verb, rule, hex = move_of(move)
        place = len(self.hexes) if hex < 0 else self._place[hex]
        return self.join(self._kind[ActionKind(verb, rule, hex >= 0)], place)

    def move(self, number: int) -> Move:
        """The move of a number; IndexError if there is none."""
        kind, place = self.factors(number)
        verb, rule, has_hex = self.kinds[kind]
        return Move(verb, rule, self.hexes[place] if has_hex else -1)

    def factors(self, number: int) -> tuple[int, int]:
        """The compact form of an action: its kind and its place in `hexes`, behind all without one.

        IndexError if there is no action of this number.
        """
        number = whole_number(number, "an action is a number of the catalogue")
        size, most = len(self.hexes), self.with_hex * len(self.hexes)
        if not 0 <= number < len(self):
            raise IndexError(f"action {shortened(number)} of {len(self)}")
        return divmod(number, size) if number < most else (self.with_hex + number - most, size)

    def join(self, kind: int, place: int) -> int:
        """The number of an action by its compact form; IndexError if kind and place do not fit."""
        kind = whole_number(kind, "a kind is its number in `kinds`")
        place = whole_number(place, "a place is its number in `hexes`")
        size = len(self.hexes)
        if 0 <= kind < self.with_hex and 0 <= place < size:
            return kind * size + place
        if self.with_hex <= kind < len(self.kinds) and place == size:
            return self.with_hex * size + kind - self.with_hex
        pair = f"the kind {shortened(kind)} and the place {shortened(place)}"
        raise IndexError(f"no action has {pair}")

    def name(self, number: int) -> str:
        """An action in words, as `read_move` reads them; IndexError if there is none."""
        return write_move(self.move(number), self._board)

    def named(self, name: str) -> int:
        """The number of a name that `name` answers; KeyError for any other text."""
        if not self._numbers:
            self._numbers = {self.name(number): number for number in range(len(self))}
        return self._numbers[name]

    def legal(self, moves: MoveSet) -> list[int]:
        """The numbers of the moves that a player may choose from, in ascending order, each once.

        KeyError for moves of other rules.
        """
        if not isinstance(moves, MoveSet):
            raise TypeError(f"moves are those of `game.legal_moves`, not {shortened(moves)}")
        found: set[int] = set()
        for verb, rule, hexes, _ in moves.groups:
            kind = self._kind[ActionKind(verb, rule, hexes != 0)]
            if hexes:
                first, place = kind * len(self.hexes), self._place
                found.update([first + place[hex] for hex in bits(hexes)])
            else:
                found.add(self.join(kind, len(self.hexes)))
        return sorted(found)

    def mask(self, moves: MoveSet) -> Any:
        """The same as an array of bytes, 1 where a move is legal."""
        import numpy

        mask = numpy.zeros(len(self), numpy.int8)
        mask[self.legal(moves)] = 1
        return mask


def actions_of(game: Table) -> Actions:
    """The catalogue of a table, made once for all of its rules, options and shape."""
    check_game(game)
    options = tuple(sorted(game.options.items()))
    key = Actions, options, game.board.grid.parts

    def make() -> Actions:
        cards = tuple(range(len(game.ruleset.catalog.cards)))
        kinds = _kinds_of(Plan(game.ruleset, cards, game.options))
        return Actions(kinds, game.board)

    return game.ruleset.once(key, make)


def _kinds_of(plan: Plan) -> Iterator[ActionKind]:
    """Yield the kinds of all moves that a plan can offer to players.

    Those of actions, of reactions, of every block, and the terrains to choose from.
    """
    for offer in plan.offers.values():
        # Options and numbers that nothing changes may decide that a guard is never true.
        guard = None if offer.action.guard is None else plan.folded(offer.action.guard)
        is_closed = isinstance(guard, Lit) and not guard.value
        if not is_closed and not _begins_with_a_hex(offer.action.body, plan):
            yield ActionKind("use", offer.owner.rule.id, False)
    for owner in plan.reactions.values():
        yield ActionKind("use", owner.rule.id, False)
        yield ActionKind("stop", owner.rule.id, False)
    blocks = [(block, owner.rule.id) for owner in plan.owners for block in owner.rule.blocks()]
    for block, rule in blocks:
        for statement in block.steps:
            yield from _of_statement(statement, rule, plan)
    if any(plan.depends(block, PLAYED) for block, _ in blocks):
        catalog = plan.ruleset.catalog
        for terrain in sorted({t for card in catalog.deck for t in card.terrains}):
            yield ActionKind("choose", catalog.hexes[terrain].id, False)


def _begins_with_a_hex(body: Block, plan: Plan) -> bool:
    """Return whether its first step asks for a hex at every table and in every state."""
    words = step_words()
    steps = (s for s in body.steps if not isinstance(s, Step) or not words[s.name].prepares)
    first = next(steps, None)
    if not isinstance(first, Step) or not words[first.name].asks:
        return False
    linked = LinkedStep(first, plan)
    return linked.times > 0 and not linked.at_random


def _of_statement(statement: Statement, rule: str, plan: Plan) -> Iterator[ActionKind]:
    match statement:
        case Repeat(may_stop=True):
            yield ActionKind("stop", rule, False)
        case Either():
            yield ActionKind("use", rule, False)
        case Step(name=name) if step_words()[name].is_offers:
            yield ActionKind("end", TURN, False)
        case Step(name=name) if step_words()[name].asks:
            linked = LinkedStep(statement, plan)
            if not linked.at_random:
                yield from (ActionKind(verb, rule, True) for verb in linked.move_verbs)
