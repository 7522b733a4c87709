"""Random games are the same by every engine, and those that were published."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.golden.everywhere import KEPT, LENGTHS, MIXES, digests_of, hashes
from tests.source_tree import ROOT

PUBLISHED: dict[str, str] = KEPT["hashes"]
FEW, MORE = 40, 200


def test_the_hashes_are_published() -> None:
    page = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    assert [*PUBLISHED] == [str(length) for length in LENGTHS]
    assert PUBLISHED[str(LENGTHS[-1])] in page


def test_a_game_is_the_same_by_states_and_by_the_kernel() -> None:
    tables = range(MIXES.index(["base"]), len(MIXES), len(MIXES))
    found = digests_of("python", tables)
    assert found == digests_of("reference", tables)
    assert len({digest for _, digest in found}) == len(found) == 5


def test_the_first_games_are_those_that_were_published() -> None:
    assert hashes(FEW, "python")[FEW] == PUBLISHED[str(FEW)]


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_neither_processes_nor_hash_seeds_matter(hash_seed: str) -> None:
    words = [sys.executable, "-m", "tests.golden.everywhere", "--games", str(MORE), "--jobs", "2"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert PUBLISHED[str(MORE)] in ran.stdout.split(), ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python", "native"])
def test_all_games_are_those_that_were_published(engine: str) -> None:
    if engine == "native":
        pytest.importorskip("numba")
    found = hashes(LENGTHS[-1], engine, jobs=2)
    assert {str(length): told for length, told in found.items()} == PUBLISHED
