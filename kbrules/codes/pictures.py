"""KB045 and above: pictures, and what of kbrules is not installed with its core."""

from __future__ import annotations

from kbrules.codes.dale import BOX
from kbrules.codes.entry import Code, Example

_CARD = 'card talk "Talk":\n    "{}"\n    gold 1 per hex in mine\n'
_BOX = "expansion.yaml", BOX + "cards: [talk]\n"
_SHORT = "rules/talk.kb", _CARD.format("One gold for each of your pieces.")
_LONG = "rules/talk.kb", _CARD.format("One gold for each of your pieces, not of others. " * 40)
_MACHINE = Example("none", "It depends on what is installed, not on what an author writes.")

ENTRIES = (
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
)
