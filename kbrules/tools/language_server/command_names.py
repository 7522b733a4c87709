"""The names of the commands, and what they are called with."""

from __future__ import annotations

from enum import StrEnum


class CommandName(StrEnum):
    """The commands of the server."""

    WHY = "kbrules.why"
    BOARD = "kbrules.board"
    TEST = "kbrules.test"
    BALANCE = "kbrules.balance"
    EXAMPLE = "kbrules.example"
    PLAY = "kbrules.play"
    WORKSHOP = "kbrules.workshop"


COMMANDS: dict[CommandName, tuple[str, str, str]] = {
    CommandName.WHY: (
        "Why here",
        "address, line or test, hex",
        "`text`: why a move is legal at that hex or not. Without a hex the server asks for one.",
    ),
    CommandName.BOARD: (
        "Open the board",
        "address, line or test",
        "`uri`: a picture (SVG) of the board, which the editor is asked to show.",
    ),
    CommandName.TEST: (
        "Run tests",
        "address, line or test",
        "`passed`, `failed` and `tests`: each `id`, `title`, `range`, `holds`, `found`. "
        "Without a line or a test all of the file; findings are marked.",
    ),
    CommandName.BALANCE: (
        "Measure the card",
        "address, card or line, number of games",
        "`text`: what the card pays beside others. Progress is shown, and can be cancelled.",
    ),
    CommandName.EXAMPLE: (
        "Write a scenario of the highest payment",
        "address, card or line",
        "`uri` and `text`: a scenario of the game in which the card paid most when it was "
        "measured. The editor is asked to write it.",
    ),
    CommandName.PLAY: (
        "Play in the terminal",
        "address",
        "`command`: the words to run in a terminal, and the `folder` to do so in.",
    ),
    CommandName.WORKSHOP: (
        "Open the workshop",
        "address",
        "`address`: a page on this machine, which the editor is asked to show.",
    ),
}
"""Of each command its title, what it is called with, and what it answers.

A line counts from 0 and means what stands there; a test or a card is named by its id.
"""
