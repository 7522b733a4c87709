"""KB045 and above: pictures, and what of kbrules is not installed with its core."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

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
)
