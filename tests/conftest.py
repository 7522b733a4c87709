"""How hard hypothesis tries, and what is read once for all tests.

`HYPOTHESIS_PROFILE` chooses how hard; on CI the default is `ci`.

`ci` draws the same cases on every run, so that a red build is red again on the next try.
`nightly` draws new ones each time and prints what is needed to repeat a failure. No profile
has a deadline: a slow machine is not a broken engine.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

from tests.shipped import read_once

SLOW_MACHINE = [HealthCheck.too_slow]

settings.register_profile("dev", max_examples=50, deadline=None)
settings.register_profile(
    "ci",
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
by_default = "ci" if os.environ.get("CI") else "dev"
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", by_default))
read_once()
