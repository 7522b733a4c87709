"""Actions: how each may begin, and how it goes on."""

from __future__ import annotations

from collections.abc import Collection, Generator
from dataclasses import replace

from tests.boxes import targets
from tests.boxes.effects import (
    Story,
    build,
    draw,
    judge_end,
    lose_tiles,
    place,
    replace_dead_cards,
    take_back,
    take_tiles,
)
from tests.boxes.scene import NOBODY, Piece, Scene
from tests.boxes.targets import DONATION, MOVERS, ROVERS
from tests.oracle.geometry import Cell
from tests.oracle.twin_game import Answer, Question

Choice = tuple[str, str, Cell | None]
MANDATORY, CAVE_WALK = "mandatory", "cave_walk"
ON_CARD = (MANDATORY, "oracle", "barn", "quarry")
STEPS = {"resettlement": 4, "wagon_yard": 3, "lighthouse": 3}
DONATED = 3


def first_choices(s: Scene, me: int, rule: str) -> set[Choice]:
    """The first choices of one action."""
    return {(verb, rule, cell) for verb, cells in beginnings(s, me, rule) for cell in cells}


def beginnings(s: Scene, me: int, rule: str) -> list[tuple[str, set[Cell] | set[None]]]:
    """The verbs an action may begin with, and where."""
    if rule == "fort":
        can = s.supply[me]["settlement"] and (s.deck + s.discards)
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


def with_terrains(s: Scene, me: int, rules: Collection[str]) -> dict[str, set[Choice]]:
    """Of some rules what may begin first, for each terrain that may be chosen."""
    trials = [replace(s, shown=[terrain], chosen=terrain) for terrain in s.to_choose()]
    begun = {t.terrain: [first_choices(t, me, rule) for rule in rules] for t in trials}
    return {str(terrain): set().union(*found) for terrain, found in begun.items()}


def others(s: Scene, me: int) -> list[int]:
    """The other players in turn order."""
    return [(me + i) % s.players for i in range(1, s.players)]


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
        yield from replace_dead_cards(s)
        base = targets.builds(s, me, rule)
        able = targets.built(s, me, base)
        if not able:
            return
        cell = yield from ask(me, "build", rule, able)
        build(s, me, rule, base, cell)


def storm(s: Scene, me: int) -> Story:
    drawn = yield from draw(s)
    s.discards.update(drawn)
    yield from replace_dead_cards(s)
    base = s.available(*drawn)
    able = targets.built(s, me, base)
    if able:
        cell = yield from ask(me, "build", "fort", able)
        build(s, me, "fort", base, cell)


def travel(s: Scene, me: int, rule: str, cell: Cell) -> Story:
    """Move once, or so many steps as long as the player likes and can."""
    yield from move(s, me, rule, cell)
    for _ in range(STEPS.get(rule, 1) - 1):
        yield from replace_dead_cards(s)
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
    yield from replace_dead_cards(s)
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
        yield from replace_dead_cards(s)
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
