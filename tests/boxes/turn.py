"""Turns as a story: it asks a question, is told the answer, and goes on.

Questions and answers are as in the twin of the base game: ("lift", "barn", cell), ("use", "fort",
None), ("stop", "quarry", None). A draw has no answers and is answered by the name of a terrain.
"""

from __future__ import annotations

from collections import Counter

from tests.boxes.actions import CAVE_WALK, MANDATORY, Choice, Story, first_choices, use
from tests.boxes.deeds import replace_dead_card
from tests.boxes.scene import Scene
from tests.oracle.twin_game import CHANCE, END, Question


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
