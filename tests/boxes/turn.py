"""Turns as a story: it asks a question, is told the answer, and goes on.

Questions and answers are as in the twin of the base game: ("lift", "barn", cell), ("use", "fort",
None), ("stop", "quarry", None); ("choose", "grass", None) fixes which card is used. A draw is
answered by the name of a terrain.
"""

from __future__ import annotations

from collections import Counter

from tests.boxes.actions import (
    CAVE_WALK,
    MANDATORY,
    ON_CARD,
    Choice,
    first_choices,
    use,
    with_terrains,
)
from tests.boxes.effects import Story, choose, draw, replace_dead_cards
from tests.boxes.scene import Scene
from tests.oracle.twin_game import END, Question


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
        yield from replace_dead_cards(s)
        answers = possible(s, me)
        if not answers:
            return
        verb, rule, cell = yield Question(me, frozenset(answers))
        if verb == "end":
            return
        if verb == "choose":
            choose(s, rule)
            continue
        if rule in (MANDATORY, CAVE_WALK):
            s.begun.add(rule)
        else:
            s.uses_left[rule] -= 1
        if rule in ON_CARD and s.terrain:
            choose(s, s.terrain)  # of equal cards too one only is used
        yield from use(s, me, verb, rule, cell)


def end_turn(s: Scene) -> Story:
    """Discard all cards, draw; nomad tiles that could be used in this turn are gone."""
    hand = s.held[s.mover]
    s.discards.update(s.shown + s.aside)
    s.shown, s.aside, s.chosen = [], [], None
    for _ in range(2 if any(tile.kind == "crossroads" for tile in hand) else 1):
        s.hands[s.mover] += yield from draw(s)
    stay = [t for t in hand if t.status == "fresh" or s.ground.kind[t.origin] != "nomad"]
    s.held[s.mover] = stay


def begin_turn(s: Scene) -> None:
    s.mover = (s.mover + 1) % s.players
    for tile in s.held[s.mover]:
        tile.status = "ready"
    s.uses_left = Counter(tile.kind for tile in s.held[s.mover])
    s.shown, s.hands[s.mover] = s.hands[s.mover], []
    s.begun, s.regular = set(), []


def possible(s: Scene, me: int) -> set[Choice]:
    """All that the player may begin now.

    While there are cards to choose from, an action that needs one begins with the choice.
    """
    required = {MANDATORY} - s.begun
    allowed = ({CAVE_WALK} - s.begun) | {kind for kind, uses in s.uses_left.items() if uses > 0}
    must, may = begun_with(s, me, required), begun_with(s, me, allowed)
    return must | may | ({END} if may and not must else set())


def begun_with(s: Scene, me: int, rules: set[str]) -> set[Choice]:
    """The first choices of some actions, the card among them if there is one to choose."""
    needing = rules & set(ON_CARD) if s.to_choose() else set()
    found = set().union(*(first_choices(s, me, rule) for rule in rules - needing))
    able = with_terrains(s, me, needing)
    return found | {("choose", terrain, None) for terrain, first in able.items() if first}
