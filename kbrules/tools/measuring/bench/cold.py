"""Native kernels made by new processes: with an empty cache and with a full one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from statistics import median
from tempfile import TemporaryDirectory

from kbrules.engine.simulation.kernels import NATIVE, kernel_of
from kbrules.tools.measuring.bench.rows import NO_KERNEL, Absent, Goal, Row
from kbrules.tools.measuring.bench.tables import BASE, boxes, games_of
from kbrules.tools.measuring.bench.timing import seconds

AGAIN = 3
KERNELS = (
    ("base game", BASE, Goal(5.9, 3, is_most=True), Goal(1.3, 0.2, is_most=True)),
    ("all boxes", (), Goal(23, 10, is_most=True), Goal(1.7, 0.2, is_most=True)),
)
"""What is loaded, how long a kernel may take that nobody has made, and one that is kept."""
MADE = "from kbrules.tools.measuring.bench.cold import made; print(made({names}))"


def rows() -> Iterator[Row | Absent]:
    """CPU seconds in processes of their own, the first of them with an empty cache."""
    for what, names, cold, kept in KERNELS:
        if not find_spec("numba"):
            yield Absent(f"native kernel made cold, {what}", NO_KERNEL)
            continue
        with TemporaryDirectory() as cache:
            took = [_made(names, cache) for _ in range(1 + AGAIN)]
        yield Row(f"native kernel made cold, {what}", took[0], "s", cold)
        yield Row("the same from the cache", median(took[1:]), "s", kept)


def made(*names: str) -> float:
    """CPU seconds until there is a native kernel of a table of some boxes; once in a process."""
    return seconds(partial(kernel_of, games_of(boxes(*names), 2, 1)[0], NATIVE))


def _made(names: tuple[str, ...], cache: str) -> float:
    code = MADE.format(names=", ".join(map(repr, names)))
    command, env = [sys.executable, "-c", code], {**os.environ, "XDG_CACHE_HOME": cache}
    ran = subprocess.run(command, capture_output=True, check=True, env=env, text=True)
    return float(ran.stdout)
