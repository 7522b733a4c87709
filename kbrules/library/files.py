"""Files of rules and boxes as read, kept for as long as they do not change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kbrules.diagnostics import Diagnostic
from kbrules.game.things import Catalog
from kbrules.lang.parse import parse
from kbrules.lang.tree import Declaration
from kbrules.library.boxes import Box, read_box
from kbrules.library.catalog import merge
from kbrules.library.reading import read_source
from kbrules.library.tables import Parts
from kbrules.text import Source

__all__ = ["Files", "RuleFile", "parsed"]

Read = TypeVar("Read")
Stamp = tuple[int, int, int]
Merged = tuple[Catalog, Parts, list[Diagnostic]]


@dataclass(frozen=True, slots=True)
class RuleFile:
    """What a rule file says and what is wrong with it; no source if it could not be read."""

    source: Source | None
    declarations: tuple[Declaration, ...]
    findings: tuple[Diagnostic, ...]


def parsed(source: Source) -> RuleFile:
    """The declarations of a rule text."""
    declarations, findings = parse(source)
    return RuleFile(source, tuple(declarations), tuple(findings))


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """Reads files; one that has the same time, size and number as before is not read again.

    Boxes that are put together again are the same catalog as before.
    """

    _known: dict[tuple[str, str], tuple[Stamp, Any]] = field(default_factory=dict)
    _merged: dict[tuple[int, ...], tuple[list[Box], Merged]] = field(default_factory=dict)

    def rules(self, path: Path) -> RuleFile:
        """A rule file."""
        return self._kept("rules", path, _read_rules)

    def box(self, path: Path) -> tuple[Box | None, list[Diagnostic]]:
        """The data file of a box."""
        return self._kept("box", path, read_box)

    def merged(self, boxes: list[Box]) -> Merged:
        """The things and parts of all boxes together, and what does not fit together."""
        key = tuple(map(id, boxes))
        if key not in self._merged:
            self._merged[key] = [*boxes], merge(boxes)  # kept, so that no other takes their ids
        catalog, parts, findings = self._merged[key][1]
        return catalog, parts, [*findings]

    def _kept(self, kind: str, path: Path, read: Callable[[Path], Read]) -> Read:
        stamp = _stamp(path)
        known = self._known.get((kind, str(path)))
        if known is not None and stamp is not None and known[0] == stamp:
            found: Read = known[1]
            return found
        found = read(path)
        if stamp is not None:
            self._known[kind, str(path)] = stamp, found
        return found


def _read_rules(path: Path) -> RuleFile:
    source, findings = read_source(path)
    return parsed(source) if source is not None else RuleFile(None, (), tuple(findings))


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
