"""The examples of the declaration at a place in a file: drawn, run, and what came of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog
from kbrules.library.boards.sections import DrawingSource
from kbrules.library.file_cache import FileCache
from kbrules.library.reading import real_path
from kbrules.scenario.collection import collect
from kbrules.scenario.examples import RuleExample
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCaches
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.scenes import scene_of_item
from kbrules.tools.workshop.requests import Refused
from kbrules.tools.workshop.writing.drawing import palette
from kbrules.tools.workshop.writing.offsets import place_of
from kbrules.tools.workshop.writing.working_copy import WorkingCopy


class Examples:
    """Runs the examples and scenarios of a working copy, with rule sets kept while they hold."""

    def __init__(self, copy: WorkingCopy, files: FileCache) -> None:
        self._copy = copy
        self._caches = RulesetCaches(_files=files)

    def near(self, name: str, at: int) -> dict[str, Any]:
        """The examples of the rule around a place, or the scenario there; pictures and outcomes."""
        path = self._copy.path(name)
        self._caches.invalidate()
        cases = [case for case in collect([path], caches=self._caches).cases if _is_in(case, path)]
        before = [case for case in cases if _begin(case) <= at]
        owner = _owner(before[-1]) if before else None
        shown = [case for case in cases if owner is not None and _owner(case) == owner] or cases[:1]
        return {
            "title": owner if isinstance(owner, str) else "",
            "examples": [_entry(case) for case in shown],
        }

    def drawn(self, name: str, begin: int) -> tuple[DrawingSource, Catalog]:
        """The drawing of the example that begins at a place, and what may stand in it."""
        path = self._copy.path(name)
        self._caches.invalidate()
        for case in collect([path], caches=self._caches).cases:
            it = case.definition
            if not isinstance(it, RuleExample) or it.example.drawing is None:
                continue
            if _is_in(case, path) and place_of(case.span)[0] == begin:
                return DrawingSource.of(it.example.drawing), case.cache.ruleset.catalog
        raise Refused("no example with a drawing begins there", "put the cursor on a card")


def _is_in(case: Case, path: Path) -> bool:
    return real_path(Path(case.span.source.name)) == real_path(path)


def _begin(case: Case) -> int:
    """Where the declaration or scenario begins."""
    it = case.definition
    return place_of(it.rule.span if isinstance(it, RuleExample) else case.span)[0]


def _owner(case: Case) -> str:
    it = case.definition
    return it.rule.id if isinstance(it, RuleExample) else case.title


def _entry(case: Case) -> dict[str, Any]:
    scene, _ = scene_of_item(case)
    outcome = case.run()
    start, end = place_of(case.span)
    return {
        "title": case.title,
        "from": start,
        "to": end,
        "svg": "" if scene is None else board_svg(scene.picture),
        "holds": outcome.passed,
        "says": "holds" if outcome.passed else "\n".join(map(_sentence, outcome.diagnostics)),
        "palette": palette(case.cache.ruleset.catalog) if _is_drawn(case) else [],
        "found": "\n\n".join(filter(None, outcome.pictures)),
    }


def _is_drawn(case: Case) -> bool:
    it = case.definition
    return isinstance(it, RuleExample) and it.example.drawing is not None


def _sentence(finding: Diagnostic) -> str:
    return finding.message + (f" ({finding.help})" if finding.help else "")
