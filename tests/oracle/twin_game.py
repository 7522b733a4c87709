"""A whole game as one story: it asks a question, is told the answer, and goes on.

Questions and answers are tuples of words. A question is the set of all answers to it:
("build", "mandatory", cell), ("lift" or "move", tile, cell), ("end", "turn", None). A draw asks
with the cards of the deck, counted, and is answered by the card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from tests.oracle import twin_moves
from tests.oracle.geometry import Cell, neighbours
from tests.oracle.picture import Picture, Tile

CHANCE = -1
END = ("end", "turn", None)
MANDATORY_BUILDS = 3

Answer = Any
Story = Generator["Question", Answer, None]


@dataclass(frozen=True)
class Question:
    """Who must decide (or chance), and what they may answer."""

    player: int
    answers: frozenset[tuple[str, str, Cell | None]] = frozenset()
    cards: tuple[tuple[str, int], ...] = ()


def whole_game(p: Picture) -> Story:
    for player in range(p.players):
        p.hands[player] = yield from draw(p)
    yield from from_turn(p, 0)


def from_turn(p: Picture, number: int) -> Story:
    """The game from the beginning of a turn; turns are counted from 0."""
    while True:
        player = number % p.players
        begin_turn(p, player)
        yield from rest_of_turn(p, player)
        number += 1
        if p.ending and number % p.players == 0:
            return


def begin_turn(p: Picture, me: int) -> None:
    for tile in p.held[me]:
        tile.fresh = False
    p.uses_left = Counter(tile.kind for tile in p.held[me])
    p.card, p.hands[me] = p.hands[me], None


def rest_of_turn(p: Picture, me: int) -> Story:
    """All actions, from where nothing is half done, and the new card."""
    done = False
    while True:
        yield from replace_dead_cards(p)
        answers = possible(p, me, done)
        if not answers:
            break
        answer = yield Question(me, frozenset(answers))
        verb, rule, cell = answer
        if verb == "end":
            break
        if rule == "mandatory":
            done = True
            yield from mandatory_action(p, me, cell)
        else:
            yield from use_tile(p, me, rule, cell)
    if p.card is not None:
        p.discards[p.card] += 1
        p.card = None
    p.hands[me] = yield from draw(p)


def possible(p: Picture, me: int, done: bool) -> set[tuple[str, str, Cell | None]]:
    must: set[tuple[str, str, Cell | None]] = set()
    if not done:
        must |= {("build", "mandatory", cell) for cell in twin_moves.mandatory(p, me)}
    may: set[tuple[str, str, Cell | None]] = set()
    for kind in usable(p, me):
        if kind in twin_moves.BUILDERS:
            may |= {("build", kind, cell) for cell in twin_moves.build_with(p, me, kind)}
        else:
            may |= {("lift", kind, cell) for cell in twin_moves.lifts_with(p, me, kind)}
    return must | may | ({END} if may and not must else set())


def usable(p: Picture, me: int) -> set[str]:
    """Kinds with a use left."""
    return {kind for kind, uses in p.uses_left.items() if uses > 0}


def mandatory_action(p: Picture, me: int, first: Cell) -> Story:
    build(p, me, first)
    for _ in range(MANDATORY_BUILDS - 1):
        yield from replace_dead_cards(p)
        targets = twin_moves.mandatory(p, me)
        if not targets:
            return
        answers = frozenset(("build", "mandatory", cell) for cell in targets)
        _, _, cell = yield Question(me, answers)
        build(p, me, cell)


def use_tile(p: Picture, me: int, kind: str, cell: Cell) -> Story:
    p.uses_left[kind] -= 1
    if kind in twin_moves.BUILDERS:
        build(p, me, cell)
        return
    targets = twin_moves.targets_with(p, me, kind, cell)
    _, _, target = yield Question(me, frozenset(("move", kind, cell) for cell in targets))
    del p.pieces[cell]
    p.pieces[target] = me
    lose_tiles(p, me)
    take_tiles(p, me, target)


def build(p: Picture, me: int, cell: Cell) -> None:
    p.pieces[cell] = me
    p.supply[me] -= 1
    take_tiles(p, me, cell)
    if p.supply[me] == 0:
        p.ending = True


def lose_tiles(p: Picture, me: int) -> None:
    """Of equal tiles the used one goes first: uses left are at most the tiles left."""
    p.held[me] = [tile for tile in p.held[me] if p.touches(me, tile.origin)]
    left = Counter(tile.kind for tile in p.held[me] if not tile.fresh)
    for kind, uses in p.uses_left.items():
        p.uses_left[kind] = min(uses, left[kind])


def take_tiles(p: Picture, me: int, cell: Cell) -> None:
    for place in neighbours(cell):
        if p.stock.get(place, 0) > 0 and place not in p.visited[me]:
            p.stock[place] -= 1
            p.visited[me].add(place)
            p.held[me].append(Tile(p.ground.tile[place], place))


def replace_dead_cards(p: Picture) -> Story:
    while p.card is not None and all(cell in p.pieces for cell in p.ground.of(p.card)):
        p.removed[p.card] += 1
        p.card = None
        p.card = yield from draw(p)


def draw(p: Picture) -> Generator[Question, Answer, str | None]:
    if p.deck.total() == 0:
        p.deck, p.discards = p.discards, Counter()
    if p.deck.total() == 0:
        return None
    cards = tuple(sorted((card, n) for card, n in p.deck.items() if n))
    card: str = yield Question(CHANCE, cards=cards)
    p.deck[card] -= 1
    return card
