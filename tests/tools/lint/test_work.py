"""The work of checking, testing and formatting a box grows as the box does, and no faster.

What is counted are calls of functions, which no other program on the machine can change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kbrules.engine.scoring import Scoring
from kbrules.library.load import load_all
from kbrules.library.store import Files
from kbrules.project.project import Project
from kbrules.scenario.running import run_all
from kbrules.tools.check import checked
from kbrules.tools.fmt import formatted_files
from kbrules.tools.lint.run import LintSettings, warnings
from tests.collecting import collect
from tests.example_games import MOOR
from tests.pace import calls

SIZES = 12, 24, 36
SAMPLES = 8
SLACK = 1.25
"""Sampling works in steps: one of them more may fall into either half. Squares would give 1.6."""
RULES = "rules/many.kb"
CARD = """\
card {id} "Card {id}":
    "{gold} gold for each of your pieces that {least} of heath or lake touch."
    gold {gold} per hex in mine & touching({ground}, at least {least})
    example:
        | Ha H
        |  H  L
        gives {gives}
"""
TILE = """\
location {id} "Tile {id}":
    "Build one piece beside a lake."
    action:
        build 1 on heath & adjacent(lake)
    example:
        | H+ L
        |  H+ Ha
        offers
"""
GROUNDS = "heath", "lake", "heath | lake", "adjacent(lake)"


def card(number: int) -> str:
    """One card; some are like others, some pay nothing for a long time, and some examples fail."""
    ground, least = GROUNDS[number % 4], 1 + number // 4 % 6
    return CARD.format(id=f"c{number}", gold=2 + number, ground=ground, least=least, gives=number)


def box(folder: Path, cards: int, tiles: int = 0) -> Path:
    """The small game with many cards or tiles more."""
    ids = [f"t{number}" for number in range(tiles)]
    listed = "".join(f"  {id}: {{kind: location, place: yard, each: 1}}\n" for id in ids)
    named = "".join(f", c{number}" for number in range(cards))
    box = MOOR["expansion.yaml"]
    data = box.replace("cards: [rowers, anglers", f"{listed}cards: [rowers, anglers{named}")
    rules = [*(TILE.format(id=id) for id in ids), *map(card, range(cards))]
    for name, text in {**MOOR, "expansion.yaml": data, RULES: "\n".join(rules)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def all_found(folder: Path) -> None:
    """Every finding about a box."""
    checked(
        Project([folder]), LintSettings(frozenset(warnings()), samples=SAMPLES, is_isolated=True)
    )


def tried(folder: Path) -> None:
    """Every example of a box."""
    list(run_all(collect([folder], [], []).cases))


def loaded(folder: Path) -> None:
    """A box as a rule set."""
    assert load_all([], [folder], files=Files()).ruleset is not None


def styled(folder: Path) -> None:
    """The rules of a box in their one style."""
    assert not any(file.findings for file in formatted_files([folder]))


Work = Callable[[Path], None]
ALL: tuple[Work, ...] = (loaded, all_found, tried, styled)


def grows_evenly(work: Work, folders: list[Path]) -> None:
    """The second half of what is added costs hardly more than the first."""
    work(folders[0])  # what is made only once is made before
    small, middle, large = (calls(partial(work, folder)) for folder in folders)
    assert large - middle < SLACK * (middle - small)


@pytest.mark.parametrize("work", ALL)
def test_work_grows_as_the_cards_do(work: Work, tmp_path: Path) -> None:
    grows_evenly(work, [box(tmp_path / f"b{size}", size) for size in SIZES])


@pytest.mark.parametrize("work", (all_found, tried))
def test_work_grows_as_the_tiles_do(work: Work, tmp_path: Path) -> None:
    grows_evenly(work, [box(tmp_path / f"b{size}", 0, size) for size in SIZES])


def test_a_card_is_scored_as_often_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scored(cards: int) -> int:
        """How often the card is scored that is scored most."""
        asked: Counter[str] = Counter()
        line = Scoring.line

        def counted(self: Scoring, rule: Any, *rest: Any) -> Any:
            asked[rule.id] += 1
            return line(self, rule, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(Scoring, "line", counted)
            all_found(box(tmp_path / f"b{cards}", cards))
        return max(asked.values())

    assert scored(4) == scored(24)
