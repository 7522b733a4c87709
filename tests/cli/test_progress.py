"""What commands show of how far they are."""

from __future__ import annotations

import pytest

from cli import terminal
from cli.terminal import Progress


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    made = _Clock()
    monkeypatch.setattr(terminal, "perf_counter", made)
    return made


def test_it_says_how_long_the_rest_takes_at_the_rate_so_far(clock: _Clock) -> None:
    line = Progress("checking")
    line.show(20, 1_200, "positions")  # those of an earlier run took no time of this one
    assert line._line() == "checking 0:00:00 20 of 1,200 positions"
    clock.now += 10
    line.show(100, 1_200, "positions")
    assert line._line() == "checking 0:00:10 100 of 1,200 positions, 0:02:18 left, 8.0 a second"
    clock.now += 18.4
    assert "100 of 1,200 positions, 0:01:59 left, 8.0 a second" in line._line()
    clock.now += 1_000
    assert "0:00:00 left" in line._line()


def test_the_clock_begins_again_with_another_unit_or_with_fewer_done(clock: _Clock) -> None:
    line = Progress("playing")
    line.show(0, 40, "games")
    clock.now += 5
    line.show(1, 40, "games")
    line.show(0, 2, "processes started")
    clock.now += 5
    line.show(9, 40, "games")
    clock.now += 1
    line.show(19, 40, "games")
    assert line._line() == "playing 0:00:11 19 of 40 games, 0:00:02 left, 10.0 a second"
    line.show(0, 40, "games")
    clock.now += 1
    line.show(1, 40, "games")
    assert line._line() == "playing 0:00:12 1 of 40 games, 0:00:39 left, 1.0 a second"


def test_where_nobody_knows_how_much_is_wanted_no_time_is_told(clock: _Clock) -> None:
    line = Progress("counting")
    assert line._line() == "counting 0:00:00"
    line.show(0, None, "sequences")
    clock.now += 2
    line.show(5_000, None, "sequences")
    assert line._line() == "counting 0:00:02 5,000 sequences, 2,500.0 a second"
