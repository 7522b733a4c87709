"""A position as a program gives it, by text or by values: laid as in a scenario, ready to play."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, RulesError, quoted
from kbrules.engine.game import Game
from kbrules.game.state import State
from kbrules.library.boxes import shipped_boxes
from kbrules.library.document import Document
from kbrules.library.yaml import read_yaml, validate
from kbrules.scenario.case import Case
from kbrules.scenario.names import unknown
from kbrules.scenario.ready import ready
from kbrules.scenario.shelf import Shelf, Shelves
from kbrules.text import Source, Span

__all__ = ["read_position"]

NAME = "position"


def read_position(
    given: str | Mapping[str, Any], folders: Iterable[str | Path] = ()
) -> tuple[Game, State]:
    """The game and the state of a position, written as at the top of a scenario file.

    `given` has the keys `board` and, as far as they are needed, `with`, `players`, `options`,
    `cards`, `position`, `turn` and `unchecked`, as YAML text or as the same values. The rules are
    those of the boxes under `with` and of authors' folders, read again only where files have
    changed. Raises RulesError with every finding, by line and column (for values, of the values
    written as JSON).
    """
    source = Source(NAME, given if isinstance(given, str) else _written(given))
    case, found = _case(source)
    if case is None:
        raise RulesError(found)
    shelf, found = _shelf(case, tuple(Path(folder) for folder in folders))
    if shelf is None:
        raise RulesError(found)
    begun, found = ready(case, shelf)
    if begun is None:
        raise RulesError(found)
    return begun.setting.game, begun.state


def _written(given: object) -> str:
    """Values as JSON, which is YAML too."""
    try:
        if not isinstance(given, Mapping):
            raise _no_value(given)
        text = json.dumps(_plain(given), indent=2, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError) as error:  # a number that is none, or values in a ring
        raise _wrong(f"the values cannot be written: {error}") from error
    return text


def _plain(value: object) -> Any:
    """A value as plain lists and tables; RulesError where no text could say it."""
    if isinstance(value, Mapping):
        return {_key(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise _no_value(value)


def _key(key: object) -> str:
    """A key is text; the digit of a legend may be a number."""
    if isinstance(key, str | int):
        return str(key)
    raise _no_value(key)


def _no_value(value: object) -> RulesError:
    return _wrong(f"a position has texts, numbers, lists and tables, not {quoted(repr(value))}")


def _wrong(message: str) -> RulesError:
    return RulesError([Diagnostic("KB403", Span.none(NAME), message)])


def _case(source: Source) -> tuple[Case | None, list[Diagnostic]]:
    """The position as a scenario that does nothing, and all that is wrong with its shape."""
    document, found = read_yaml(source)
    if document is None:
        return None, found
    from kbrules.scenario.models import CaseModel, TableModel

    table, more = validate(document, TableModel)
    found += more
    if table is None or found:
        return None, sorted(found)
    if table.board is None:
        return None, [_boardless(document)]
    values = {name: getattr(table, name) for name in TableModel.model_fields}
    own = frozenset(document.data)
    return Case(CaseModel.model_construct(title="", **values), document, (), own), []


def _boardless(document: Document) -> Diagnostic:
    help = "its value is `sections`, or a `drawing`"
    return Diagnostic("KB412", document.span_at(()), "this position lacks the key `board`", help)


@cache
def _shelves() -> Shelves:
    return Shelves()


def _shelf(case: Case, folders: tuple[Path, ...]) -> tuple[Shelf | None, list[Diagnostic]]:
    """A new shelf for the rules of a position: its board is not kept for others."""
    boxes, shipped = case.model.boxes, shipped_boxes()
    strange = [(i, box) for i, box in enumerate(boxes) if box not in shipped]
    if strange:
        return None, [unknown("box", box, shipped, case.span("with", i)) for i, box in strange]
    shelves = _shelves()
    shelves.renew()
    kept, found = shelves.of(shelves.boxes_for(boxes, folders), folders)
    return (None, list(found)) if kept is None else (Shelf(kept.ruleset), [])
