"""The day of a new user: from `pip install` in an empty environment to a published box.

`make test` does the part in which the cards are written, with the program of this checkout. The
slow test builds the wheel, installs it in an empty environment, and does the whole day with it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.day.steps import MISTAKES, Day, afternoon, evening, morning, noon
from tests.source_tree import ROOT, files_of_git


def test_a_new_user_writes_a_box_of_three_cards(tmp_path: Path) -> None:
    day = Day(tmp_path)
    morning(day)
    assert len(day.steps) == 9


def test_a_step_without_two_mistakes_is_none(tmp_path: Path) -> None:
    day = Day(tmp_path)
    with pytest.raises(AssertionError, match="1 mistakes"), day.step("new"):
        day.wrong("new card", "expansion")
        day.say("new expansion vale")


@pytest.fixture
def installed(tmp_path: Path) -> str:
    """The Python of an empty environment into which pip has installed the wheel."""
    run = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path)]
    subprocess.run([*run, str(ROOT)], check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    python = str(tmp_path / "env" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    return python


@pytest.mark.slow
@pytest.mark.skipif(files_of_git() is None, reason="not a git checkout")
def test_the_whole_day_with_the_wheel(installed: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    program = (str(Path(installed).with_name("kbrules")),)
    day = Day(home, program, PYTHONPATH="", HOME=str(home), XDG_CACHE_HOME=str(home / "cache"))
    morning(day)
    noon(day)
    afternoon(day)
    evening(day, lambda: _install(installed, "cairosvg"))
    print(day.transcript)
    print(f"{len(day.transcript.splitlines())} lines; mistakes: {day.steps}")
    assert min(day.steps.values()) >= MISTAKES


def _install(python: str, name: str) -> None:
    subprocess.run([python, "-m", "pip", "install", "--quiet", name], check=True)
