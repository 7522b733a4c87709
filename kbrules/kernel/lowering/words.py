"""Words of the language as calls of a kernel: `{0}` is the first argument, `{me}` the player."""

from __future__ import annotations

from functools import cache
from inspect import Parameter, signature

from kbrules.game.board import Catalog
from kbrules.kernel.lowering.writing import FunctionWriter
from kbrules.kernel.runtime import cards, geometry, pieces, ways
from kbrules.lang.typed import LISTS, Sort
from kbrules.library.rules.vocabulary import hex_tags, piece_tags

# Words of which the things of the boxes say what they mean: tags, kinds of terrain and piece.


def tagged(catalog: Catalog, tag: str) -> str | None:
    """The hexes of all that has a tag; None if nothing of the boxes can have it."""
    if tag in piece_tags(catalog):
        pieces = [i for i, piece in enumerate(catalog.pieces) if tag in piece.tags]
        return _joined([f"held_by_all(M, {piece})" for piece in pieces])
    if tag in hex_tags(catalog):
        kinds = [f"KINDS + {i} * W" for i, kind in enumerate(catalog.hexes) if tag in kind.tags]
        grids = [f"GRIDS + {i} * W" for i, grid in enumerate(catalog.grids) if tag in grid.tags]
        return _joined([f"load(M, {at})" for at in [*kinds, *grids]])
    return None


def neutral_pieces(catalog: Catalog) -> str:
    """The pieces of nobody."""
    pieces = [i for i, piece in enumerate(catalog.pieces) if piece.neutral]
    return _joined([f"load(M, NEUTRAL + {piece} * W)" for piece in pieces])


def areas(catalog: Catalog, fn: FunctionWriter) -> str:
    """The groups of each terrain, one list behind another."""
    at, number = fn.new_local("M[SCRATCH]"), fn.new_local("0")
    for i, kind in enumerate(catalog.hexes):
        if not kind.is_place:
            found = fn.new_local(f"groups(M, load(M, KINDS + {i} * W))")
            fn.line(f"{number} += {found}[1]")
    return f"({at}, {number})"


def kinds_on_board(catalog: Catalog, are_places: bool, fn: FunctionWriter) -> str:
    """A list of the terrains that lie on the board, or of the kinds of place."""
    kinds = [i for i, kind in enumerate(catalog.hexes) if kind.is_place is are_places]
    return _list(kinds, "some(load(M, KINDS + {} * W))", fn)


def piece_kinds(catalog: Catalog, fn: FunctionWriter) -> str:
    """A list of the kinds of piece that players have."""
    return _list([i for i, piece in enumerate(catalog.pieces) if not piece.neutral], "True", fn)


def _list(kinds: list[int], test: str, fn: FunctionWriter) -> str:
    """Where a list of those kinds lies for which a test holds: how many, and then each."""
    at = fn.new_local(f"allocate_scratch(M, {len(kinds) + 1})")
    fn.line(f"M[{at}] = 0")
    for number in kinds:
        with fn.block(f"if {test.format(number)}:"):
            fn.line(f"M[{at}] += 1")
            fn.line(f"M[{at} + M[{at}]] = {number}")
    return at


def _joined(sets: list[str]) -> str:
    return f"({' | '.join(sets)})" if sets else "nothing()"


HEAVY = frozenset({
    "connected(hexes,hexes)", "linked(hexes,hexes)", "linked(groups,hexes)", "groups(hexes)",
    "lines(hexes,range)", "parts(hexes,groups)", "within(hexes,number)", "slide(hexes,hexes)",
    "slide(hexes,hexes,hexes)", "next_in(hexes,hexes)", "next_in(hexes,hexes,hexes)",
    "reach(hexes,number,hexes)", "reach(hexes,number,hexes,hexes)",
    "straight(hexes,number,hexes)", "alike(hexes)", "span(hexes)",
    "triangles(hexes)", "rings(hexes)", "enclosed(hexes)", "ringed(hexes)", "longest_way(hexes)",
    "distance(hexes,hexes)",
    "open(verb)", "forbidden(verb)", "dead(verb)", "stuck(verb)", "quantity", "held(tile)",
    "usable(tile)", "fresh_from()", "cards(zone)", "played()",
})  # fmt: skip
"""Words so costly that it is worth testing first whether they are needed."""
PLAIN = {
    "&(hexes,hexes)": "({0} & {1})",
    "|(hexes,hexes)": "({0} | {1})",
    "-(hexes,hexes)": "({0} & ~{1})",
    "narrowed": "narrowed({0}, {1})",
    "-(number,number)": "bounded({0} - {1})",
    "-(number)": "(-{0})",
    "+(number,number)": "bounded({0} + {1})",
    # Gold may be larger than other numbers; their product has to fit into 64 bits as well.
    "*(number,number)": "bounded(bounded({0}) * bounded({1}))",
    "most(number,number)": "max({0}, {1})",
    "least(number,number)": "min({0}, {1})",
    "=(number,number)": "({0} == {1})",
    "!=(number,number)": "({0} != {1})",
    "<(number,number)": "({0} < {1})",
    "<=(number,number)": "({0} <= {1})",
    ">(number,number)": "({0} > {1})",
    ">=(number,number)": "({0} >= {1})",
    "=(hexes,hexes)": "(not some({0} ^ {1}))",
    "=(player,player)": "({0} == {1})",
    "!=(player,player)": "({0} != {1})",
    "=(terrain,terrain)": "({0} == {1})",
    "=(piece,piece)": "({0} == {1})",
    "=(tile,tile)": "({0} == {1})",
    "=(place,place)": "({0} == {1})",
    "=(card,card)": "({0} == {1})",
    **{f"!=({each},{each})": "({0} != {1})" for each in LISTS.values()},
    "not(truth)": "(not {0})",
    "at least(number)": "({0}, 1000000)",
    "at most(number)": "(0, {0})",
    "board()": "load(M, FULL)",
    "mine()": "load(M, seat_of({me}) + ALL)",
    "mine(piece)": "load(M, seat_of({me}) + PIECES + {0} * W)",
    "pieces(player)": "load(M, seat_of({0}) + ALL)",
    "occupied()": "load(M, OCCUPIED)",
    "stocked()": "load(M, STOCKED)",
    "adjacent(hexes)": "neighbours(M, {0})",
    "straight(hexes,number,hexes)": "straight_over(M, {0}, {1}, {2})",
    "slide(hexes,hexes)": "slide_over(M, {0}, {1}, load(M, FULL))",
    "slide(hexes,hexes,hexes)": "slide_over(M, {0}, {1}, {2})",
    "next_in(hexes,hexes)": "next_over(M, {0}, {1}, load(M, FULL))",
    "next_in(hexes,hexes,hexes)": "next_over(M, {0}, {1}, {2})",
    "reach(hexes,number,hexes)": "reach_over(M, {0}, {1}, {2}, load(M, FULL))",
    "reach(hexes,number,hexes,hexes)": "reach_over(M, {0}, {1}, {2}, {3})",
    "linked(hexes,hexes)": "linked_hexes(M, {0}, {1})",
    "linked(groups,hexes)": "linked_groups(M, {0}, {1})",
    "count(groups)": "{0}[1]",
    "count(players)": "(M[PLAYERS] - {0})",
    **{f"count({each})": "M[{0}]" for each in LISTS},
    "any(hexes)": "some({0})",
    "none(hexes)": "(not some({0}))",
    "gold()": "M[seat_of({me}) + GOLD]",
    "gold(player)": "M[seat_of({0}) + GOLD]",
    "mirrored(hexes)": "transformed(M, {0}, MIRRORED)",
    "flipped(hexes)": "transformed(M, {0}, FLIPPED)",
    "turned(hexes)": "transformed(M, {0}, TURNED)",
    "supply(piece)": "M[seat_of({me}) + SUPPLY + {0}]",
    "in_hand()": "M[seat_of({me}) + HAND]",
    "finishing()": "(M[STAGE] == FINISH)",
    "round()": "(M[INDEX] // M[PLAYERS] + 1 if M[STAGE] == TURN or M[STAGE] == TURN_OVER else 0)",
    "turn_to_come()": "is_turn_to_come(M, {me})",
    "in_play(card)": "(M[IN_PLAY + {0}] == 1)",
    "me()": "{me}",
    "players()": "0",
    "others()": "1",
    "revealed_terrains()": "record_of(M, M[REVEALED])",
    "my_turn()": "({me} == M[ACTIVE])",
    "played()": "terrain_played(M)",
    "scoring_cards()": "cards_at(M, COUNTS)",
    "waiting_cards()": "cards_at(M, BESIDE)",
    "drawing()": "False",
}
"""Words that are written out by means of others.

Players are represented by how far from the player the first of them sits, lists of terrains and
the like by where the number of them lies, with the items behind it.
"""
FUNCTIONS = {
    name: code
    for module in (geometry, ways, pieces, cards)
    for name, code in vars(module).items()
    if callable(code)
}
RUNTIME_TYPES = {
    Sort.HEXES: "Hexes",
    Sort.GROUPS: "Groups",
    Sort.RANGE: "Groups",
    Sort.TRUTH: "bool",
}
"""What the functions of the runtime call the sorts; any other is a number."""
CUTS = ("&(hexes,hexes)", "-(hexes,hexes)")
EACH = "each(hexes)"
"""The word that makes groups of what a loop answers."""
STARTS = {
    "most(number)": "0", "least(number)": "0", "sum(number)": "0", "any(truth)": "False",
    "all(truth)": "True", "union(hexes)": "nothing()", "count(truth)": "0",
}  # fmt: skip


@cache
def pattern_of(word: str) -> str | None:
    """How a word is written, by its key; None if the kernel has no form of it.

    A word that is not put together of others is the function of the runtime with its name, if
    that takes the same sorts.
    """
    name, _, taken = word.removesuffix(")").partition("(")
    if word in PLAIN or name not in FUNCTIONS:
        return PLAIN.get(word)
    sorts = [Sort(sort) for sort in taken.split(",") if sort]
    parameters = [*signature(FUNCTIONS[name]).parameters.values()]
    values = [each for each in parameters if each.name not in ("M", "me")]
    if [each.annotation for each in values] != [RUNTIME_TYPES.get(sort, "int") for sort in sorts]:
        return None
    texts = [f"{{{number}}}" for number in range(len(values))]
    return f"{name}({', '.join([*_before(parameters), *texts])})"


def _before(parameters: list[Parameter]) -> list[str]:
    """What a function takes before the arguments: the memory, and the player."""
    known = {"M": "M", "me": "{me}"}
    return [known[each.name] for each in parameters if each.name in known]
