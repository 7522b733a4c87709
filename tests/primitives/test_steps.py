"""Every step: what it changes on the table, and that it changes nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from inspect import signature
from random import Random
from typing import Any, get_args

from hypothesis import given, strategies as st

from kbrules.game.board import NONE
from kbrules.game.events import Event, TurnStarted
from kbrules.game.state import FRESH, READY, USED, Draft, draft_of
from kbrules.game.view import MoveContext, binds
from kbrules.primitives.registry import STEPS
from kbrules.primitives.steps import can_build, has_supply, room
from kbrules.primitives.vocabulary import step_words
from tests.hex.twin import neighbours_in_words
from tests.pace import often
from tests.primitives.ledger import Ledger, Try, ledger
from tests.primitives.tries import (
    bring,
    choose,
    keep,
    restock,
    restock_used_first,
    retire,
    substitute,
    swap,
    withdraw,
)
from tests.primitives.worlds import PLAYERS, World, worlds

MOST = 10**6

Arguments = dict[str, Any] | None


def build(t: Try) -> Arguments:
    place = t.free()
    if place is None or t.piece in ("fence", "camp"):
        return None
    t.now.pieces[place] = t.me, t.piece
    t.now.supply[t.me][t.piece] -= 1
    return {"hexes": (t.bit(place),), "piece": t.w.kind_of_piece}


def build_main(t: Try) -> Arguments:
    place = t.free()
    if place is None:
        return None
    t.now.pieces[place] = t.me, "settlement"
    t.now.supply[t.me]["settlement"] -= 1
    return {"hexes": (t.bit(place),), "piece": None}


def place(t: Try) -> Arguments:
    place = t.wide() if t.piece == "camp" else t.free()
    if place is None:
        return None
    owner = -1 if t.piece == "fence" else t.me
    for each in {place, *(neighbours_in_words(place) if t.piece == "camp" else ())}:
        t.now.pieces[each] = owner, t.piece
    if owner >= 0:
        t.now.supply[owner][t.piece] -= 1
    return {"hexes": (t.bit(place),), "piece": t.w.kind_of_piece}


def move(t: Try) -> Arguments:
    origin, target = t.taken(), t.free()
    if origin is None or target is None:
        return None
    t.now.pieces[target] = t.now.pieces.pop(origin)
    return {"hexes": (t.bit(origin), t.bit(target)), "piece": None}


def back_to_where_it_was(t: Try) -> Arguments:
    origin = t.taken()
    return None if origin is None else {"hexes": (t.bit(origin),) * 2, "piece": None}


def remove(t: Try) -> Arguments:
    origin = t.taken()
    if origin is None:
        return None
    owner, piece = t.now.pieces.pop(origin)
    if owner >= 0:
        t.now.supply[owner][piece] += 1
    return {"hexes": (t.bit(origin),), "piece": None}


def replace(t: Try) -> Arguments:
    """The old piece goes home, and the new one stands in its place."""
    given = remove(t)
    if given is None or t.piece == "camp":
        return None
    (hex,) = given["hexes"]
    place = next(each for each in t.w.twin.hexes if t.bit(each) == hex)
    owner = -1 if t.piece == "fence" else t.me
    t.now.pieces[place] = owner, t.piece
    if owner >= 0:
        t.now.supply[owner][t.piece] -= 1
    return {"hexes": (hex,), "piece": t.w.kind_of_piece}


def store(t: Try) -> Arguments:
    origin = t.taken()
    if origin is None:
        return None
    t.now.pieces.pop(origin)
    return {"hexes": (t.bit(origin),), "piece": None}


def restore(t: Try) -> Arguments:
    t.now.supply[t.me][t.piece] += max(0, t.w.n)
    return {"count": t.w.n, "piece": t.w.kind_of_piece}


def pay(t: Try) -> Arguments:
    left = t.now.supply[t.me][t.piece]
    t.now.supply[t.me][t.piece] -= max(0, min(t.w.n, left))
    return {"count": t.w.n, "piece": t.w.kind_of_piece}


def return_(t: Try) -> Arguments:
    mine = [place for place, each in t.now.pieces.items() if each == (t.me, t.piece)]
    for each in mine:
        del t.now.pieces[each]
    t.now.supply[t.me][t.piece] += len(mine)
    return {"piece": t.w.kind_of_piece}


def take(t: Try) -> Arguments:
    for each in sorted(t.w.a & set(t.now.stock), key=t.w.order):
        if t.now.stock[each]:
            kind = t.now.stock[each].pop()
            t.now.tiles[t.me].append((kind, each, FRESH))
    return {"places": t.w.board.mask(t.w.a)}


def lose(t: Try) -> Arguments:
    t.now.tiles[t.me] = [tile for tile in t.now.tiles[t.me] if tile[1] not in t.w.a]
    return {"places": t.w.board.mask(t.w.a), "used_first": None}


def lose_used_first(t: Try) -> Arguments:
    before = t.now.tiles[t.me]
    t.now.tiles[t.me] = [tile for tile in before if tile[1] not in t.w.a]
    for kind in {kind for kind, _, _ in before}:
        t.keep_uses(before, kind)
    return {"places": t.w.board.mask(t.w.a), "used_first": True}


def ready(t: Try) -> Arguments:
    places = t.random.choice([None, t.w.a])
    t.now.tiles[t.me] = [
        (kind, origin, READY if places is None or origin is None or origin in places else status)
        for kind, origin, status in t.now.tiles[t.me]
    ]
    return {"places": None if places is None else t.w.board.mask(places)}


def spend(t: Try) -> Arguments:
    for index, (kind, origin, status) in enumerate(t.now.tiles[t.me]):
        if (kind, status) == (t.tile, READY):
            t.now.tiles[t.me][index] = kind, origin, USED
            break
    return {"kind": t.w.tile}


def receive(t: Try) -> Arguments:
    t.now.tiles[t.me].append((t.tile, None, FRESH))
    return {"kind": t.w.tile}


def drop(t: Try) -> Arguments:
    held = [kind for kind, _, _ in t.now.tiles[t.me]]
    if t.tile in held:
        del t.now.tiles[t.me][held.index(t.tile)]
    return {"kind": t.w.tile, "used_first": None}


def drop_used_first(t: Try) -> Arguments:
    before = list(t.now.tiles[t.me])
    drop(t)
    t.keep_uses(before, t.tile)
    return {"kind": t.w.tile, "used_first": True}


def play(t: Try) -> Arguments:
    t.now.shown += t.now.hands[t.me]
    t.now.hands[t.me] = []
    return {}


def discard(t: Try) -> Arguments:
    t.now.piles["discards"].update(t.now.shown + t.now.aside)
    t.now.shown, t.now.aside = [], []
    t.now.choice = -1
    return {}


def remove_cards(t: Try) -> Arguments:
    t.now.piles["removed"].update(t.now.shown + t.now.aside)
    t.now.shown, t.now.aside = [], []
    t.now.choice = -1
    return {"terrain": None}


def remove_card(t: Try) -> Arguments:
    """One card of those face up leaves the game; a place where none lies changes nothing."""
    at = t.random.choice([0, 1, 2, 3])
    if 1 <= at <= len(t.now.shown):
        t.now.piles["removed"][t.now.shown.pop(at - 1)] += 1
        t.now.choice = -1
    return {"at": at}


def strike(t: Try) -> Arguments:
    """Cards that show a terrain leave the game, from the deck and from all hands."""
    deck = t.w.game.ruleset.catalog.deck
    struck = {i: n for i, n in t.now.piles["deck"].items() if t.w.ground in deck[i].terrains}
    t.now.piles["deck"] -= Counter(struck)
    t.now.piles["removed"].update(struck)
    for hand in t.now.hands:
        gone = [card for card in hand if t.w.ground in deck[card].terrains]
        t.now.piles["removed"].update(gone)
        hand[:] = [card for card in hand if card not in gone]
    return None if t.w.ground < 0 else {"terrain": t.w.ground}


def draw(t: Try) -> Arguments:
    if not t.now.piles["deck"]:
        return None
    card = t.random.choice(sorted(t.now.piles["deck"]))
    t.now.piles["deck"] -= Counter([card])
    t.now.hands[t.me].append(card)
    return {"card": card, "count": 1}


def reveal(t: Try) -> Arguments:
    if not t.now.piles["deck"]:
        return None
    card = t.random.choice(sorted(t.now.piles["deck"]))
    t.now.piles["deck"] -= Counter([card])
    t.now.piles["discards"][card] += 1
    t.now.revealed = card
    return {"card": card, "count": 1}


def reshuffle(t: Try) -> Arguments:
    zone = t.random.choice(["deck", "discards", "removed"])
    if zone != "deck":
        t.now.piles["deck"].update(t.now.piles[zone])
        t.now.piles[zone] = Counter()
    return {"zone": zone}


def reshuffle_what_lies_open(t: Try) -> Arguments:
    t.now.piles["deck"].update(t.now.shown + t.now.aside)
    t.now.shown, t.now.aside, t.now.choice = [], [], -1
    return {"zone": "shown"}


def gain(t: Try) -> Arguments:
    player = t.random.choice([None, t.w.p])
    t.now.gold[t.me if player is None else player] += t.w.big
    return {"gold": t.w.big, "player": player}


def pay_gold(t: Try) -> Arguments:
    """Nobody pays more than there is, and who owes something pays nothing."""
    count = t.random.choice([-1, 0, 1, 1000])
    t.now.gold[t.me] -= max(0, min(count, t.now.gold[t.me]))
    return {"count": count}


def add(t: Try) -> Arguments:
    name = t.random.choice(["visited", "built", "closed"])
    scope = t.w.game.ruleset.memories[name][0]
    whose = -1 if scope == "table" else t.me
    t.remember(name, t.now.memory[name, whose] | t.w.board.mask(t.w.a))
    return {"what": t.w.board.mask(t.w.a), "memory": name}


def mark(t: Try) -> Arguments:
    name = t.random.choice(["visited", "closed"])
    place = t.random.choice(sorted(t.w.twin.hexes))
    whose = -1 if name == "closed" else t.me
    t.remember(name, t.now.memory[name, whose] | t.w.board.mask({place}))
    return {"hexes": (t.bit(place),), "memory": name}


def count(t: Try) -> Arguments:
    by = t.random.choice([t.w.n, t.w.big, -MOST])
    t.remember("stored", max(0, min(MOST, t.now.memory["stored", t.me] + by)))
    return {"by": by, "memory": "stored"}


def clear(t: Try) -> Arguments:
    name = t.random.choice(["visited", "stored", "closed"])
    t.remember(name, 0)
    return {"memory": name}


def actions(t: Try) -> Arguments:
    return {}


def reuse(t: Try) -> Arguments:
    return {"places": t.w.board.mask(t.w.a)}


def end_turn(t: Try) -> Arguments:
    """What is left to do is no part of what a ledger holds; games show that it is left."""
    return {}


def another_turn(t: Try) -> Arguments:
    """Whose turn comes next is no part of a ledger either."""
    return {}


def another_finish(t: Try) -> Arguments:
    """Before the finish it does nothing; games show that it begins anew."""
    return {}


def last_round(t: Try) -> Arguments:
    t.now.ending = True
    return {}


def end_game(t: Try) -> Arguments:
    t.now.over = True
    return {}


NAMED: list[Callable[[Try], Arguments]] = [
    build, place, move, remove, replace, store, restore, pay, return_, take, lose, ready, spend,
    receive, drop, play, discard, remove_cards, remove_card, draw, reveal, reshuffle, gain,
    pay_gold, add, mark, count, clear, actions, reuse, end_turn, another_turn, last_round, end_game,
    keep, another_finish,
    withdraw, restock, choose, swap, retire, bring, substitute,
]  # fmt: skip
TRIES: list[tuple[str, Callable[[Try], Arguments]]] = [
    *((each.__name__, each) for each in NAMED),
    ("build", build_main),
    ("move", back_to_where_it_was),
    ("remove_cards", strike),
    ("lose", lose_used_first),
    ("drop", drop_used_first),
    ("reshuffle", reshuffle_what_lies_open),
    ("restock", restock_used_first),
]


def test_every_step_is_tried() -> None:
    assert {name for name, _ in TRIES} == {step.signature.name for step in STEPS}


def attempts(w: World, seed: int) -> Iterator[tuple[str, Ledger, Ledger, list[Event]]]:
    """Each step done once: what the table should be, what it is, and the events."""
    for name, expect in TRIES:
        draft = draft_of(w.state)
        draft.seats = tuple(seat._replace(memory=_small(w, seat.memory)) for seat in draft.seats)
        attempt = Try(w, deepcopy(ledger(w, draft)), Random(seed))
        arguments = expect(attempt)
        if arguments is not None:
            events = carry_out(w, draft, name, arguments)
            yield name, attempt.now, ledger(w, draft), events


@often(2, at_least=100)
@given(worlds(6), st.integers(0, 2**32))
def test_what_a_step_changes(w: World, seed: int) -> None:
    before = w.state.hash()
    for name, wanted, found, _ in attempts(w, seed):
        assert (name, found) == (name, wanted)
    assert w.state.hash() == before


@given(worlds(6), st.integers(0, 2**32))
def test_every_event_says_whom_and_what_it_speaks_of(w: World, seed: int) -> None:
    for name, _, _, events in attempts(w, seed):
        for event in events:
            said = binds(event)
            assert said.get("actor", w.me) in range(-1, PLAYERS), name
            assert said.get("here", 0) & ~w.board.grid.full == 0, name


def _small(w: World, memory: tuple[int, ...]) -> tuple[int, ...]:
    """A number that is remembered is never as large as a set is."""
    slot = w.game.ruleset.memories["stored"][1]
    return tuple(value % 1000 if i == slot else value for i, value in enumerate(memory))


def carry_out(w: World, draft: Draft, name: str, arguments: dict[str, Any]) -> list[Event]:
    table = MoveContext(
        w.table, draft, w.game.ruleset.memories, get_args(Event), w.game.card_indexes
    )
    code = step_words()[name].code
    taken = {"count": 1, **arguments}
    names = list(signature(code).parameters)[2:]
    code(table, w.me, **{name: taken[name] for name in names})
    assert table.events == table.pending
    return table.events


@given(worlds(6))
def test_what_can_be_built_or_placed(w: World) -> None:
    catalog = w.game.ruleset.catalog
    for index, piece in enumerate(catalog.pieces):
        left = w.state.seats[w.me].supply[index]
        if piece.neutral:
            left = piece.supply - len(w.with_piece(piece.id))
        assert has_supply(w.view, index) == (left > 0)
        assert can_build(w.view, index) == (left > 0 and piece.shape == "one")
    assert has_supply(w.view, None) == has_supply(w.view, 0)


@given(worlds(8), st.integers(0, 2**32))
def test_a_piece_of_seven_hexes_comes_and_goes_as_one(w: World, seed: int) -> None:
    camp = next(i for i, each in enumerate(w.game.ruleset.catalog.pieces) if each.id == "camp")
    draft = draft_of(w.state)
    attempt = Try(w, ledger(w, draft), Random(seed))
    fitting = {
        each for each in w.twin.hexes
        if not {each, *neighbours_in_words(each)} & set(w.pieces)
        and neighbours_in_words(each) <= w.twin.hexes
    }  # fmt: skip
    assert w.board.places(room(w.view, camp)) == fitting
    centre = attempt.wide()
    if centre is None:
        return
    supply = attempt.now.supply[w.me]["camp"]
    (placed,) = carry_out(w, draft, "place", {"hexes": (w.order(centre),), "piece": camp})
    here = w.board.places(binds(placed)["here"])
    assert here == {centre, *neighbours_in_words(centre)}
    assert draft.seats[w.me].supply[camp] == supply - 1
    part = attempt.random.choice(sorted(here))
    way = attempt.random.choice(["remove", "store", "return_"])
    arguments = {"piece": camp} if way == "return_" else {"hexes": (w.order(part),), "piece": None}
    (gone,) = carry_out(w, draft, way, arguments)
    assert w.board.places(binds(gone)["here"]) == here
    attempt.now.supply[w.me]["camp"] = supply - (way == "store")
    assert ledger(w, draft) == attempt.now


@given(worlds(6))
def test_a_draw_is_weighted_by_the_deck(w: World) -> None:
    for name in ("draw", "reveal"):
        outcomes = step_words()[name].outcomes
        assert outcomes is not None
        assert outcomes(w.view) == w.state.piles[0]


@given(worlds(6))
def test_a_new_turn_knows_no_revealed_card(w: World) -> None:
    draft = draft_of(w.state)
    TurnStarted(w.me, ()).fold(draft)
    assert draft.revealed == NONE
