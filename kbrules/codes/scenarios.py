"""KB5xx: scenarios, notation and logs; KB9xx: our own faults."""

from __future__ import annotations

from kbrules.codes.entry import Beside, Code, Example
from kbrules.codes.small_game import BOX

_BOARD = """\
format: 1
title: The first build
board:
  drawing: |
    H H Ha
     H H H
"""
_BUILT = _BOARD + "steps:\n  - build a1\n  - expect: {turn: b}\n"
_WIDE = _BOARD.replace("    H H Ha\n     H H H\n", "    H H H H H H\n     H H H H H H\n" * 3)
_PULLING = (
    "rules/pulling.kb",
    'rule pulling:\n    "Take a piece off the board."\n    action:\n        remove 1 from mine\n',
)
_PUSHING = (_PULLING[0].replace("pull", "push"), _PULLING[1].replace("pulling", "pushing"))
_WIDELY = """\
format: 1
title: A long row
board:
  drawing: |
    {row}
     H H
expect: {{turn: b}}
"""
_WINDING = (
    "rules/winding.kb",
    'rule winding:\n    "Nobody builds at the rim of a winding heath."\n'
    "    forbid build on edge if longest_way(mine) > 20\n",
)
_HUTS = ("expansion.yaml", BOX.replace("supply: 2", "supply: 60"))


def _row(huts: int) -> str:
    return " ".join(["Ha"] * huts)


def _card(hexes: str) -> Beside:
    """The file of a card that is paid for some hexes."""
    lines = f"    gold 1 per hex in {hexes}\n    example:\n        | Ha Ha\n        gives 2\n"
    return (("rules/rowers.kb", f'card rowers "Rowers":\n    "One gold each."\n{lines}'),)


_LATER = 'define near "Hexes next to yours.": adjacent(mine)\n'

ENTRIES = (
    Code(
        "KB501",
        "unreadable-move",
        "a move cannot be read",
        "A move is a verb and the hexes or things it speaks of, such as `build c4`. The marked "
        "text is not written so. The help shows how the verb is written.",
        wrong=Example("scenario", _BOARD + "steps:\n  - bild?? a1\n"),
        right=Example("scenario", _BUILT),
    ),
    Code(
        "KB502",
        "illegal-move",
        "a move is against the rules",
        "The move can be read, but the rules do not offer it at this point. The message names the "
        "rule that refuses it and where it is written. Correct the move, or state under `refused` "
        "that it is to be refused.",
        wrong=Example("scenario", _BUILT + "  - build a1\n"),
        right=Example("scenario", _BUILT + "  - build a2\n"),
    ),
    Code(
        "KB503",
        "ambiguous-move",
        "a move can be read in more than one way",
        "More than one rule offers a move written like this, and they do different things. Add "
        "the name of the rule that is meant; the help lists the readings.",
        wrong=Example("scenario", _BOARD + "steps:\n  - remove c1\n", (_PULLING, _PUSHING)),
        right=Example(
            "scenario", _BOARD + "steps:\n  - 'pulling: remove c1'\n", (_PULLING, _PUSHING)
        ),
    ),
    Code(
        "KB504",
        "bad-position",
        "a position cannot exist",
        "The scenario sets up what no table can show: two pieces on a hex that holds one, more "
        "pieces than the box has, or a player who does not take part. Positions that play would "
        "not reach are welcome, but they must be possible to lay out.",
        wrong=Example("scenario", _BOARD.replace("H H", "Ha Ha") + "expect: {over: no}\n"),
        right=Example("scenario", _BOARD + "expect: {over: no}\n"),
    ),
    Code(
        "KB505",
        "expectation-failed",
        "a scenario found something else than it expects",
        "The scenario ran, and what it states does not hold. The message gives what was expected "
        "and what was found. Either the rule or the scenario is wrong; `explain` shows which "
        "sentence of the rules decided.",
        wrong=Example("scenario", _BOARD + "expect:\n  refused: [build a1]\n"),
        right=Example("scenario", _BOARD + "expect:\n  refused: [build c1]\n"),
    ),
    Code(
        "KB506",
        "bad-hex",
        "a hex is not written rightly or is not on the board",
        "A hex is written as a column letter and a row number, such as `c4`; on a board beside "
        "the main one its name stands in front. The marked hex is written otherwise or lies "
        "outside the board. The message names the first and the last hex there are.",
        wrong=Example("scenario", _BOARD + "expect:\n  offered: {building: {includes: [a77]}}\n"),
        right=Example("scenario", _BOARD + "expect:\n  offered: {building: {includes: [a1]}}\n"),
    ),
    Code(
        "KB507",
        "search-bound",
        "too much would have to be looked at",
        "What is `reachable` or `unreachable` is found out by looking at every position that is as "
        "many decisions away, the nearest first, and 5000 of them were looked at without an "
        "answer. Ask for fewer decisions, or make the first of them as steps of the scenario.",
        wrong=Example("scenario", _WIDE + "expect: {unreachable: {within: 20, over: yes}}\n"),
        right=Example("scenario", _WIDE + "expect: {unreachable: {within: 1, over: yes}}\n"),
    ),
    Code(
        "KB508",
        "silent-end",
        "a turn ends in a scenario, and the scenario does not say so",
        "The marked move was the last thing its player could do in the turn, so play went on to "
        "the next player by itself. Who reads the scenario cannot see that. Say who is to decide "
        "by `turn` in an `expect` after the move; a step `end turn`, a `draw` and what is "
        "expected of `over` say enough by themselves.",
        wrong=Example("scenario", _BOARD + "steps:\n  - build a1\n"),
        right=Example("scenario", _BUILT),
        severity="warning",
    ),
    Code(
        "KB509",
        "not-run",
        "a test is not run, because what it needs has a mistake",
        "A card, tile or defined word has a mistake, which is told at its place. Until it is "
        "mended, its own examples are not run, nor are scenarios that name it or have it on their "
        "table. All other tests run. A mistake in a rule of any other kind keeps every test from "
        "being run, since it changes what they mean.",
        wrong=Example("arguments", "test .", _card("huts"), "moor"),
        right=Example("arguments", "test .", _card("mine"), "moor"),
    ),
    Code(
        "KB510",
        "bad-log",
        "a log cannot be read",
        "A log is a header and then one line per move, each complete and numbered. The marked "
        "line is cut off, changed, or not of this form. The moves before it are good and can be "
        "replayed.",
        wrong=Example("log", '- "number": 2\n+ "number": 3\n'),
        right=Example("log", ""),
    ),
    Code(
        "KB511",
        "replay-differs",
        "replaying a log leads to another position",
        "The log keeps a mark of the position after each move, and the replay came to a position "
        "with another mark. The log was changed by hand, or the program has changed its meaning, "
        "which is our fault; please report it then.",
        wrong=Example("log", "- building: build b1\n+ building: build c1\n"),
        right=Example("log", ""),
    ),
    Code(
        "KB512",
        "other-rules",
        "a log was played by other rules",
        "The log names the rules it was played by, and they differ from those loaded now in text, "
        "expansions or options. Replaying it would be guesswork. Load the rules the log names.",
        wrong=Example("log", "", (("rules/later.kb", _LATER),)),
        right=Example("log", ""),
    ),
    Code(
        "KB513",
        "too-large-group",
        "`longest_way` is asked of too large a group",
        "The longest way within a connected group of hexes is always found exactly, which would "
        "take too long in a group of more than 40 hexes, whatever its shape. A player of this "
        "table has a larger group of pieces. Ask for the longest way within a smaller set, such as "
        "what lies of your pieces in each sector.",
        wrong=Example("scenario", _WIDELY.format(row=_row(41)), (_WINDING, _HUTS)),
        right=Example("scenario", _WIDELY.format(row=_row(40)), (_WINDING, _HUTS)),
    ),
    Code(
        "KB901",
        "internal",
        "we made a mistake",
        "Something failed that your files cannot be blamed for. Nothing of yours was changed. "
        "Please report it with the text shown and, if you can, the files that led to it.",
        wrong=Example("none", "nothing an author writes should lead here"),
        right=Example("none", "nothing an author writes should lead here"),
    ),
)
