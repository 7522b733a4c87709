"""KB03x: what the tools that compare and try rules cannot work on."""

from __future__ import annotations

from kbrules.codes.dale import FOLDER
from kbrules.codes.entry import Code, Example

_OLD = tuple((f"older/{name}", text) for name, text in FOLDER.items())

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
)
