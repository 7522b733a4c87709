"""KB065 and above: kernels."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_EXTRA = Example("none", "It takes a program that asks for a kernel.")

ENTRIES = (
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
)
