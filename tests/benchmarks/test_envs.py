"""The benchmark of environments runs, and says what is missing."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from benchmarks import envs
from benchmarks.measurement import Absent, Row


@pytest.mark.slow
def test_every_pair_is_measured_or_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "STEPS", 12)
    monkeypatch.setattr(envs, "SIDE_BY_SIDE", 8)
    found = [*envs.rows(rounds=1)]
    assert len(found) == len(envs.PAIRS)
    for row, (name, peer) in zip(found, envs.PAIRS, strict=True):
        assert row.what.startswith(name)
        if isinstance(row, Row):
            assert row.of == peer and row.value > 0 and row.ratio
        else:
            assert row.why


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> Any:
        raise ImportError(name="pettingzoo")
        yield

    def other() -> Any:
        yield "OpenSpiel, native", partial(int, 1)

    monkeypatch.setattr(envs, "_pettingzoo", absent)
    monkeypatch.setattr(envs, "_openspiel", other)
    monkeypatch.setattr(envs, "_gymnasium", absent)
    found = [*envs.rows(rounds=1)]
    assert all(isinstance(row, Absent) for row in found)
    assert "pettingzoo" in found[0].why  # type: ignore[union-attr]
