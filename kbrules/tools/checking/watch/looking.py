"""Watching files by asking for their times; nothing is needed for it, and it works everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep

from kbrules.library.resources import author_folder, data_root

__all__ = ["Looker", "Saved", "places"]

ENDINGS = (".kb", ".yaml")
PAUSE = 0.02  # seconds between two looks
SHARE = 10  # times longer than a look takes is the pause, so that looking stays cheap
BURST = 0.005  # seconds in which files saved together are all there
LONGEST_BURST = 40  # looks

Stamp = tuple[int, int, int]


def places(paths: Sequence[Path], folders: Sequence[Path]) -> list[Path]:
    """Where to look for changes: what is asked for, the folders it lies in, and those beside it."""
    asked = list(paths) or [data_root("rules"), data_root("expansions"), Path()]
    homes = [author_folder(path if path.suffix in ENDINGS else path / "any") for path in asked]
    found = [*asked, *(home for home in homes if home is not None), *folders]
    return list(dict.fromkeys(path.absolute() for path in found))


class Saved(Exception):
    """Something was saved while a slow answer was sought: nobody waits for it any more."""


@dataclass(slots=True)
class Looker:
    """Rule files, scenarios and data of boxes at some places, as they were when last looked at.

    `pause` waits for so many seconds; another one may be given to be told of every wait.
    """

    places: Sequence[Path]
    pause: Callable[[float], None] = sleep
    seen: dict[Path, Stamp] = field(default_factory=dict)
    _breathed: float = 0.0

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> set[Path]:
        """The files that are new, gone or changed since the last look, by their absolute paths."""
        now = self._now()
        before, self.seen = self.seen, now
        return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}

    def breath(self) -> None:
        """Raises Saved if anything has changed since the last look; dear to ask, so not always."""
        now = perf_counter()
        if now - self._breathed > PAUSE:
            if self._now() != self.seen:
                raise Saved
            self._breathed = perf_counter()

    def wait(self, longest: float | None = None) -> set[Path]:
        """What has changed, as soon as something has; nothing after so many seconds without."""
        waited = 0.0
        while longest is None or waited < longest:
            begun = perf_counter()
            if changed := self.look():
                return changed | self._rest()
            pause = max(PAUSE, SHARE * (perf_counter() - begun))
            self.pause(pause)
            waited += pause
        return set()

    def _now(self) -> dict[Path, Stamp]:
        return {path: stamp for place in self.places for path, stamp in _below(place)}

    def _rest(self) -> set[Path]:
        """What changes right after: editors write, rename and delete, and save many files."""
        found: set[Path] = set()
        for _ in range(LONGEST_BURST):
            self.pause(BURST)
            more = self.look()
            if not more:
                break
            found |= more
        return found


def _below(place: Path) -> Iterator[tuple[Path, Stamp]]:
    """The files at a place with their times; what is gone or may not be read is not there."""
    try:
        if not place.is_dir():
            yield place, _stamp(os.stat(place))
            return
        entries = list(os.scandir(place))
    except OSError:
        return
    for entry in entries:
        yield from _entry(entry)


def _entry(entry: os.DirEntry[str]) -> Iterator[tuple[Path, Stamp]]:
    try:
        if entry.name.endswith(ENDINGS):
            yield Path(entry.path), _stamp(entry.stat())
        elif entry.is_dir(follow_symlinks=False) and not _is_skipped(entry.name):
            yield from _below(Path(entry.path))
    except OSError:
        return


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in ("__pycache__", "node_modules")


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size, status.st_ino
