"""What new processes take: the program from start to end, and native kernels, cold and cached."""

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
from kbrules.tools.measuring.bench.timing import ROUNDS, cpu_seconds, seconds

STARTS = {
    "`kbrules check` of everything shipped": (("-m", "kbrules", "check"), 0.6),
    "`kbrules --help`": (("-m", "kbrules", "--help"), 0.25),
    "`import kbrules`": (("-c", "import kbrules"), 0.1),
}
"""What is started, by how it is called, and how long it may take."""


def start_rows() -> Iterator[Row]:
    """CPU seconds of the processes, in turns; alone on a machine that is what one waits."""
    seconds_of: dict[str, list[float]] = {what: [] for what in STARTS}
    for _ in range(1 + ROUNDS):
        for what, (arguments, _most) in STARTS.items():
            seconds_of[what].append(_seconds_of_start(arguments))
    for what, (_words, most) in STARTS.items():
        yield Row(f"cold {what}", median(seconds_of[what][1:]), "s", Goal(most, is_most=True))


def _seconds_of_start(arguments: tuple[str, ...]) -> float:
    # A program that may not keep what it compiled would be compiled at every start.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = cpu_seconds()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False, env=environment)
    return cpu_seconds() - before


REPETITIONS = 3
KERNELS = (
    ("base game", BASE, Goal(5.9, 3, is_most=True), Goal(1.3, 0.2, is_most=True)),
    ("all boxes", (), Goal(23, 10, is_most=True), Goal(1.7, 0.2, is_most=True)),
)
"""What is loaded, how long a kernel may take that nobody has made, and one that is kept."""
BUILD_CODE = """
from kbrules.tools.measuring.bench.processes import seconds_to_build
print(seconds_to_build({names}))
"""


def kernel_rows() -> Iterator[Row | Absent]:
    """CPU seconds in processes of their own, the first of them with an empty cache."""
    for what, names, cold, cached in KERNELS:
        if not find_spec("numba"):
            yield Absent(f"native kernel made cold, {what}", NO_KERNEL)
            continue
        with TemporaryDirectory() as cache:
            times = [_seconds_in_process(names, cache) for _ in range(1 + REPETITIONS)]
        yield Row(f"native kernel made cold, {what}", times[0], "s", cold)
        yield Row("the same from the cache", median(times[1:]), "s", cached)


def seconds_to_build(*names: str) -> float:
    """CPU seconds until there is a native kernel of a table of some boxes; once in a process."""
    return seconds(partial(kernel_of, games_of(boxes(*names), 2, 1)[0], NATIVE))


def _seconds_in_process(names: tuple[str, ...], cache: str) -> float:
    code = BUILD_CODE.format(names=", ".join(map(repr, names)))
    command, env = [sys.executable, "-c", code], {**os.environ, "XDG_CACHE_HOME": cache}
    process = subprocess.run(command, capture_output=True, check=True, env=env, text=True)
    return float(process.stdout)
