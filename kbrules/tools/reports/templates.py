"""The templates of pages: files in `kbrules/tools/templates`."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

__all__ = ["environment"]


@cache
def environment() -> Environment:
    """Where templates come from: all text is escaped, and an unknown name is an error."""
    return Environment(
        loader=PackageLoader("kbrules.tools", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
