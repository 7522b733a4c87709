"""Faults that no test notices, from a report of `kbrules test --mutate`, made into scenarios."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Edit
from kbrules.library.discovery import kind_of
from kbrules.scenario.reader import SUFFIX
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import CodeAction, Edits
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.mutation.faults import name_of

_MOST_FILES, _MOST_BYTES = 20, 4_000_000
_LONGEST = 60  # characters of a fault in a title
_FACTS = ("in", "file", "was", "now", "reason", "scenario")


@dataclass(frozen=True, slots=True)
class _Survivor:
    """A fault: what a sentence of a declaration was and became, and a scenario that notices it."""

    declaration: str
    file: str
    was: str
    now: str
    scenario: str


def noticing_scenarios(
    workspace: Workspace, path: Path, start: int, end: int
) -> Iterator[CodeAction]:
    """For each fault in the sentences from `start` to `end`, the scenario that was found for it.

    Reports are JSON files beside the data file of the box. A fault counts as long as the sentence
    stands there, and no scenario of the box is the one that was found.
    """
    home = workspace.group(path).home
    reported = [] if home is None else _reported(home)
    survivors = [each for each in reported if each.file == path.name]
    declarations = workspace.rules(path).declarations if survivors else ()
    spans = {name_of(each): each.span for each in declarations}
    for each in (each for each in survivors if each.declaration in spans):
        place = _sentence(workspace.source(path), spans[each.declaration], each.was)
        is_here = place is not None and place.start <= end and start <= place.end
        if home is not None and is_here and not _is_written(workspace, path, each.scenario):
            yield _written(workspace, home, each)


def _sentence(source: Source, declaration: Span, text: str) -> Span | None:
    """Where a sentence stands in a declaration; None if it is not there any more."""
    start, end = declaration.source.written(declaration.start, declaration.end)
    at = source.text.find(text, start, end)
    return None if at < 0 else source.span(at, at + len(text))


def _is_written(workspace: Workspace, path: Path, scenario: str) -> bool:
    files = (each for each in workspace.related(path) if kind_of(each) == "scenario")
    return any(scenario.strip() in workspace.text(each) for each in files)


def _written(workspace: Workspace, home: Path, survivor: _Survivor) -> CodeAction:
    name = survivor.declaration.rpartition(" ")[2]
    now = survivor.now.partition("\n")[0] or "the sentence left out"
    now = now if len(now) <= _LONGEST else f"{now[: _LONGEST - 3]}..."
    title = f"Write a scenario that would notice `{now}`"
    return CodeAction(title, new_scenario(workspace, home, name, survivor.scenario))


def new_scenario(workspace: Workspace, home: Path, name: str, text: str) -> Edits:
    """The edit that makes a file of a scenario, under a name that no file has."""
    folder = home.absolute() / "scenarios"
    folder = folder if folder.is_dir() else home.absolute()
    files = (folder / f"{name}_{number}{SUFFIX}" for number in count(1))
    file = next(each for each in files if not workspace.files.is_there(each))
    return {file: (Edit(Source(str(file), "").span(0, 0), text),)}


# Reports


def _reported(home: Path) -> list[_Survivor]:
    """The survivors without a reason in the newest report of a folder that has any."""
    files = sorted(home.glob("*.json"), key=_changed, reverse=True)[:_MOST_FILES]
    read = (_read(file.absolute(), _changed(file)) for file in files)
    return [*next((found for found in read if found), ())]


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=_MOST_FILES)
def _read(file: Path, changed: int) -> tuple[_Survivor, ...]:
    """What a file tells as it was changed last; nothing if it is no report."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return ()
        data = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    entries = data.get("survivors") if isinstance(data, dict) else None
    return tuple(_survivors(entries)) if isinstance(entries, list) else ()


def _survivors(entries: list[Any]) -> Iterator[_Survivor]:
    for each in entries:
        facts = [each.get(name) if isinstance(each, dict) else None for name in _FACTS]
        words = [fact for fact in facts if isinstance(fact, str)]
        if len(words) == len(_FACTS):
            declaration, file, was, now, reason, scenario = words
            if was and scenario and not reason:
                yield _Survivor(declaration, Path(file).name, was, now, scenario)
