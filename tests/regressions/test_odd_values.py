"""No call of anything public with any value ends the process, or raises what is not documented."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("numba")
pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")


def test_odd_values_are_refused_by_documented_exceptions_alone() -> None:
    command = [sys.executable, "-m", "tests.regressions.odd_values"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr[-2000:]
