"""The closed set of sorts: every expression has exactly one."""

from __future__ import annotations

from enum import StrEnum


class Sort(StrEnum):
    """What an expression is. HOLE fits everywhere and stands for a reported mistake."""

    HEXES = "hexes"
    GROUPS = "groups"
    NUMBER = "number"
    TRUTH = "truth"
    PLAYER = "player"
    PLAYERS = "players"
    TERRAIN = "terrain"
    TERRAINS = "terrains"
    PLACE = "place"
    PLACES = "places"
    PIECE = "piece"
    PIECES = "pieces"
    TILE = "tile"
    TILES = "tiles"
    CARD = "card"
    CARDS = "cards"
    ZONE = "zone"
    VERB = "verb"
    RANGE = "range"
    MEMORY = "memory"
    WORD = "word"
    HOLE = "hole"


SORT_NAMES = {
    Sort.HEXES: "hexes",
    Sort.GROUPS: "groups of hexes",
    Sort.NUMBER: "a number",
    Sort.TRUTH: "yes or no",
    Sort.PLAYER: "a player",
    Sort.PLAYERS: "players",
    Sort.TERRAIN: "a terrain",
    Sort.TERRAINS: "terrains",
    Sort.PLACE: "a place",
    Sort.PLACES: "kinds of place",
    Sort.PIECE: "a piece",
    Sort.PIECES: "kinds of piece",
    Sort.TILE: "a tile",
    Sort.TILES: "tiles",
    Sort.CARD: "a card",
    Sort.CARDS: "cards",
    Sort.ZONE: "a pile of cards",
    Sort.VERB: "a verb",
    Sort.RANGE: "a range such as `at least 3`",
    Sort.MEMORY: "a memory",
    Sort.WORD: "a word",
    Sort.HOLE: "anything",
}

LISTS = {
    Sort.TERRAINS: Sort.TERRAIN,
    Sort.PLACES: Sort.PLACE,
    Sort.PIECES: Sort.PIECE,
    Sort.TILES: Sort.TILE,
    Sort.CARDS: Sort.CARD,
}
"""Lists of things of the boxes, and the sort of each."""
ELEMENT = {
    Sort.GROUPS: Sort.HEXES,
    Sort.HEXES: Sort.HEXES,
    Sort.PLAYERS: Sort.PLAYER,
    **LISTS,
}
"""What a `for` runs over, and the sort its variable has."""
