"""KB065 and above: the native program of the extra `fast`."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_EXTRA = Example("none", "It takes a program that asks for the extra `fast`.")

ENTRIES = (
    Code(
        "KB065",
        "not-lowered",
        "no native program can be made of the rules",
        "With the extra `fast` the rules of a table are turned into a native program that plays "
        "whole random games. It does not know every way to put things: a jump in a straight line "
        "needs a number of steps that is written out, a `for` that asks the player something needs "
        "groups that the board fixes, and there is an end to the number of actions, tiles and "
        "hexes. The message names what is in the way, and where. Nothing else is wrong with the "
        "rules: the plain engine plays them, game by game the same, and slower.",
        wrong=_EXTRA,
        right=_EXTRA,
    ),
)
