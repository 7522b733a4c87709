"""The entry of coverage: the trace of games, and the measure of what was seen in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbrules.lang.typed import Norm
from kbrules.library.discovery import discover, kind_of, rule_files
from kbrules.library.file_cache import FileCache
from kbrules.library.reading import author_folder, real_path
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress, silent
from kbrules.scenario.setup import RulesetCaches
from kbrules.tools.checking.coverage.measure import Coverage, coverage_of
from kbrules.tools.tracing.linker import TracingLinker
from kbrules.tools.tracing.trace import PERMITS, EvaluationRecord, Trace


class CoverageTrace(Trace):
    """What was seen of all rules of the games that are traced, of any number of rule sets.

        trace = CoverageTrace()
        game = Game(ruleset, board, 2, linking=trace.linking)
        ...
        seen = trace.take()      # the bits of each place since the last `take`

    Kernels are not traced: the reference evaluates every expression.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rulesets: list[Ruleset] = []
        self._linkers: dict[int, TracingLinker] = {}

    def linking(self, ruleset: Ruleset) -> TracingLinker:
        """How the games of a rule set evaluate their expressions while they are traced."""
        if id(ruleset) not in self._linkers:
            self.rulesets.append(ruleset)
            self._linkers[id(ruleset)] = TracingLinker(ruleset, self)
        return self._linkers[id(ruleset)]

    def norm(self, kind: str, norm: Norm | None) -> EvaluationRecord | None:
        """A permit is judged by whether it permits anything, not by what others permit."""
        return None if kind == PERMITS else super().norm(kind, norm)


class CoverageRun:
    """Caches whose games are watched. Begin once all is collected; what was laid out until
    then does not count. on_progress: told how many files are read."""

    def __init__(self, on_progress: OnProgress = silent) -> None:
        self._trace = CoverageTrace()
        files = FileCache(on_progress=on_progress)
        self.caches = RulesetCaches(linking=self._trace.linking, _files=files)

    def begin(self) -> None:
        """Forget what was seen so far."""
        self._trace.take()

    def end(self, paths: Sequence[Path]) -> Coverage:
        """What was seen of the rules that are meant by the paths that were run.

        These are an author's own, where there are such; else the rule files among the paths, and
        where there is none, all that were loaded.
        """
        files = {real_path(file) for file in _author_rules(paths) or _rule_files(paths)}

        def is_selected(name: str) -> bool:
            return not files or real_path(Path(name)) in files

        return coverage_of(self._trace.rulesets, self._trace.take(), is_selected)


def _author_rules(paths: Sequence[Path]) -> list[Path]:
    """The rule files of the authors' folders that paths lie in, or the one we are in."""
    folders = {
        author_folder(path / "x" if path.is_dir() else path) for path in paths or [Path("x")]
    }
    return [file for folder in folders if folder is not None for file in rule_files(folder)]


def _rule_files(paths: Sequence[Path]) -> list[Path]:
    """The rule files among some files and folders."""
    groups = (discover(path).files if path.is_dir() else [path] for path in paths)
    return [file for files in groups for file in files if kind_of(file) == "rules"]
