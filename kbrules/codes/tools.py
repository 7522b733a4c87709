"""KB035 to KB066: comparisons, pages, pictures, kernels, tables, parts to install."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import BOX, FOLDER

_OLD = tuple((f"older/{name}", text) for name, text in FOLDER.items())
_CARD = 'card talk "Talk":\n    "{}"\n    gold 1 per hex in mine\n'
_BOX = "expansion.yaml", BOX + "cards: [talk]\n"
_SHORT = "rules/talk.kb", _CARD.format("One gold for each of your pieces.")
_LONG = "rules/talk.kb", _CARD.format("One gold for each of your pieces, not of others. " * 40)
_MACHINE = Example("none", "It depends on what is installed, not on what an author writes.")
_EXTRA = Example("none", "It takes a program that asks for a kernel.")
_FOREIGN = Example("none", "It takes a program with several games.")

ENTRIES = (
    Code(
        "KB035",
        "not-comparable",
        "two things of different kinds are compared",
        "Rules are compared folder with folder, each a whole expansion, or file with file, of "
        "which one stands in the place of the other. A folder and a file have nothing in common "
        "that could differ.",
        wrong=Example("arguments", "diff . rules/game.kb"),
        right=Example("arguments", "diff . older --positions 8 --games 0", _OLD),
    ),
    Code(
        "KB040",
        "no-coverage",
        "a file is no coverage",
        "The pages of `kbrules docs` tell what scenarios reached if they are given the file that "
        "`kbrules test --coverage-json FILE` writes. The file given cannot be read, or holds "
        "something else. Measure again, or leave the option out: the pages then say that nothing "
        "was measured. Nothing was written.",
        wrong=Example("arguments", "docs . --coverage expansion.yaml"),
        right=Example("arguments", "docs . --output pages"),
    ),
    Code(
        "KB041",
        "no-workshop-address",
        "a text is no address of a workshop",
        "The pages of `kbrules docs` lead into a workshop if they are told where one is: an "
        "address of `http` or `https`, or a path that counts from the first page of the site. "
        "The text given is neither. What follows `#` is written by the pages themselves. Nothing "
        "was written.",
        wrong=Example("arguments", "docs . --workshop javascript:1"),
        right=Example("arguments", "docs . --workshop ../workshop/ --output pages"),
    ),
    Code(
        "KB045",
        "missing-extra",
        "a part of kbrules is not installed",
        "The core of kbrules needs four libraries only. What few people use, such as pictures in "
        "dots and sheets for a printer, needs more of them, and those come with an extra. Install "
        "the extra that the message names, for example by `pip install 'kbrules[pictures]'`, and "
        "do the same again. Pictures in dots also need the system's library `cairo`.",
        wrong=_MACHINE,
        right=_MACHINE,
    ),
    Code(
        "KB046",
        "small-print",
        "the wording of a card can hardly be read",
        "A card is 63 by 88 millimetres, and its wording is never cut: the longer it is, the "
        "smaller its letters. This one needs letters of less than five points. The card was made "
        "all the same. Say it in fewer words; what a rule does in rare cases belongs into a rule "
        "book.",
        wrong=Example("arguments", "cards talk --with . --svg out", (_BOX, _LONG)),
        right=Example("arguments", "cards talk --with . --svg out", (_BOX, _SHORT)),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB061",
        "no-memory",
        "there is not enough memory",
        "The system gave kbrules no more memory. What was written before is whole, and games that "
        "were finished stay in their file. Close other programs, raise the limit (`ulimit -v`), or "
        "ask for less at once: fewer `--jobs`, fewer boxes, a smaller bot.",
        wrong=_MACHINE,
        right=_MACHINE,
    ),
    Code(
        "KB062",
        "system-refuses",
        "the system does not do what was asked",
        "A file, a folder or a stream cannot be opened, read or written, for the reason that the "
        "system gives: the name is too long, links lead round in a circle, the disk is full, too "
        "many files are open, the folder one is in was deleted. Nothing is left half-written.",
        wrong=_MACHINE,
        right=_MACHINE,
    ),
    Code(
        "KB065",
        "not-lowered",
        "no kernel can be made of the rules",
        "Whole games and games in place are played by a kernel: the rules of a table as one "
        "program. It knows every word and step that come with the engine; in machine code there is "
        "an end to the number of hexes. The message names what is in the way, and where. "
        "Nothing else is wrong with the rules: by states, and by the engine "
        "`reference`, they are played game by game the same, and slower.",
        wrong=_EXTRA,
        right=_EXTRA,
    ),
    Code(
        "KB066",
        "other-table",
        "a state, save or board belongs to another table, or was changed",
        "Games in Python take what was made at their own table: the same rules, options, number of "
        "players, cards and board. The message says what differs. A saved game is refused as well "
        "if it was changed after it was saved, if another engine saved it, or if it was saved by "
        "another version of kbrules. Nothing is changed by what was refused.",
        wrong=_FOREIGN,
        right=_FOREIGN,
    ),
)
