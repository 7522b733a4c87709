"""The page of the site with all options, by the question that each answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kbrules.lang import tree
from kbrules.tools.explaining.options import heading_of, readings, value_text
from kbrules.tools.publishing.site.frame import Page, section, table
from kbrules.tools.publishing.site.markup import Content, Html, element, join, link
from kbrules.tools.publishing.site.names import Names
from kbrules.tools.publishing.site.shelf import Entry, Volume

__all__ = ["RULINGS", "rulings_page"]

RULINGS = "rulings.html"
_HEAD = ("question", "option", "default", "readings", "source", "read by")


def rulings_page(volumes: Sequence[Volume], names: Mapping[str, Names]) -> Page:
    """The page; names: those of each volume by its id."""
    parts = []
    for volume in volumes:
        rows = list(_rows(volume, names[volume.id]))
        if rows:
            parts.append(section(volume.title, table(_HEAD, rows)))
    body = join(*parts)
    return Page(RULINGS, "Rulings", "", "option question", body, (("Boxes", "index.html"),))


def _rows(volume: Volume, names: Names) -> Iterator[tuple[Content, ...]]:
    for entry in volume.entries:
        option = entry.declaration
        if isinstance(option, tree.Option):
            said = (f"{value}: {text}. " for value, text in _plain(option))
            default = value_text(volume.ruleset.options[entry.name])
            yield (
                heading_of(option), link(entry.path, entry.name), default, "".join(said),
                option.source, _readers(entry, volume, names),
            )  # fmt: skip


def _plain(option: tree.Option) -> Iterator[tuple[str, str]]:
    return ((value, text.rstrip(".")) for value, text in readings(option, option.default) if text)


def _readers(entry: Entry, volume: Volume, names: Names) -> Html:
    """The declarations that ask for an option."""
    found = [e for e in volume.visible if e is not entry and entry.name in names.uses[e.path]]
    return join(*(element("div", link(each.path, each.title)) for each in found))
