"""Where a hex was legal only because one rule waived what is preferred."""

from __future__ import annotations

from kbrules.compile.whole.asked import when_lifted
from kbrules.compile.whole.plan import Asked
from kbrules.compile.whole.scribe import Scribe

NO = "False"


def strayed(scribe: Scribe, asked: Asked, names: tuple[str, str]) -> str:
    """The local name of whether the chosen hex strays; it must be asked before a piece lies there.

    Where several rules waive at once no one of them is needed.
    """
    if not asked.waivers or asked.strict is None:
        return NO
    lifted, hex = names
    found = scribe.new()
    scribe.line(f"{found} = False")
    scribe.share([*asked.waivers, asked.strict])
    with scribe.under(f"if {_one(scribe, asked)}:"):
        if lifted:
            mask = when_lifted(scribe, asked.strict, f"1 << {lifted}")
        else:
            mask = scribe.text(asked.strict)
        scribe.line(f"{found} = not {mask} >> {hex} & 1")
    return found


def _one(scribe: Scribe, asked: Asked) -> str:
    """Whether exactly one rule waives."""
    texts = [scribe.text(waiver) for waiver in asked.waivers]
    if len(texts) == 1:
        return texts[0]
    if len(texts) == 2:
        return f"{texts[0]} != {texts[1]}"
    return f"{' + '.join(f'(1 if {text} else 0)' for text in texts)} == 1"
