"""From KB730 on: warnings about maps, and about rules on all boards that the maps can form."""

from __future__ import annotations

from dataclasses import replace

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import HEAD

_TABLE = "players: {least: 2, most: 2}\ntable: {rows: 1, columns: 1}\n"
_BOX = f"""\
{HEAD}{_TABLE}section: {{rows: 4, columns: 4}}
terrains:
  heath: {{letter: H}}
  lake: {{letter: L}}
places: {{yard: {{letter: Y}}}}
pieces: {{hut: {{letter: h, supply: 8}}}}
deck: [{{terrains: [heath], count: 4}}]
sections:
  north:
    rows: |
"""
_ROWS = "HHHH HYHH HLLH HHHL"
_MOOR = "terrains:\n  moor: {letter: M}\n"
_TILE = "tiles: {quay: {kind: location, place: yard, each: 2}}\n"
_DIGIT = '    places: {"1": quay}\n    rows: |\n'
_QUAY = """\
location quay "Quay":
    "Build one piece next to a quay."
    action:
        build 1 on adjacent(yard)
    example:
        | 1 .+
        |  .+ .a
        offers
"""
_SOUTH = "HHLH HLHH HHYH HHHH"


def _map(rows: str) -> str:
    """Rows, drawn as a file has them."""
    lines = (" " * (6 + index % 2) + " ".join(row) for index, row in enumerate(rows.split()))
    return "".join(f"{line}\n" for line in lines)


def _box(rows: str = _ROWS, south: str = "") -> Example:
    second = f"  south:\n    rows: |\n{_map(south)}" if south else ""
    return Example("expansion", _BOX + _map(rows) + second)


def _with_quay(*texts: str) -> Example:
    """The box with a tile, of which there is a rule, and some texts replaced."""
    box = _changed("deck: [", _TILE + "deck: [", *texts)
    return replace(box, beside=(("rules/quay.kb", _QUAY),))


def _changed(*texts: str) -> Example:
    """The box with some texts replaced, each by the one that follows it."""
    box = _BOX + _map(_ROWS)
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        box = box.replace(old, new, 1)
    return Example("expansion", box)


def _of_large_sections(each_way: int) -> Example:
    """A table of so many sections of 16 x 16 hexes each way."""
    rows = ["H" * 16] * 16
    rows[3] = "HHYHHHLLHHHHHHHH"
    table = "table: {{rows: {0}, columns: {0}}}"
    box = _BOX.replace("{rows: 4, columns: 4}", "{rows: 16, columns: 16}")
    box = box.replace(table.format(1), table.format(each_way))
    return Example("expansion", box + _map(" ".join(rows)))


def _entry(code: str, slug: str, title: str, explanation: str, *examples: Example) -> Code:
    wrong, right = examples
    return Code(code, slug, title, explanation, wrong, right, severity="warning", claim="exact")


def _rules(code: str, slug: str, title: str, explanation: str, *sets: str) -> Code:
    """An entry of which the examples pay for hexes."""
    rule = 'rule prize "A prize":\n    "Gold for pieces."\n    gold 1 per hex in mine & {}\n'
    wrong, right = (Example("rules", rule.format(each), (), "moor") for each in sets)
    return _entry(code, slug, title, explanation, wrong, right)


ENTRIES = (
    _entry(
        "KB730",
        "place-at-rim",
        "a place lies at the rim of a map",
        "A section lies beside others in any order, so that what stands at its rim may come to "
        "touch whatever stands at theirs. Two places side by side give one piece the good of "
        "both. Draw places at least one hex inside.",
        _box("HYHH HHHH HLLH HHHL"),
        _box(),
    ),
    _entry(
        "KB731",
        "places-touch",
        "two places touch",
        "One piece between two places takes from both, and rules that link places would link these "
        "without a piece. On printed maps no two places touch. Draw them apart.",
        _box("HHHH HYYH HLLH HHHL"),
        _box(),
    ),
    _entry(
        "KB732",
        "pocket",
        "ground is walled in",
        "A hex or two of the terrains that cards show, or all that a map has of such a terrain, "
        "lies inside of hexes that no card shows and does not reach the rim. Pieces that spread "
        "from hex to hex never come there. Open a way.",
        _box("LLLL LHLL LLLH HHHH"),
        _box(),
    ),
    _entry(
        "KB733",
        "terrain-on-no-map",
        "cards show a terrain that no map has",
        "Whoever is dealt such a card has no hex to use it on, on any board. Draw the terrain on "
        "some map, or take the card out of the deck. If another box brings the maps, suppress the "
        "warning with that reason.",
        _changed("deck: [", "deck: [{terrains: [moor], count: 2}, ", "terrains:\n", _MOOR),
        _box(),
    ),
    _entry(
        "KB734",
        "board-too-small",
        "there are more pieces than hexes",
        "The smallest board that the maps can form has fewer hexes than the most players have "
        "pieces, so that supplies cannot be used up. Where a game ends with a supply, it may never "
        "end. Lessen the supply or draw larger maps.",
        _changed("supply: 8", "supply: 9"),
        _box(),
    ),
    _entry(
        "KB735",
        "same-map",
        "two sections have the same map",
        "One of two sections is drawn as the other, or as the other looks when it is turned. There "
        "are fewer boards than there seem to be. Draw another map.",
        _box(south=_ROWS),
        _box(south=_SOUTH),
    ),
    _entry(
        "KB736",
        "turned-map-is-same",
        "a map is the same when it is turned",
        "Sections may lie upright or turned by half a turn, and on this map that makes no "
        "difference. Change a hex or two, and it serves for two.",
        _box("HHHL LHHH HHHL LHHH"),
        _box("HHHL LHHH HHHL HHHH"),
    ),
    _rules(
        "KB737",
        "empty-on-every-board",
        "a set is empty on every board",
        "The maps alone decide these hexes, and on no board that the loaded sections can form is "
        "there one. The message names the fewest clauses that rule all hexes out. What was looked "
        "at is said: all boards (exact) or some (sampled).",
        "heath & adjacent(inside(lake))",
        "heath & adjacent(lake)",
    ),
    _rules(
        "KB738",
        "needless-on-every-board",
        "a clause is needless on every board",
        "The maps alone decide these hexes, and on no board that the loaded sections can form does "
        "the clause change which of them are meant: others say it already. Leave it out.",
        "heath & (heath | lake)",
        "heath & adjacent(lake)",
    ),
    _entry(
        "KB739",
        "tile-on-no-map",
        "a tile lies on no map",
        "The tile lies on places that the maps name, and none of the loaded maps names it. Nobody "
        "can come by it in a game, though its examples and scenarios work. Give it a digit on a "
        "section, or `copies` if chance is to lay it out. If another box brings the map, suppress "
        "the warning with that reason.",
        _with_quay(),
        _with_quay("    rows: |\n", _DIGIT, "H Y H H", "H 1 H H"),
    ),
    _entry(
        "KB748",
        "too-large-natively",
        "a table is too large for native code",
        "In native code a set of hexes is one value of so many words, and there is an end to them: "
        "a table of some 60 x 60 hexes. Larger ones are played by the other engines alone, the "
        "same and slower, and `--fast` refuses them (KB065).",
        _of_large_sections(4),
        _of_large_sections(3),
    ),
)
