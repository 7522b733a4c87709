"""The entry of coverage: caches whose games are recorded, and the measure afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbrules.library.load import rule_files
from kbrules.library.resources import RULES, author_folder
from kbrules.scenario.setup.cache import RulesetCaches
from kbrules.tools.checking.coverage.measure import Coverage, coverage_of
from kbrules.tools.checking.coverage.recorder import Recorder

__all__ = ["CoverageRun"]


class CoverageRun:
    """Caches whose games are watched. Begin once all is collected; what was laid out until
    then does not count."""

    def __init__(self) -> None:
        self._recorder = Recorder()
        self.caches = RulesetCaches(linking=self._recorder.linking)

    def begin(self) -> None:
        """Forget what was seen so far."""
        self._recorder.take()

    def end(self, paths: Sequence[Path]) -> Coverage:
        """What was seen of the rules that are meant by the paths that were run.

        These are an author's own, where there are such; else the rule files among the paths, and
        where there is none, all that were loaded.
        """
        files = {file.resolve() for file in _own(paths) or _among(paths)}

        def is_wanted(name: str) -> bool:
            return not files or Path(name).resolve() in files

        return coverage_of(self._recorder.rulesets, self._recorder.take(), is_wanted)


def _own(paths: Sequence[Path]) -> list[Path]:
    """The rule files of the authors' folders that paths lie in, or the one we are in."""
    homes = {author_folder(path / "x" if path.is_dir() else path) for path in paths or [Path("x")]}
    return [file for home in homes if home is not None for file in rule_files(home)]


def _among(paths: Sequence[Path]) -> list[Path]:
    """The rule files among some files and folders."""
    found = (path.rglob(f"*{RULES}") if path.is_dir() else [path] for path in paths)
    return [file for files in found for file in files if file.suffix == RULES]
