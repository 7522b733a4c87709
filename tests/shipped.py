"""What is shipped is read once for all tests of a process: to read it takes longer than most tests.

Whoever loads boxes still checks and joins them anew, and the files of authors are always read.
The examples of the codes are tried once, too: the site, `explain` and their own tests show them.
Kernels with the same text share their compiled functions, which hold no state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.engine.simulation import kernels
from kbrules.kernel.python import PythonKernel
from kbrules.library import store
from kbrules.library.box import Box
from kbrules.library.reading import data_root
from kbrules.messages import Code, Example
from kbrules.scenario import reader
from kbrules.text import Source
from kbrules.tools import explain as code_examples

SCENARIOS = Path(__file__).parent / "scenarios"
MAX_KERNELS = 16
Given = TypeVar("Given")
Read = TypeVar("Read")
BoxRead = tuple[Box | None, list[Diagnostic]]


def read_once() -> None:
    """From now on all that does not change is read once, or tried once."""
    store.parsed = _kept(store.parsed, _one_of(data_root("rules"), ".kb"))
    store.box_in = _box_once(store.box_in)
    reader.parse_scenarios = _kept(reader.parse_scenarios, _one_of(SCENARIOS, reader.SUFFIX))
    code_examples.findings_of = _tried_once(code_examples.findings_of)
    kernels.PythonKernel = lru_cache(MAX_KERNELS)(PythonKernel)


def compile_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are compiled anew in this test, which changes how that is done or counts it."""
    monkeypatch.setattr(kernels, "PythonKernel", PythonKernel)


def _one_of(folder: Path, suffix: str) -> Callable[[Source], Hashable]:
    """Gives the texts in a folder a key."""
    texts = {file.read_text(encoding="utf-8") for file in folder.rglob(f"*{suffix}")}
    return lambda source: (source.name, source.text) if source.text in texts else None


def _kept(read: Callable[..., Read], key_of: Callable[[Given], Hashable]) -> Callable[..., Read]:
    """Reads what has a key once."""
    known: dict[Hashable, Read] = {}

    def reading(given: Given, *known_before: object) -> Read:
        key = key_of(given)
        if key is None or known_before:
            return read(given, *known_before)
        if key not in known:
            known[key] = read(given)
        return known[key]

    return reading


def _box_once(box_in: Callable[..., BoxRead]) -> Callable[..., BoxRead]:
    texts = {file.read_text("utf-8") for file in data_root("expansions").glob("*.yaml")}
    known: dict[Hashable, BoxRead] = {}

    def reading(source: Source | None, found: list[Diagnostic], folder: Path) -> BoxRead:
        if source is None or source.text not in texts:
            return box_in(source, found, folder)
        key = source.name, source.text, folder
        if key not in known:
            known[key] = box_in(source, found, folder)
        return known[key]

    return reading


def _tried_once(
    findings_of: Callable[[Example, Code | None], list[Diagnostic]],
) -> Callable[[Example, Code | None], list[Diagnostic]]:
    known: dict[Hashable, list[Diagnostic]] = {}

    def tried(example: Example, code: Code | None = None) -> list[Diagnostic]:
        if (example, code) not in known:
            known[example, code] = findings_of(example, code)
        return [*known[example, code]]

    return tried
