"""Where a step stands, and what every function of a program begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbrules.game.view import REPEATED
from kbrules.lang.core import Block

MAX_FIRINGS = 200
"""How often `whenever` rules may act in one turn, as in the machine."""

BOUND = ("actor", "here", "origin", "strayed")
"""What rules that follow an event may speak of."""


@dataclass(frozen=True, slots=True)
class Around:
    """Where a step stands.

    rule: the rule. active: whether the player has the turn. telling: whether it follows an event
    at once, so that what it leads to is told later. first: whether it is the first of its block.
    often: whether it is an action of the table itself, which most turns come to.
    given: the local name of a hex that was chosen for the first choice, or "". waiting: the same
    where it is not known beforehand which step that is for, so that the first with something to
    choose takes it (it is -1 afterwards); verb: what that choice is called. loop: of an `up to`
    loop of which this is the body, the local names of round and of "stopped", and whether the
    player may stop before the first round. again: whether it may be come to more than once.
    """

    rule: str
    active: bool = False
    telling: bool = False
    often: bool = False
    first: bool = False
    given: str = ""
    waiting: str = ""
    verb: str = ""
    loop: tuple[str, str, bool] | None = None
    again: bool = False


def usual(lines: list[str], repeating: bool, indent: str = "    ") -> list[str]:
    """The lines that put in local names what other lines use of a player's part."""
    used = used_of_player(lines, repeating)
    return [f"{indent}{name} = {value}" for name, value in used.items()]


def used_of_player(lines: list[str], repeating: bool) -> dict[str, str]:
    """The names under which lines use something of a player's part, and what that is."""
    text, view = "\n".join(lines), "t.views[me]"
    if repeating:
        view += f".bound({REPEATED!r}, True)"
    parts = {"seat": "t.seats[me]", "view": view, "below": "t.below[me]"}
    parts["pick"] = "t.picks[me]"
    return {
        name: value
        for name, value in parts.items()
        if re.search(rf"(?<![.\w]){name}\b", text)
    }


def rule_of(block: Block) -> str:
    """The id of the rule that a block belongs to."""
    return block.path.split("/", 2)[1]


def placed(block: Block) -> str:
    """Where a block stands, in words that are ours: the kind of its declaration and a line."""
    kind = block.path.split("/", 1)[0]
    return f"{kind}, line {block.steps[0].span.line}" if block.steps else kind
