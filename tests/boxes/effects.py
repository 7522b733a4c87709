"""What happens on the table when a player builds, places, moves or takes a piece back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence

from tests.boxes import red_cards, targets
from tests.boxes.scene import SUPPLY, Held, Piece, Scene
from tests.boxes.targets import ROVERS
from tests.oracle.geometry import Cell, neighbours
from tests.oracle.twin_game import CHANCE, Answer, Question

Story = Generator[Question, Answer, None]


def build(s: Scene, me: int, rule: str, base: set[Cell], cell: Cell) -> None:
    if targets.strays(s, me, base, cell):
        s.uses_left["outpost"] -= 1
    put(s, me, "settlement", [cell])
    if rule == "mandatory":
        s.regular.append(cell)
        s.gold[me] += red_cards.families(s.regular) if "families" in s.cards else 0


def place(s: Scene, me: int, rule: str, cell: Cell) -> None:
    if rule == "city_hall":
        put(s, me, "hall", targets.flower_of(cell))
        return
    kind = ROVERS.get(rule, "warrior")
    base = s.available(*targets.ROADS[kind])
    if s.has("outpost_for_pieces") and targets.strays(s, me, base, cell):
        s.uses_left["outpost"] -= 1
    put(s, me, kind, [cell])


def put(s: Scene, me: int, kind: str, cells: Sequence[Cell]) -> None:
    s.pieces |= dict.fromkeys(cells, Piece(me, kind))
    s.supply[me][kind] -= 1
    if kind == "settlement" or s.has("placing_counts"):
        s.gold[me] += red_cards.paid(s, me, cells)
    take_tiles(s, me, cells)
    judge_end(s, me)


def judge_end(s: Scene, me: int) -> None:
    """The round is the last one as soon as somebody has no settlement left."""
    s.ending = s.ending or not s.supply[me]["settlement"]


def take_back(s: Scene, cell: Cell) -> None:
    owner, kind = s.pieces.pop(cell)
    s.supply[owner][kind] += 1
    assert s.supply[owner][kind] <= SUPPLY[kind]
    lose_tiles(s, owner)


def lose_tiles(s: Scene, player: int) -> None:
    """Location tiles whose place is touched no more; of equal ones the used one goes first."""
    s.held[player] = [
        tile
        for tile in s.held[player]
        if s.ground.kind[tile.origin] == "nomad" or s.touches(player, tile.origin)
    ]
    if player == s.mover:
        left = Counter(tile.kind for tile in s.held[player] if tile.status != "fresh")
        for kind, uses in s.uses_left.items():
            s.uses_left[kind] = min(uses, left[kind])


def take_tiles(s: Scene, me: int, cells: Sequence[Cell]) -> None:
    """One tile of each location never visited, and the tile of each nomad place."""
    for place in {near for cell in cells for near in neighbours(cell)}:
        if not s.stock.get(place) or place in s.visited[me]:
            continue
        s.stock[place] -= 1
        if s.nomads.get(place) == "treasure":
            s.gold[me] += 3
            continue
        kind = s.nomads.get(place) or s.ground.tile[place]
        s.held[me].append(Held(kind, place, "fresh"))
        if place not in s.nomads:
            s.visited[me].add(place)


def replace_dead_cards(s: Scene) -> Story:
    """While no hex of a card's terrain can be built on, the card is replaced, if one is left.

    Of cards to choose from each dead one; once one is chosen, that one only. Whatever is dead
    leaves before anything is drawn, so of two dead cards both, and one just drawn before the next.
    """
    due = remove_dead_cards(s)
    while due:
        s.shown += yield from draw(s)
        due += remove_dead_cards(s) - 1


def remove_dead_cards(s: Scene) -> int:
    """Take the cards away with which nothing can be built; how many they were.

    They stay where cards are left to draw, but every one of them is dead as well.
    """
    left = +(s.deck + s.discards)
    if left and not any(s.available(card) for card in left):
        return 0
    dead = [card for card in s.shown if not s.available(card)]
    if dead:
        s.shown = [card for card in s.shown if card not in dead]
        s.removed.update(dead)
        s.chosen = None
    return len(dead)


def draw(s: Scene) -> Generator[Question, Answer, list[str]]:
    """The card drawn; none if none is left. An empty deck takes the discards back."""
    if not s.deck.total():
        s.deck, s.discards = s.discards, Counter()
    if not s.deck.total():
        return []
    card: str = yield Question(CHANCE, cards=tuple(sorted((+s.deck).items())))
    s.deck[card] -= 1
    return [card]


def choose(s: Scene, terrain: str) -> None:
    """Use one card that shows the terrain in this turn, and lay the others aside."""
    s.shown.remove(terrain)
    s.aside += s.shown
    s.shown, s.chosen = [terrain], terrain
