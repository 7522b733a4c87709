"""No file makes kbrules stop: mutations of all kinds of files break no law of findings.

A fault is printed as a line for `tests/regressions/test_fuzzed.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.fuzzing import drawn, faults
from tests.fuzz.laws import codes_of
from tests.fuzz.seeds import seeds

Kinds = Mapping[str, int]
USUAL_RUN = 1
"""Of the quick tests, which read the same files each time."""
FEW = {
    "rules": 32, "boxes": 24, "scenarios": 24, "logs": 32, "settings": 32, "survivors": 8,
    "moves": 32, "games": 32, "texts": 16, "locks": 8,
}  # fmt: skip
MANY = {
    "rules": 7_400, "boxes": 4_000, "scenarios": 4_000, "logs": 1_200, "settings": 1_000,
    "survivors": 400, "moves": 800, "games": 600, "texts": 400, "locks": 200,
}  # fmt: skip
"""20,000 files in all."""


def _parts(numbers: Kinds, size: int) -> list[tuple[str, int]]:
    """A kind and the number of a file for each test, so that several processes share them."""
    return [(kind, first) for kind, most in numbers.items() for first in range(0, most, size)]


def _run() -> int:
    """Return the number of a new run, or the one to repeat: that of KBRULES_FUZZ_RUN."""
    return int(os.environ.get("KBRULES_FUZZ_RUN", 0)) or Random().randrange(2, 10**6)


@pytest.mark.parametrize(("kind", "first"), _parts(FEW, 8))
def test_a_mutated_file_breaks_no_law(
    kind: str, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = faults(kind, USUAL_RUN, range(first, first + 8))
    assert not found, "\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "first"), _parts(MANY, 200))
def test_no_mutated_file_breaks_a_law(
    kind: str, first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _run()
    print(f"KBRULES_FUZZ_RUN={run}")
    monkeypatch.chdir(tmp_path)
    found = faults(kind, run, range(first, first + 200))
    assert not found, "\n".join(map(str, found))


def test_the_kinds_are_those_there_are() -> None:
    assert {*FEW} == {*MANY} == {seed.kind for seed in seeds()}
    assert sum(MANY.values()) == 20_000


@pytest.mark.parametrize(("kind", "codes"), [("rules", 12), ("boxes", 8)])
def test_mutations_go_wrong_in_many_ways(
    kind: str, codes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else only the first guard of a reader would be tried."""
    monkeypatch.chdir(tmp_path)
    told = [codes_of(*drawn(kind, USUAL_RUN, number)) for number in range(32)]
    assert sum(not each for each in told) > 2, "some say something else and are still right"
    assert len(set().union(*told)) >= codes
