"""Watching files: changes are found by their times, and waited for with the system's help.

With the extra `watch` (watchfiles) the system tells of a save and nothing is done until then;
without it the times are read again and again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep

from kbrules.library.discovery import discover
from kbrules.library.reading import author_folder, data_root

ENDINGS = (".kb", ".yaml")
PAUSE = 0.02  # seconds between two scans
LONG_PAUSE = 0.3  # the same if the system tells of saves; it does not tell of all on every disk
SHARE = 10  # times longer than a scan takes is the pause, so that scanning stays cheap
SETTLED = 0.03  # seconds without a change after which a save is complete
MOST_SCANS = 40  # of a file that is written again and again

Stamp = tuple[int, int, int]


def watched_paths(paths: Sequence[Path], folders: Sequence[Path]) -> list[Path]:
    """Where changes matter: the paths, the author's folders they lie in, and further folders."""
    roots = list(paths) or [data_root("rules"), data_root("expansions"), Path()]
    own = [author_folder(path if path.suffix in ENDINGS else path / "any") for path in roots]
    watched = [*roots, *(folder for folder in own if folder is not None), *folders]
    return list(dict.fromkeys(path.absolute() for path in watched))


def watcher_of(paths: Sequence[Path]) -> FileWatcher:
    """The watcher of some paths, notified of saves by the system if watchfiles is installed."""
    try:
        from watchfiles import watch
    except ImportError:
        return FileWatcher(paths)
    existing = [path for path in paths if path.exists()]
    changes = watch(*existing, watch_filter=None, step=5, rust_timeout=30, yield_on_timeout=True)

    def pause(seconds: float) -> None:
        end = perf_counter() + seconds
        while perf_counter() < end and not next(changes, None):
            pass

    return FileWatcher(paths, pause, LONG_PAUSE)


class FileSaved(Exception):
    """A file was saved while a slow answer was computed: the answer is out of date."""


@dataclass(slots=True)
class FileWatcher:
    """The rule files, scenarios and data of boxes below some paths, with their last known times.

    `pause` waits for so many seconds, or less if something was saved; `min_pause` is the least
    between two scans.
    """

    paths: Sequence[Path]
    pause: Callable[[float], None] = sleep
    min_pause: float = PAUSE
    stamps: dict[Path, Stamp] = field(default_factory=dict)
    _last_check: float = 0.0

    def __post_init__(self) -> None:
        self.scan()

    def scan(self) -> set[Path]:
        """The files that are new, gone or changed since the last scan, by their absolute paths."""
        before, self.stamps = self.stamps, self._now()
        all_paths = before.keys() | self.stamps.keys()
        return {path for path in all_paths if before.get(path) != self.stamps.get(path)}

    def raise_if_saved(self) -> None:
        """Raise FileSaved if anything has changed since the last scan; looks every 20 ms."""
        now = perf_counter()
        if now - self._last_check > PAUSE:
            if self._now() != self.stamps:
                raise FileSaved
            self._last_check = perf_counter()

    def wait(self, timeout: float | None = None) -> set[Path]:
        """What has changed, as soon as something has; nothing after so many seconds without."""
        elapsed = 0.0
        while timeout is None or elapsed < timeout:
            start = perf_counter()
            if changed := self.scan():
                return changed | self._until_settled()
            pause = max(self.min_pause, SHARE * (perf_counter() - start))
            self.pause(pause)
            elapsed += pause
        return set()

    def _now(self) -> dict[Path, Stamp]:
        return {path: stamp for each in self.paths for path, stamp in _below(each)}

    def _until_settled(self) -> set[Path]:
        """What changes right after, until no file is half-written and all are saved."""
        saved: set[Path] = set()
        for _ in range(MOST_SCANS):
            self.pause(SETTLED)
            changed = self.scan()
            if not changed:
                break
            saved |= changed
        return saved


def _below(path: Path) -> Iterator[tuple[Path, Stamp]]:
    """Yield the files at a path with their times, without those that cannot be read."""
    found = [f for f in discover(path).files if f.suffix in ENDINGS] if path.is_dir() else [path]
    for file in found:
        with suppress(OSError):
            yield file, _stamp(os.stat(file))


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size, status.st_ino
