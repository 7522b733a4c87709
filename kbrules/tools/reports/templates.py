"""The templates of pages: files in `kbrules/tools/templates`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def environment() -> Environment:
    """Where templates come from: all text is escaped, and an unknown name is an error."""
    jinja = Environment(
        loader=PackageLoader("kbrules.tools", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    jinja.filters["anchor"] = _anchor
    return jinja


def _anchor(title: str) -> str:
    """The id of a heading of ours; no id of an author has a hyphen."""
    return "part-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def render(template: str, **values: Any) -> Markup:
    """What a template makes of some values, as markup; `template` is its path."""
    return Markup(environment().get_template(template).render(values))


def source(name: str) -> str:
    """A style sheet or script that lies among the templates."""
    return (files("kbrules.tools") / "templates" / name).read_text(encoding="utf-8")
