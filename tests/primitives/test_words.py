"""Every word against a slow computation on dictionaries of hexes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given

from kbrules.engine.setup import choose_table, game_at
from kbrules.game.state import FRESH, READY
from kbrules.primitives.registry import FOLDS, OPERATORS, WORDS
from tests.hex.twin import Hex, neighbours_in_words, union
from tests.oracle.seen import rules
from tests.pace import often
from tests.primitives.probe import expression
from tests.primitives.said import MOST, bounded, image, longest_way, rings, triangles
from tests.primitives.tries import OVER_LISTS, cards, id_of, steps
from tests.primitives.worlds import PLAYERS, World, groups, worlds

Rows = list[tuple[str, str, Callable[[World], Any]]]


def touching(w: World, low: float, high: float) -> set[Hex]:
    return {place for place, n in w.twin.counts(w.a).items() if low <= n <= high}


def runs(w: World, low: int, high: float) -> set[frozenset[Hex]]:
    return {run for run in w.twin.runs_of(w.a, max(2, low)) if len(run) <= high}


def beyond(w: World, lines: set[frozenset[Hex]]) -> set[Hex]:
    """The hexes in which a straight line of at least two would go on."""
    found: set[Hex] = set()
    for run in lines:
        for place in run:
            for near in neighbours_in_words(place) - run:
                longer = w.twin.runs_of({*run, near}, len(run) + 1)
                found |= {near} if longer else set()
    return found & w.twin.hexes


def steps_between(w: World) -> int:
    return steps(w, w.a, w.b)


def joined(w: World) -> set[Hex]:
    return {place for group in groups(w.twin, w.b) if group & w.a for place in group}


def linked_sites(w: World) -> set[Hex]:
    found: set[Hex] = set()
    for group in groups(w.twin, w.b):
        sites = w.twin.neighbours(group) & w.a
        found |= sites if len(sites) > 1 else set()
    return found


def linked_groups(w: World) -> list[set[Hex]]:
    ends = groups(w.twin, w.a)
    found: list[set[Hex]] = []
    for group in groups(w.twin, w.b):
        near = w.twin.neighbours(group) | group
        touched = [end for end in ends if end & near]
        found += touched if len(touched) > 1 else []
    return [end for end in ends if end in found]


def first_of_size(gs: list[set[Hex]], best: Callable[..., int]) -> set[Hex]:
    size = best(map(len, gs), default=0)
    return next((group for group in gs if len(group) == size), set())


def areas(w: World) -> list[set[Hex]]:
    kinds = {k for k in w.kind.values() if k not in ("castle", "location", "mound")}
    return [group for kind in sorted(kinds) for group in groups(w.twin, w.of(kind))]


def special(w: World) -> set[Hex]:
    return w.of("castle", "location", "mound")


def shown(w: World) -> set[Hex]:
    """The hexes of the terrain chosen, or of the only one there is."""
    catalog = w.game.ruleset.catalog
    found = {terrain for card in w.state.shown for terrain in catalog.deck[card].terrains}
    chosen = {w.state.choice} if w.state.choice >= 0 else found
    return w.of(*(catalog.hexes[each].id for each in chosen)) if len(chosen) == 1 else set()


def face_up(w: World) -> set[Hex]:
    """The hexes of all terrains on cards face up, whichever is chosen."""
    catalog = w.game.ruleset.catalog
    found = {terrain for card in w.state.shown for terrain in catalog.deck[card].terrains}
    return w.of(*(catalog.hexes[each].id for each in found))


def dead(w: World) -> int:
    """Of the cards face up the first that shows no terrain with a hex to build on."""
    catalog = w.game.ruleset.catalog
    closed = set(w.pieces) | special(w)
    for at, card in enumerate(w.state.shown, 1):
        chosen = [w.state.choice] if w.state.choice >= 0 else []
        usable = chosen or catalog.deck[card].terrains
        if not w.of(*(catalog.hexes[each].id for each in usable)) - closed:
            return at
    return 0


def stuck(w: World) -> bool:
    """A terrain is chosen that has no hex to build on, while its card shows one that has."""
    catalog = w.game.ruleset.catalog
    closed = set(w.pieces) | special(w)
    if w.state.choice < 0 or w.of(catalog.hexes[w.state.choice].id) - closed:
        return False
    shown = catalog.deck[w.state.shown[0]].terrains
    return any(w.of(catalog.hexes[each].id) - closed for each in shown)


def revealed(w: World) -> set[Hex]:
    catalog = w.game.ruleset.catalog
    if w.state.revealed < 0:
        return set()
    return w.of(*(catalog.hexes[each].id for each in catalog.deck[w.state.revealed].terrains))


def reading(w: World) -> Callable[[Hex], tuple[int, int, int]]:
    """Part by part, from top to bottom, from left to right."""
    parts = [part.name for part in w.board.grid.parts]
    return lambda place: (parts.index(place[0]), place[1], place[2])


def ground(w: World) -> set[Hex]:
    return w.of(id_of(w, "hexes", w.ground)) if w.ground >= 0 else set()


def tiles(w: World, *statuses: str) -> list[Any]:
    held = w.state.seats[w.me].tiles
    return [t for t in held if t.kind == w.tile and (not statuses or t.status in statuses)]


def places_of(w: World, status: str) -> set[Hex]:
    held = w.state.seats[w.me].tiles
    origins = {t.origin for t in held if t.status == status and t.origin >= 0}
    return {place for place in w.tiles if w.order(place) in origins}


def stocked(w: World) -> set[Hex]:
    stock = dict(zip(w.table.places, w.state.stock, strict=True))
    return {place for place in w.tiles if stock[w.order(place)]}


def others(w: World) -> list[int]:
    return [(w.me + i) % PLAYERS for i in range(1, PLAYERS)]


def enclosed(w: World, by: set[Hex]) -> set[Hex]:
    """What is left of a board when the border, and what hangs together with it, is taken off."""
    outside = w.twin.hexes - by
    border = {place for place in outside if len(w.twin.neighbours({place})) < 6}
    return outside - w.twin.group_of(outside, border)


SETS: Rows = [
    ("board()", "board", lambda w: w.twin.hexes),
    ("edge()", "edge", lambda w: set().union(*w.twin.edges(""))),
    ("terrain(terrain)", "terrain(ground)", ground),
    ("terrain(terrain)", "lake & board", lambda w: w.of("lake")),
    ("place(place)", "place(site)", lambda w: w.of(id_of(w, "hexes", w.site))),
    ("place(place)", "mound & board", lambda w: w.of("mound")),
    ("holding(tile)", "holding(tile)",
     lambda w: {p for p, t in w.tiles.items() if t == id_of(w, "tiles", w.tile)}),
    ("mine()", "mine", lambda w: w.held_by(w.me)),
    ("mine(piece)", "mine(kind)",
     lambda w: w.held_by(w.me) & w.with_piece(id_of(w, "pieces", w.kind_of_piece))),
    ("pieces(player)", "pieces(p)", lambda w: w.held_by(w.p)),
    ("pieces(piece)", "pieces(kind)",
     lambda w: w.with_piece(id_of(w, "pieces", w.kind_of_piece))),
    ("occupied()", "occupied", lambda w: set(w.pieces)),
    ("neutral()", "neutral", lambda w: w.held_by(-1)),
    ("stocked()", "stocked", stocked),
    ("fresh_from()", "fresh_from", lambda w: places_of(w, FRESH)),
    ("adjacent(hexes)", "adjacent(a)", lambda w: w.twin.neighbours(w.a)),
    ("mirrored(hexes)", "mirrored(a)", lambda w: image(w, w.a, False, True)),
    ("flipped(hexes)", "flipped(a)", lambda w: image(w, w.a, True, False)),
    ("enclosed(hexes)", "enclosed(a)", lambda w: enclosed(w, w.a)),
    ("ringed(hexes)", "ringed(a)",
     lambda w: enclosed(w, w.a) | {x for x in w.a if len(neighbours_in_words(x) & w.a) == 6}),
    ("turned(hexes)", "turned(a)", lambda w: image(w, w.a, True, True)),
    ("within(hexes,number)", "within(a, n)", lambda w: w.twin.within(w.a, max(0, w.n))),
    ("touching(hexes,range)", "touching(a, at least n)", lambda w: touching(w, w.n, 6)),
    ("touching(hexes,range)", "touching(a, at most n)", lambda w: touching(w, 0, w.n)),
    ("touching(hexes,range)", "touching(a, exactly n)", lambda w: touching(w, w.n, w.n)),
    ("straight(hexes,number)", "straight(a, n)", lambda w: w.twin.straight(w.a, w.n)),
    ("slide(hexes,hexes)", "slide(a, b)", lambda w: w.twin.slide(w.a, w.b)),
    ("next_in(hexes,hexes)", "next_in(a, b)", lambda w: w.twin.next_free(w.a, w.b)),
    ("reach(hexes,number,hexes)", "reach(a, n, b)",
     lambda w: w.twin.reach(w.a, max(0, w.n), w.b)),
    ("straight(hexes,number,hexes)", "straight(a, n, b)",
     lambda w: w.twin.straight_over(w.a, w.n, w.b)),
    ("slide(hexes,hexes,hexes)", "slide(a, b, board - a)",
     lambda w: w.twin.slide(w.a, w.b, w.twin.hexes - w.a)),
    ("next_in(hexes,hexes,hexes)", "next_in(a, b, board - a)",
     lambda w: w.twin.next_free(w.a, w.b, w.twin.hexes - w.a)),
    ("reach(hexes,number,hexes,hexes)", "reach(a, n, b, board - a)",
     lambda w: w.twin.reach(w.a, max(0, w.n), w.b, w.twin.hexes - w.a)),
    ("ends(groups)", "ends(lines(a, at least n))", lambda w: beyond(w, runs(w, w.n, MOST))),
    ("ends(groups)", "ends(lines(a, exactly 3))", lambda w: beyond(w, runs(w, 3, 3))),
    ("foremost(hexes)", "foremost(a)", lambda w: set(sorted(w.a, key=reading(w))[:1])),
    ("revealed()", "revealed", revealed),
    ("inside(hexes)", "inside(a)", lambda w: {p for p in w.a if neighbours_in_words(p) <= w.a}),
    ("alike(hexes)", "alike(a)", lambda w: w.of(*{w.kind[place] for place in w.a})),
    ("connected(hexes,hexes)", "connected(a, b)", joined),
    ("linked(hexes,hexes)", "linked(a, b)", linked_sites),
    ("largest(groups)", "largest(gs)", lambda w: first_of_size(w.gs, max)),
    ("smallest(groups)", "smallest(gs)", lambda w: first_of_size(w.gs, min)),
    ("open(verb)", "open(build)", lambda w: shown(w) - set(w.pieces) - special(w)),
    ("open(verb)", "open(move)", lambda w: set()),
    ("open(verb)", "open(mark)", lambda w: set()),
    ("forbidden(verb)", "forbidden(build)", lambda w: set(w.pieces) | special(w)),
    ("forbidden(verb)", "forbidden(move)", lambda w: set(w.pieces) | special(w)),
    ("&(hexes,hexes)", "a & b", lambda w: w.a & w.b),
    ("|(hexes,hexes)", "a | b", lambda w: w.a | w.b),
    ("-(hexes,hexes)", "a - b", lambda w: w.a - w.b),
    ("union(hexes)", "union(x & a for x in gs if any(x & b))",
     lambda w: union(frozenset(x & w.a) for x in w.gs if x & w.b)),
    ("played()", "terrain(played)", shown),
    ("me()", "pieces(me)", lambda w: w.held_by(w.me)),
    ("players()", "union(pieces(x) for x in players)", lambda w: w.held_by(0, 1, 2)),
    ("others()", "union(pieces(x) for x in others)", lambda w: w.held_by(*others(w))),
    ("tags", "special", special),
    ("tags", "buildable",
     lambda w: w.of("grass", "canyon", "desert", "flower", "forest", "heath")),
    ("tags", "small", lambda w: w.with_piece("hut", "fence")),
]  # fmt: skip

LISTS: Rows = [
    ("parts(hexes,groups)", "parts(a, gs)", lambda w: [w.a & x for x in w.gs]),
    ("each(hexes)", "each(x - a for x in gs if count(x) > n)",
     lambda w: [x - w.a for x in w.gs if len(x) > w.n]),
    ("sectors()", "sectors", lambda w: w.sectors),
    ("edges()", "edges", lambda w: list(w.twin.edges(""))),
    *(row for row in OVER_LISTS if row[1].startswith("each")),
]  # fmt: skip

BAGS: Rows = [
    ("rows()", "rows", lambda w: w.twin.lines(0)),
    ("diagonals()", "diagonals", lambda w: [*w.twin.lines(1), *w.twin.lines(2)]),
    ("groups(hexes)", "groups(a)", lambda w: groups(w.twin, w.a)),
    ("lines(hexes,range)", "lines(a, at least n)", lambda w: runs_of_all_axes(w, w.n, MOST)),
    ("lines(hexes,range)", "lines(a, at most n)", lambda w: runs_of_all_axes(w, 0, w.n)),
    ("lines(hexes,range)", "lines(a, exactly 3)", lambda w: runs_of_all_axes(w, 3, 3)),
    ("areas()", "areas", areas),
    ("triangles(hexes)", "triangles(a)", lambda w: triangles(w.a)),
    ("rings(hexes)", "rings(a)", lambda w: rings(w.a, w)),
    ("rings(hexes)", "rings(board)", lambda w: rings(w.twin.hexes, w)),
    ("linked(groups,hexes)", "linked(groups(a), b)", linked_groups),
]


def runs_of_all_axes(w: World, low: int, high: float) -> list[frozenset[Hex]]:
    found: list[frozenset[Hex]] = []
    for axis in range(3):
        found += w.twin.runs_along(w.a, axis)
    return [run for run in found if max(2, low) <= len(run) <= high]


def first_of(places: set[Hex], w: World) -> set[Hex]:
    return {min(places, key=reading(w))} if places else set()


NUMBERS: Rows = [
    ("count(hexes)", "count(a)", lambda w: len(w.a)),
    ("count(groups)", "count(gs)", lambda w: len(w.gs)),
    ("span(hexes)", "span(a)", lambda w: w.twin.diameter(w.a) + 1 if w.a else 0),
    ("round()", "round",
     lambda w: w.state.stage[1] // PLAYERS + 1 if w.state.stage[0].startswith("turn") else 0),
    ("longest_way(hexes)", "longest_way(a & within(foremost(a), 2))",
     lambda w: longest_way(w.twin.within(first_of(w.a, w), 2) & w.a)),
    ("gold()", "gold", lambda w: w.state.seats[w.me].gold),
    ("gold(player)", "gold(p)", lambda w: w.state.seats[w.p].gold),
    ("distance(hexes,hexes)", "distance(a, b)", steps_between),
    ("distance(hexes,hexes)", "distance(b, a)", steps_between),
    ("distance(hexes,hexes)", "distance(a & b, a - b)", lambda w: steps(w, w.a & w.b, w.a - w.b)),
    ("distance(hexes,hexes)", "distance(foremost(a), foremost(b))",
     lambda w: steps(w, *({min(x, key=reading(w))} if x else x for x in (w.a, w.b)))),
    ("in_hand()", "in_hand", lambda w: len(w.state.seats[w.me].hand)),
    ("revealed_terrains()", "sum(count(terrain(x)) for x in revealed_terrains)",
     lambda w: len(revealed(w))),
    ("shown_terrains()", "sum(count(terrain(x)) for x in shown_terrains)",
     lambda w: len(face_up(w))),
    ("supply(piece)", "supply(kind)", lambda w: w.state.seats[w.me].supply[w.kind_of_piece]),
    ("cards(zone)", "cards(deck)", lambda w: sum(w.state.piles[0])),
    ("cards(zone)", "cards(discards)", lambda w: sum(w.state.piles[1])),
    ("cards(zone)", "cards(removed)", lambda w: sum(w.state.piles[2])),
    ("dead(verb)", "dead(build)", dead),
    ("cards(zone)", "cards(shown)", lambda w: len(w.state.shown)),
    ("held(tile)", "held(tile)", lambda w: len(tiles(w))),
    ("usable(tile)", "usable(tile)", lambda w: len(tiles(w, READY))),
    ("-(number,number)", "n - m", lambda w: w.n - w.m),
    ("-(number,number)", "0 - big - big - n", lambda w: bounded(bounded(-2 * w.big) - w.n)),
    ("-(number)", "-n", lambda w: -w.n),
    ("+(number,number)", "n + m", lambda w: w.n + w.m),
    ("+(number,number)", "big + big", lambda w: bounded(2 * w.big)),
    ("*(number,number)", "n * m", lambda w: w.n * w.m),
    ("*(number,number)", "big * big", lambda w: bounded(w.big**2)),
    ("/(number,number)", "n / m", lambda w: w.n // w.m if w.m else 0),
    ("/(number,number)", "big / m", lambda w: w.big // w.m if w.m else 0),
    ("most(number)", "most(count(x & a) for x in gs if count(x) > n)",
     lambda w: max((len(x & w.a) for x in w.gs if len(x) > w.n), default=0)),
    ("least(number)", "least(count(x & a) for x in gs if count(x) > n)",
     lambda w: min((len(x & w.a) for x in w.gs if len(x) > w.n), default=0)),
    ("sum(number)", "sum(count(x) * m for x in gs if any(x & a))",
     lambda w: sum(len(x) * w.m for x in w.gs if x & w.a)),
    ("sum(number)", "sum(big for x in gs)", lambda w: bounded(w.big * len(w.gs))),
    *(row for row in OVER_LISTS if not row[1].startswith("each")),
]  # fmt: skip

TRUTHS: Rows = [
    ("stuck(verb)", "stuck(build)", stuck),
    ("any(hexes)", "any(a & b)", lambda w: bool(w.a & w.b)),
    ("none(hexes)", "none(a & b)", lambda w: not w.a & w.b),
    ("drawing()", "drawing", lambda w: False),
    ("required()", "required", lambda w: False),
    ("in_play(card)", "in_play(rowers)", lambda w: "rowers" in cards(w, "play")),
    ("in_play(card)", "in_play(lords)", lambda w: "lords" in cards(w, "play")),
    ("my_turn()", "my_turn", lambda w: w.me == w.state.active),
    (
        "turn_to_come()",
        "turn_to_come",
        lambda w: w.state.stage[0] == "turn" and w.me > w.state.stage[1] % len(w.state.seats),
    ),
    ("finishing()", "finishing", lambda w: w.state.stage[0] == "finish"),
    ("repeated()", "repeated", lambda w: False),
    ("=(number,number)", "n = m", lambda w: w.n == w.m),
    ("!=(number,number)", "n != m", lambda w: w.n != w.m),
    ("<(number,number)", "n < m", lambda w: w.n < w.m),
    ("<=(number,number)", "n <= m", lambda w: w.n <= w.m),
    (">(number,number)", "n > m", lambda w: w.n > w.m),
    (">=(number,number)", "n >= m", lambda w: w.n >= w.m),
    ("=(hexes,hexes)", "a & b = b", lambda w: w.b <= w.a),
    ("=(player,player)", "p = me", lambda w: w.p == w.me),
    ("!=(player,player)", "p != me", lambda w: w.p != w.me),
    ("=(terrain,terrain)", "ground = lake",
     lambda w: w.ground >= 0 and id_of(w, "hexes", w.ground) == "lake"),
    ("=(piece,piece)", "kind = hut", lambda w: id_of(w, "pieces", w.kind_of_piece) == "hut"),
    ("=(tile,tile)", "tile = mill", lambda w: id_of(w, "tiles", w.tile) == "mill"),
    ("=(place,place)", "site = mound", lambda w: id_of(w, "hexes", w.site) == "mound"),
    ("!=(terrain,terrain)", "ground != lake",
     lambda w: w.ground < 0 or id_of(w, "hexes", w.ground) != "lake"),
    ("!=(piece,piece)", "kind != hut", lambda w: id_of(w, "pieces", w.kind_of_piece) != "hut"),
    ("!=(tile,tile)", "tile != mill", lambda w: id_of(w, "tiles", w.tile) != "mill"),
    ("!=(place,place)", "site != mound", lambda w: id_of(w, "hexes", w.site) != "mound"),
    ("and(truth,truth)", "t and u", lambda w: w.t and w.u),
    ("or(truth,truth)", "t or u", lambda w: w.t or w.u),
    ("not(truth)", "not t", lambda w: not w.t),
    ("any(truth)", "any(count(x & a) > n for x in gs if count(x) < 20)",
     lambda w: any(len(x & w.a) > w.n for x in w.gs if len(x) < 20)),
    ("all(truth)", "all(count(x & a) > n for x in gs if count(x) < 20)",
     lambda w: all(len(x & w.a) > w.n for x in w.gs if len(x) < 20)),
]  # fmt: skip

IN_OTHERS = {"at least(number)", "at most(number)", "exactly(number)"}  # in `touching` and `lines`
TEXTS = often(1, at_least=30)


REQUIRED = expression("required", {})


def test_every_word_has_a_twin() -> None:
    rows = [*SETS, *LISTS, *BAGS, *NUMBERS, *TRUTHS]
    keys = {word.signature.key for word in (*WORDS, *OPERATORS, *FOLDS)}
    assert keys - {key for key, _, _ in rows} == IN_OTHERS


@TEXTS
@given(worlds())
def test_sets(w: World) -> None:
    for _, text, twin in SETS:
        assert (text, w.asked(text)) == (text, set(twin(w)))


@TEXTS
@given(worlds())
def test_groups_in_order(w: World) -> None:
    for _, text, twin in LISTS:
        assert (text, w.asked(text)) == (text, list(twin(w)))


@TEXTS
@given(worlds())
def test_groups_in_any_order(w: World) -> None:
    for _, text, twin in BAGS:
        found, wanted = w.asked(text), map(set, twin(w))
        assert (text, sorted(map(sorted, found))) == (text, sorted(map(sorted, wanted)))


@TEXTS
@given(worlds())
def test_numbers_and_truths(w: World) -> None:
    for _, text, twin in (*NUMBERS, *TRUTHS):
        answer = w.asked(text)
        assert (text, answer) == (text, twin(w))
        assert type(answer) is (bool if (_, text, twin) in TRUTHS else int)


@given(worlds(5))
def test_a_card_is_due_where_the_machine_says_so(w: World) -> None:
    w.env["drawing"] = True
    assert w.asked("drawing") is True


@given(worlds(5))
def test_what_is_reused_knows_it(w: World) -> None:
    w.env["repeated"] = True
    assert w.asked("repeated") is True


@given(worlds(6))
def test_quantities_options_and_memories_are_words_too(w: World) -> None:
    assert w.asked("builds") == 3
    assert w.asked("lift_first") is True and w.asked("null_moves") is False
    memories = w.game.ruleset.memories
    seat = w.state.seats[w.me]
    assert w.asked("stored") == seat.memory[memories["stored"][1]]
    assert w.asked("visited") == w.board.places(seat.memory[memories["visited"][1]])
    assert w.asked("closed") == w.board.places(w.state.memory[memories["closed"][1]])


def test_what_is_required_of_the_player_in_turn_is_not_required_of_others() -> None:
    game = game_at(rules(), choose_table(rules(), 2, 3))
    state = game.start()
    while not rules().evaluate(REQUIRED, game.view(state, state.active, {})):
        state = game.apply(state, next(iter(game.legal_moves(state))))
    assert not rules().evaluate(REQUIRED, game.view(state, 1 - state.active, {}))


def test_an_action_is_required_while_it_is_being_done() -> None:
    table = choose_table(rules(), 2, 3)
    game = game_at(rules(), table)
    state, seen = game.start(), []
    for _ in range(6):
        moves = game.legal_moves(state)
        asked = game.view(state, state.active, {})
        seen.append((state.stage[0], rules().evaluate(REQUIRED, asked)))
        state = game.apply(state, next(iter(moves)))
    assert seen == [("setup", False)] * 2 + [("turn", False)] + [("turn", True)] * 2 + [
        ("turn", False)
    ]
