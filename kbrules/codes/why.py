"""KB020-024: questions about a position, and the position they are asked about."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_BESIDE = (
    (
        "scenarios/first.scenario.yaml",
        """\
format: 1
title: One hut
board:
  drawing: |
    H  Ha H
     H  H  H
steps: [build a1]
expect: {pieces: {a: {hut: [a1, b1]}}}
""",
    ),
)
_GOLD = (
    (
        "rules/paying.kb",
        'rule paying "Paying":\n    "Gold for huts."\n    gold 1 per hex in mine\n',
    ),
    *_BESIDE,
)
_FIRST = "why scenarios/first.scenario.yaml"

ENTRIES = (
    Code(
        "KB020",
        "which-position",
        "it is not clear which position is meant",
        "A file of scenarios or rules may hold several positions: each scenario and each example "
        "is one. Write the name of one behind the path and `::`, as `kbrules test` prints it. A "
        "file with one position needs no name.",
        wrong=Example("arguments", f"{_FIRST}::Two-huts why c1", _BESIDE),
        right=Example("arguments", f"{_FIRST} why c1", _BESIDE),
    ),
    Code(
        "KB021",
        "bad-question",
        "a question cannot be read",
        "What is asked is about a hex (`why not f7`), a move (`why not build f7`, and of a piece "
        "that moves `why not move c3 f7`), or gold (`why red`, `why red` and a card). `why` and "
        "`not` may be left out; a hex alone asks for all that could be done there.",
        wrong=Example("arguments", f"{_FIRST} why not", _BESIDE),
        right=Example("arguments", f"{_FIRST} why not b1", _BESIDE),
    ),
    Code(
        "KB022",
        "unknown-player",
        "no player is called so",
        "Players are called by the letter on the board, by the number of the seat, or by their "
        "colour: `a`, `1` and `red` are the first. There are as many as the position has.",
        wrong=Example("arguments", f"{_FIRST} why orange", _BESIDE),
        right=Example("arguments", f"{_FIRST} why red", _BESIDE),
    ),
    Code(
        "KB023",
        "pays-nothing-here",
        "nothing of that name pays gold in this position",
        "Gold at the end comes from rules and from the cards in play. The name is that of neither; "
        "or the card is not one of those in play. A scenario names its cards under `cards`, and "
        "for a drawing `--card` does.",
        wrong=Example("arguments", f"{_FIRST} why red payng", _GOLD),
        right=Example("arguments", f"{_FIRST} why red paying", _GOLD),
    ),
    Code(
        "KB024",
        "no-such-moment",
        "there is no position after so many moves",
        "`--at` counts the moves of a log or the steps of a scenario, draws among them; 0 is the "
        "position before the first. Without it the last position is taken.",
        wrong=Example("arguments", f"{_FIRST} --at 7 why c1", _BESIDE),
        right=Example("arguments", f"{_FIRST} --at 1 why c1", _BESIDE),
    ),
)
