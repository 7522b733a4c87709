"""Markup that cannot be broken by what it holds: text is escaped unless it is markup already."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["ROOT", "Content", "Html", "element", "join", "link", "raw"]

ROOT = "\x00"
"""Stands before the address of a page of ours until it is known from where it is seen."""
_VOID = {"meta", "link", "input", "br"}


class Html(str):
    """Text that is markup."""

    __slots__ = ()


Content = Html | str | Iterable["Content"] | None


def element(tag: str, *content: Content, **attributes: str | bool | None) -> Html:
    """An element; a trailing `_` of an attribute is dropped, an inner one is a hyphen.

    An attribute that is None or False is left out, one that is True stands without a value.
    """
    opening = f"<{tag}{''.join(_attribute(*each) for each in attributes.items())}>"
    return Html(opening) if tag in _VOID else Html(f"{opening}{join(*content)}</{tag}>")


def _attribute(name: str, value: str | bool | None) -> str:
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(value)}"'


def join(*content: Content) -> Html:
    """Contents one behind the other."""
    return Html("".join(map(_text, content)))


def _text(content: Content) -> str:
    if content is None:
        return ""
    if isinstance(content, Html):
        return content
    if isinstance(content, str):
        return escape(content.replace(ROOT, ""))
    return join(*content)


def raw(text: str) -> Html:
    """Markup made elsewhere, whose text is escaped."""
    return Html(text.replace(ROOT, ""))


def link(to: str, *content: Content, class_: str | None = None) -> Html:
    """A link to a page of ours by its path from the top, perhaps with `#` and a place in it."""
    return element("a", *content, class_=class_, href=ROOT + to)
