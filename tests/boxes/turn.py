"""Turns as a story: it asks a question, is told the answer, and goes on.

Questions and answers are as in the twin of the base game: ("lift", "barn", cell), ("use", "fort",
None), ("stop", "quarry", None). A draw has no answers and is answered by the name of a terrain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence

from tests.boxes import red_cards, targets
from tests.boxes.ground import BUILDABLE
from tests.boxes.scene import NOBODY, SUPPLY, Held, Piece, Scene
from tests.boxes.targets import DONATION, MOVERS, ROVERS
from tests.oracle.geometry import Cell, neighbours
from tests.oracle.twin_game import CHANCE, END, Answer, Question

Choice = tuple[str, str, Cell | None]
Story = Generator[Question, Answer, None]
MANDATORY, CAVE_WALK = "mandatory", "cave_walk"
STEPS = {"resettlement": 4, "wagon_yard": 3, "lighthouse": 3}
DONATED = 3


def story(s: Scene, turns: int) -> Story:
    """The rest of this turn and further turns, so many in all, unless the game ends before."""
    for number in range(turns):
        if number:
            begin_turn(s)
        yield from rest_of_turn(s)
        yield from end_turn(s)
        s.turn += 1
        if s.ending and s.mover == s.players - 1:
            return


def rest_of_turn(s: Scene) -> Story:
    """All actions, from where nothing is half done, until the player ends the turn."""
    me = s.mover
    while True:
        yield from replace_dead_card(s)
        answers = possible(s, me)
        if not answers:
            return
        verb, rule, cell = yield Question(me, frozenset(answers))
        if verb == "end":
            return
        if rule in (MANDATORY, CAVE_WALK):
            s.begun.add(rule)
        else:
            s.uses_left[rule] -= 1
        yield from use(s, me, verb, rule, cell)


def end_turn(s: Scene) -> Story:
    """Discard the card, draw; nomad tiles that could be used in this turn are gone."""
    hand = s.held[s.mover]
    if s.card is not None:
        s.card = None
        s.cards_left += 1
    for _ in range(1 + sum(tile.kind == "crossroads" for tile in hand)):
        if s.cards_left:
            s.hands[s.mover] = yield Question(CHANCE)
            s.cards_left -= 1
    stay = [t for t in hand if t.status == "fresh" or s.ground.kind[t.origin] != "nomad"]
    s.held[s.mover] = stay


def begin_turn(s: Scene) -> None:
    s.mover = (s.mover + 1) % s.players
    for tile in s.held[s.mover]:
        tile.status = "ready"
    s.uses_left = Counter(tile.kind for tile in s.held[s.mover])
    s.card, s.hands[s.mover] = s.hands[s.mover], None
    s.begun, s.regular = set(), []


def possible(s: Scene, me: int) -> set[Choice]:
    """All that the player may begin now."""
    must = first_choices(s, me, MANDATORY) if MANDATORY not in s.begun else set()
    may = first_choices(s, me, CAVE_WALK) if CAVE_WALK not in s.begun else set()
    for kind in {kind for kind, uses in s.uses_left.items() if uses > 0}:
        may |= first_choices(s, me, kind)
    return must | may | ({END} if may and not must else set())


def first_choices(s: Scene, me: int, rule: str) -> set[Choice]:
    """The first choices of one action."""
    return {(verb, rule, cell) for verb, cells in beginnings(s, me, rule) for cell in cells}


def beginnings(s: Scene, me: int, rule: str) -> list[tuple[str, set[Cell] | set[None]]]:
    """The verbs an action may begin with, and where."""
    if rule == "fort":
        can = s.supply[me]["settlement"] and s.cards_left
        return [("use", {None} if can else set())]
    if rule in (*MOVERS, "resettlement", CAVE_WALK):
        return [("lift", targets.lifts(s, me, rule))]
    if rule in ("outpost", "crossroads", "treasure"):
        return []
    if rule == "quarry":
        return [("place", targets.walls(s, me))]
    if rule == "city_hall":
        return [("place", targets.halls(s, me))]
    if rule == "sword":
        return [("remove", targets.first_of(targets.victims(s, o) for o in others(s, me)))]
    if rule == "barracks":
        mine = targets.of_kinds(s, me, "warrior")
        return [("place", targets.warriors(s, me)), ("remove", mine)]
    if rule in ROVERS:
        kind = ROVERS[rule]
        mine = targets.of_kinds(s, me, kind)
        lifts = targets.lifts(s, me, rule)
        return [("place", targets.rovers(s, me, kind)), ("lift", lifts), ("remove", mine)]
    return [("build", targets.built(s, me, targets.builds(s, me, rule)))]


def others(s: Scene, me: int) -> list[int]:
    """The other players in turn order."""
    return [(me + i) % s.players for i in range(1, s.players)]


# actions


def use(s: Scene, me: int, verb: str, rule: str, cell: Cell) -> Story:
    """Carry out an action of which the first choice was made."""
    if rule == "sword":
        yield from strike(s, me, cell)
    elif rule == "quarry":
        yield from wall_up(s, me, cell)
    elif rule == "fort":
        yield from storm(s, me)
    elif verb == "lift":
        yield from travel(s, me, rule, cell)
    elif verb == "remove":
        take_back(s, cell)
    elif verb == "place":
        place(s, me, rule, cell)
    else:
        yield from build_on(s, me, rule, cell)


def build_on(s: Scene, me: int, rule: str, cell: Cell) -> Story:
    """Build once, or three times with a donation and the mandatory action."""
    build(s, me, rule, targets.builds(s, me, rule), cell)
    times = DONATED if rule == MANDATORY or rule.startswith(DONATION) else 1
    for _ in range(times - 1):
        yield from replace_dead_card(s)
        base = targets.builds(s, me, rule)
        able = targets.built(s, me, base)
        if not able:
            return
        cell = yield from ask(me, "build", rule, able)
        build(s, me, rule, base, cell)


def storm(s: Scene, me: int) -> Story:
    terrain = yield Question(CHANCE)
    yield from replace_dead_card(s)
    base = s.available(terrain)
    able = targets.built(s, me, base)
    if able:
        cell = yield from ask(me, "build", "fort", able)
        build(s, me, "fort", base, cell)


def travel(s: Scene, me: int, rule: str, cell: Cell) -> Story:
    """Move once, or so many steps as long as the player likes and can."""
    yield from move(s, me, rule, cell)
    for _ in range(STEPS.get(rule, 1) - 1):
        yield from replace_dead_card(s)
        able = targets.lifts(s, me, rule)
        if not able:
            return
        cell = yield from ask(me, "lift", rule, able, True)
        if cell is None:
            return
        yield from move(s, me, rule, cell)


def move(s: Scene, me: int, rule: str, source: Cell) -> Story:
    target = yield from ask(me, "move", rule, targets.moves(s, me, rule, source))
    s.pieces[target] = s.pieces.pop(source)
    lose_tiles(s, me)
    take_tiles(s, me, [target])
    judge_end(s, me)


def wall_up(s: Scene, me: int, cell: Cell) -> Story:
    s.pieces[cell] = Piece(NOBODY, "wall")
    yield from replace_dead_card(s)
    able = targets.walls(s, me)
    if able:
        again = yield from ask(me, "place", "quarry", able, True)
        if again is not None:
            s.pieces[again] = Piece(NOBODY, "wall")


def strike(s: Scene, me: int, cell: Cell) -> Story:
    first = s.pieces[cell].owner
    take_back(s, cell)
    left = others(s, me)
    for other in left[left.index(first) + 1 :]:
        yield from replace_dead_card(s)
        able = targets.victims(s, other)
        if able:
            take_back(s, (yield from ask(me, "remove", "sword", able)))


def ask(
    me: int, verb: str, rule: str, cells: set[Cell], may_stop: bool = False
) -> Generator[Question, Answer, Cell]:
    """The hex chosen; None if the player stops."""
    answers: set[Choice] = {(verb, rule, cell) for cell in cells}
    if may_stop:
        answers.add(("stop", rule, None))
    _, _, cell = yield Question(me, frozenset(answers))
    return cell  # type: ignore[no-any-return]


# what happens


def build(s: Scene, me: int, rule: str, base: set[Cell], cell: Cell) -> None:
    if targets.strays(s, me, base, cell):
        s.uses_left["outpost"] -= 1
    put(s, me, "settlement", [cell])
    if rule == MANDATORY:
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


def replace_dead_card(s: Scene) -> Story:
    """While no hex of the card's terrain can be built on, the card is replaced, if one is left."""
    while s.card is not None and not s.available(s.card):
        s.card = None
        if s.cards_left:
            s.card = yield Question(CHANCE)
            s.cards_left -= 1


def living(s: Scene) -> list[str]:
    """The terrains on which somebody could build."""
    return [terrain for terrain in BUILDABLE if s.available(terrain)]
