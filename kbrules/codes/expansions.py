"""KB4xx: the YAML data of an expansion."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import BOX, HEAD

_DALE = HEAD
_MOOR = HEAD + "terrains:\n  moor: {letter: M}\n"
_NORTH = _MOOR + "section: {rows: 2, columns: 3}\nsections:\n  north:\n    rows: |\n"
_TASK = _NORTH.replace("    rows", "    tasks: 1\n    rows")
_ROWERS = 'card rowers:\n    "One gold each."\n    gold count(mine)\n'
_SHOWN = "    example:\n        | .a . .\n        |  . .a .\n        gives 2\n"

ENTRIES = (
    Code(
        "KB401",
        "yaml-syntax",
        "the file is not well-formed YAML",
        "The file cannot be read as YAML beyond the marked place: a quote or bracket is not "
        "closed, a colon is missing, or a line is indented to a column no line above uses. Often "
        "the slip lies on the line before.",
        wrong=Example("expansion", "format: 1\nid: dale\ntitle: 'Dale\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB402",
        "unknown-key",
        "a key has no meaning here",
        "Only the keys that are known are read, and a key that is not known is most often a slip "
        "in spelling, so it is refused instead of being passed over. The help names a key that is "
        "spelt nearly so, or those there are.",
        wrong=Example("expansion", _DALE + "crads: []\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB403",
        "wrong-value",
        "a value is of the wrong kind or out of range",
        "The key is right, but what stands behind it is not what the key takes: text in place of "
        "a number, a single value in place of a list, or a number outside its limits. The message "
        "says what is wanted and what was found.",
        wrong=Example("expansion", _DALE + "players: {least: many}\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB404",
        "duplicate-key",
        "a key is given twice",
        "One of the two values would be lost without a word. The label shows where the key stands "
        "first. Keep one of them.",
        wrong=Example("expansion", _DALE + "title: The Vale\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB405",
        "yaml-feature",
        "a feature of YAML is not used here",
        "Anchors, aliases, merge keys, tags, directives and several documents in one file are "
        "refused. Data files do not need them, and they can make a small file stand for a huge or "
        "a surprising one. Write the values out.",
        wrong=Example("expansion", _DALE + "cards: &all []\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB406",
        "yaml-too-deep",
        "the data is nested too deeply or has too many parts",
        "Lists within lists are limited in depth, and a file is limited in the number of values, "
        "so that a file from a stranger cannot keep the computer busy. Real data stays far below "
        "the limits. Flatten the data or split the file.",
        wrong=Example("expansion", _DALE + "cards: " + "[" * 40 + "]" * 40 + "\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB407",
        "bad-section",
        "a section has the wrong number of rows or hexes",
        "A section is drawn row by row, one letter per hex, and every section of a game has the "
        "same number of rows and of hexes in a row. The marked row has too many or too few. The "
        "message says how many are wanted.",
        wrong=Example("expansion", _NORTH + "      M M M\n"),
        right=Example("expansion", _NORTH + "      M M M\n       M M M\n"),
    ),
    Code(
        "KB408",
        "unknown-letter",
        "a letter in a drawing stands for nothing",
        "Every letter of a drawing is the letter of a terrain, place or piece that an expansion "
        "declares. The marked letter is not one of them. Correct it, or declare what it means.",
        wrong=Example("expansion", _NORTH + "      M M M\n       M W M\n"),
        right=Example("expansion", _NORTH + "      M M M\n       M M M\n"),
    ),
    Code(
        "KB409",
        "entry-without-rule",
        "something in the box has no rule",
        "The data lists a card, tile or place, but no rule file says what it does. In play it "
        "would do nothing. Write its rule, or take it out of the list.",
        wrong=Example("expansion", BOX + "cards: [rowers]\n"),
        right=Example(
            "expansion", BOX + "cards: [rowers]\n", (("rules/rowers.kb", _ROWERS + _SHOWN),)
        ),
    ),
    Code(
        "KB410",
        "rule-without-entry",
        "a rule speaks of something that is not in the box",
        "The rule is for a card, tile or place that the data of its expansion does not list, so "
        "it could never come into play. Add the entry to the data, or delete the rule.",
        wrong=Example("rules", _ROWERS + _SHOWN),
        right=Example("rules", _ROWERS + _SHOWN, (("expansion.yaml", BOX + "cards: [rowers]\n"),)),
    ),
    Code(
        "KB411",
        "id-taken",
        "two things have the same id",
        "Ids are what rules, scenarios and logs call things by, so no two things of all loaded "
        "expansions may share one. The label shows the other. Give the new thing another id. What "
        "two boxes say differently of one number, or of the table, clashes in the same way; a box "
        "that means to change it says so under `instead`, and only one of those loaded may.",
        wrong=Example("expansion", _MOOR + "places:\n  moor: {letter: N}\n"),
        right=Example("expansion", _MOOR + "places:\n  fen: {letter: N}\n"),
    ),
    Code(
        "KB412",
        "missing-key",
        "a key that is needed is not there",
        "The marked part of the file lacks a key that has no default. The message names the key "
        "and says what its value is. Add it.",
        wrong=Example("expansion", "format: 1\nid: dale\n"),
        right=Example("expansion", _DALE),
    ),
    Code(
        "KB413",
        "unknown-id",
        "an id names nothing that is loaded",
        "The data speaks of a thing by its id, but no loaded expansion has a thing of that id. "
        "If a known id is spelt nearly so, the help names it. Otherwise name the expansion that "
        "brings it.",
        wrong=Example("expansion", _MOOR + "deck: [{terrains: [mor], count: 5}]\n"),
        right=Example("expansion", _MOOR + "deck: [{terrains: [moor], count: 5}]\n"),
    ),
    Code(
        "KB414",
        "not-enough",
        "a table can need more than the boxes hold",
        "Tiles with `copies` are drawn for the places that a map leaves without one, those of "
        "`sector_tiles` for whole sectors, and tasks come into play with sections. None is drawn "
        "twice, so there must be enough for the sections that need most. Add some.",
        wrong=Example("expansion", _TASK + "      M M M\n       M M M\n"),
        right=Example("expansion", _NORTH + "      M M M\n       M M M\n"),
    ),
    Code(
        "KB415",
        "unfinished-map",
        "a map has hexes that are still to be drawn",
        "A question mark in a drawing holds the place of a hex until somebody draws it, as in the "
        "blank that `kbrules new section` makes. Put a letter, a digit or `-` in place of each.",
        wrong=Example("expansion", _NORTH + "      M M ?\n       ? M M\n"),
        right=Example("expansion", _NORTH + "      M M M\n       M M M\n"),
    ),
)
