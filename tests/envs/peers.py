"""The suites of other libraries, with the warnings that their own games are excused from."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from kbrules.library.box import shipped_boxes
from kbrules.library.load import load
from tests.equal.settings import mix_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # their tests import games in a way that they deprecate
    from pettingzoo.test import (
        api_test as api_test,
        render_test as render_test,
        seed_test as seed_test,
    )

EXCUSED = (
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # as for every agent who does not decide
    "Observation is not a NumPy array",  # a dict, as in their own games with masks
    "Observation numpy array is all zeros",
    "The observation contains negative numbers",
)

BOXES = [tuple(dict.fromkeys(["base", box])) for box in shipped_boxes()]
"""The base game, and each other box with it."""
MIXES = [mix_of(25 * mix).boxes for mix in (0, 2, 5, 8)]


def seatings(boxes: tuple[str, ...]) -> range:
    """How many players there may be."""
    least, most = load(*boxes).parts.players
    return range(least, most + 1)


def one_seating(boxes: tuple[str, ...]) -> int:
    """One of these numbers, another for the next boxes; slow tests take all."""
    numbers = seatings(boxes)
    return numbers[(BOXES + MIXES).index(boxes) % len(numbers)]


@contextmanager
def excused() -> Iterator[None]:
    """All warnings are errors but for those that are excused."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXCUSED:
            warnings.filterwarnings("ignore", message=message)
        yield
