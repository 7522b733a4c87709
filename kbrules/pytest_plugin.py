"""The face of scenarios in pytest: each `*.scenario.yaml` is a test file, each scenario a test.

Only files that say they are ours are taken: by naming our schema in their first line, or by a
`format:` at the left edge. Nothing of kbrules is loaded before such a file is met.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from kbrules.project.project import Project
    from kbrules.scenario.running import Case

SUFFIX = ".scenario.yaml"
SCHEMA = b"scenario.schema.json"
_SNIFFED = 4096  # bytes at the beginning of a file
_PROJECT = pytest.StashKey["Project"]()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioTestFile | None:
    """A collector for a scenario file of ours."""
    name = file_path.name
    if not name.endswith(SUFFIX) or name.startswith(".") or not _is_ours(file_path):
        return None
    file: ScenarioTestFile = ScenarioTestFile.from_parent(parent, path=file_path)
    return file


def _is_ours(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            head = opened.read(_SNIFFED)
    except OSError:
        return False
    lines = head.splitlines()
    return SCHEMA in b"".join(lines[:1]) or any(line.startswith(b"format:") for line in lines)


class ScenarioFailed(Exception):
    """A scenario that does not hold; its text is the report."""


class ScenarioWarning(UserWarning):
    """A scenario that holds and is hardly meant as it is written; its text is the report."""


class ScenarioTestFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator[ScenarioItem]:
        """One test per scenario; what is wrong with the file is reported at its line and column."""
        from kbrules.diagnostics import render_full

        project = _project(self.config)
        collection = project.cases([project.file(self.path)])
        if wrong := [*collection.findings, *collection.not_run]:
            text = "\n\n".join(map(render_full, wrong))
            raise self.CollectError(text)
        for each in collection.cases:
            item: ScenarioItem = ScenarioItem.from_parent(self, name=each.title, scenario=each)
            yield item


class ScenarioItem(pytest.Item):
    """One scenario."""

    def __init__(self, *, scenario: Case, **rest: Any) -> None:
        super().__init__(**rest)
        self._scenario = scenario

    def runtest(self) -> None:
        """Run it; what does not hold is raised, and what holds may be warned of."""
        outcome = self._scenario.run()
        if not outcome.passed:
            raise ScenarioFailed(outcome.text)
        if outcome.diagnostics:
            self.warn(ScenarioWarning(outcome.text))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The report alone: where in our code it was raised helps nobody."""
        if isinstance(excinfo.value, (ScenarioFailed, ScenarioWarning)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, the line (from 0) and the name of the scenario."""
        return self.path, self._scenario.span.line - 1, self.name


def _project(config: pytest.Config) -> Project:
    """Rule sets are loaded once in a session."""
    from kbrules.project.project import Project

    return config.stash.setdefault(_PROJECT, Project(base=config.rootpath))
