"""How hard hypothesis tries, what is read once for all tests, and which tests are thorough.

The tests of `thorough.txt` take a second or more: `make test` does the first case of each that has
several, `make test-thorough` the others. CI does both.

Hypothesis draws the same cases on every run, whichever tests run beside it, so that a red build
is red again on the next try. `HYPOTHESIS_PROFILE=nightly` (`make test-long`) draws new ones and
prints what is needed to repeat a failure. Neither has a deadline: a slow machine is not a broken
engine.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.shipped import read_once

SLOW_MACHINE = [HealthCheck.too_slow]

settings.register_profile(
    "quick",
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=SLOW_MACHINE,
)
settings.register_profile(
    "nightly",
    max_examples=2_000,
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=SLOW_MACHINE,
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
settings.load_profile(PROFILE)
if PROFILE == "quick":
    # Hypothesis also draws constants that stand in the modules loaded so far, which depend on
    # how xdist shares out the tests: the one thing that derandomize leaves to chance.
    providers._get_local_constants = providers.Constants
read_once()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the thorough tests, but for the first case of one that has several."""
    listed = set(Path(__file__).with_name("thorough.txt").read_text(encoding="utf-8").split())
    begun = set()
    for item in items:
        name, _, case = item.nodeid.partition("[")
        if name in listed and case and name not in begun:
            begun.add(name)
        elif name in listed:
            item.add_marker(pytest.mark.thorough)
