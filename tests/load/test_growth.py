"""Commands on boxes of two sizes: time grows as the box does, and memory no faster."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.programs import Cost, cards_box, cost, scenarios

pytestmark = pytest.mark.slow

# Twice as much may take this many times as long. What grows with the square takes four times.
LINEAR = 2.7


def told(what: str, half: Cost, whole: Cost) -> None:
    """Print what was measured: `pytest -s` shows it."""
    ratio = whole.seconds / half.seconds
    print(
        f"{what}: {half.seconds:.1f} s and {half.memory:.0f} MiB; "
        f"twice as much {whole.seconds:.1f} s and {whole.memory:.0f} MiB, {ratio:.2f} times"
    )


def test_ten_thousand_scenarios(tmp_path: Path) -> None:
    half, whole = scenarios(tmp_path, 5_000), scenarios(tmp_path, 10_000)
    tested = [cost(tmp_path, "test", box.name) for box in (half, whole)]
    told("test of scenarios", *tested)
    assert "10050 passed" in tested[1].output
    assert tested[1].seconds < LINEAR * tested[0].seconds
    assert tested[1].memory < 1.3 * tested[0].memory
    checked = [cost(tmp_path, "check", box.name, code=1) for box in (half, whole)]
    told("check of scenarios", *checked)
    assert checked[1].seconds < LINEAR * checked[0].seconds
    assert checked[1].memory < 2 * checked[0].memory


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("check {}", 1),  # cards that pay alike are told
        ("test {}", 0),
        ("fmt --check {}", 0),
        ("show card --with {}", 0),
        ("simulate --with {} --games 20", 0),
        ("docs {} --output site_{}", 0),
    ],
)
def test_a_thousand_cards(words: str, code: int, tmp_path: Path) -> None:
    boxes = [cards_box(tmp_path, cards) for cards in (500, 1_000)]
    half, whole = (
        cost(tmp_path, *words.replace("{}", box.name).split(), code=code) for box in boxes
    )
    told(words.format("1,000 cards", ""), half, whole)
    assert whole.seconds < LINEAR * half.seconds
    assert whole.memory < 2 * half.memory
