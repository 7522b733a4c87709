"""What is asked of a table as name=value: rulings, and sections beside it."""

from __future__ import annotations

import re

from .findings import refuse

__all__ = ["ruling", "section_named"]

_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def ruling(text: str) -> tuple[str, bool | int]:
    """What `--option name=value` asks for; ends the command if it is nothing of the kind."""
    from kbrules.diagnostics import quoted

    name, equals, value = (part.strip() for part in text.partition("="))
    if equals and value.lower() in _TRUTHS:
        return name, _TRUTHS[value.lower()]
    if equals and re.fullmatch("-?[0-9]{1,9}", value):
        return name, int(value)
    refuse("KB009", f"{quoted(text)} is not name=value", "a value is yes, no or a number")


def section_named(text: str) -> tuple[str, str]:
    """What `--grid grid=section` asks for; ends the command if it is nothing of the kind."""
    from kbrules.diagnostics import quoted

    grid, _, section = (part.strip() for part in text.partition("="))
    if not grid or not section:
        refuse("KB009", f"{quoted(text)} is not grid=section")
    return grid, section
