"""The guarded YAML reader: text to plain data with places, or findings; never an exception.

The parser yields one event after the other and is stopped at the first that goes too far, so
no hostile file gets to spend its time or depth. Values are made here, not by the parser: there
are no tags, aliases, dates or other surprises to construct.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic
from kbrules.library.reading import unseen_characters
from kbrules.library.yaml.document import Document, plain
from kbrules.library.yaml.errors import YamlError, parser_error
from kbrules.library.yaml.nodes import NodeBuilder
from kbrules.library.yaml.validation import validate
from kbrules.text import Source

if TYPE_CHECKING:
    from ruamel.yaml.events import Event

__all__ = ["LIMIT", "Document", "read_yaml", "validate"]

LIMIT = 128 * 1024  # bytes; read in about a second


def read_yaml(source: Source) -> tuple[Document | None, list[Diagnostic]]:
    """The data of a YAML text and all that is wrong with it.

    The data is there whenever the text could be read to its end, even if parts were refused:
    such parts are holes, about which `validate` keeps silent.
    """
    found = _unreadable(source)
    if found:
        return None, found
    builder = NodeBuilder(source)
    try:
        for event in _events(source.text):
            if not builder.take(event):
                return None, sorted(builder.diagnostics)
    except _ParserGaveUp as broken:
        error: YamlError = broken.args[0]
        mark = Diagnostic(error.code, error.span(source), error.message, error.help)
        return None, sorted([*builder.diagnostics, mark])
    root = builder.root()
    return Document(source, root, plain(root)), sorted(builder.diagnostics)


def _unreadable(source: Source) -> list[Diagnostic]:
    size = len(source.text)
    if size > LIMIT or len(source.text.encode("utf-8", "replace")) > LIMIT:
        start = source.span(0, 0)
        message = f"the data is larger than {LIMIT // 1024} KiB"
        return [Diagnostic("KB003", start, message, "split it into several files")]
    return unseen_characters(source)


class _ParserGaveUp(Exception):
    """Carries the complaint about a text that the parser gave up on."""


def _events(text: str) -> Iterator[Event]:
    from ruamel.yaml import YAML

    events = YAML(typ="safe", pure=True).parse(text)
    while True:
        try:
            event: Any = next(events)
        except StopIteration:
            return
        except Exception as error:  # on hostile text the parser may also fail in ways of its own
            raise _ParserGaveUp(parser_error(error)) from error
        yield event
