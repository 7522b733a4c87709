"""The day of a new user on a pseudo terminal: a box of three cards, with mistakes on the way.

`make test` does the part in which the cards are written, with the program of this checkout. The
slow test builds the wheel, installs it in an empty environment, and does the whole day with it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.terminal import BESIDE, Terminal
from tests.source_tree import ROOT, files_of_git

FIRST = """\
card loners "Loners":
    "Two gold for each of your pieces that stands alone."
    gold 2 per hex in mine - adjcent(mine)
    gold 5 if mine & edge
"""
UNTRIED = """\
card loners "Loners":
    "Two gold for each of your pieces that stands alone, five more for one at the edge."
    gold 2 per hex in mine - adjacent(mine)
    gold 5 if any(edge & mine - adjacent(mine))
"""
EXAMPLE = """\
    example "two of them stand alone":
        | .  .  .  .  .
        |  .a .  .  .a .a
        | .  .  .a .  .
        gives {gold}
"""
THIRD = """\
card flowers "Flowers":
    "One gold for each of your pieces on flower fields."
    gold 1 per hex in mine & flower
    example "two of three":
        | Fa F  Ga
        |  F  Fa Fb
        gives 2
"""


class Day:
    """A folder, a program, and all that the terminal has shown. `say` runs one command."""

    def __init__(self, folder: Path, program: tuple[str, ...] = BESIDE, **variables: str) -> None:
        self.folder, self.program, self.variables = folder, program, variables
        self.transcript = ""

    def say(self, line: str, *expected: str, code: int = 0) -> str:
        """What one command shows; it must hold these texts and end with this code."""
        words = line.split()
        with Terminal(self.folder, *words, program=self.program, **self.variables) as terminal:
            ended, shown = terminal.end(), terminal.shown
        self.transcript += f"$ kbrules {line}\n{shown}"
        assert ended == code, f"{line}: {ended}\n{shown}"
        assert "Traceback" not in shown
        for text in expected:
            assert text in shown, f"{line}: no {text!r} in\n{shown}"
        return shown

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))


def _begin(day: Day) -> None:
    day.say("", "kbrules new expansion")
    day.say("new expansion Orchard", "KB009", "`orchard`", code=2)
    day.say("new expansion orchard", "kbrules check orchard")
    day.say("new expansion orchard", "KB008", "choose another name", code=2)
    day.folder /= "orchard"


def _write_cards(day: Day) -> None:
    day.write("rules/loners.kb", FIRST)
    wrong = day.say("check .", "KB201", "did you mean `adjacent`?", "KB203", "any(...)", code=1)
    assert "KB212" in wrong and "KB410" in wrong
    day.write("rules/loners.kb", UNTRIED)
    day.change("expansion.yaml", "[orchard_keeper]", "[orchard_keeper, loners, flowers]")
    day.say("check .", "KB212", "add `example:`", "flowers", code=1)
    day.write("rules/flowers.kb", THIRD)
    day.write("rules/loners.kb", UNTRIED + EXAMPLE.format(gold=4))
    day.say("test .", "KB505", "gives 9, not 4", "1 failed", code=1)
    day.write("rules/loners.kb", UNTRIED + EXAMPLE.format(gold=9))
    day.say("check .", "all good")
    day.say("test .", "5 passed")


def _play(day: Day) -> None:
    game = "play --with . --card loners --bots greedy --seed 2 --quiet"
    day.say(game.replace("loners", "loner"), "loners", code=2)
    day.say(game.replace("greedy", "greed"), "greedy", code=2)
    day.say(game, "Loners", "winner", "log: game.kblog")
    day.say("replay gam.kblog --with .", "KB001", code=2)
    day.say("replay game.kblog --with . --quiet", "as in the log")
    day.say("why game.kblog a --with .", "Loners")


def _measure(day: Day) -> None:
    day.say("test . --coverage", "100.0 % of")
    day.say("test . --mutate", "mutants:", code=1)
    day.say("simulate --with . --card loners --bots random --games 20", "again: kbrules simulate")
    day.say("balance loners --with . --bots random --games 20", "> Loners")
    with Terminal(
        day.folder, "balance", "loners", "--with", ".", "--games", "400",
        program=day.program, **day.variables,
    ) as terminal:  # fmt: skip
        terminal.wait_for("games")
        terminal.type("\x03")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.shown
        day.transcript += terminal.shown


def _publish(day: Day) -> None:
    day.say("cards", "loners")
    day.say("cards --svg pictures", "4 cards")
    day.say("docs . --output site", "site/index.html")
    assert (day.folder / "site" / "index.html").is_file()


def test_a_new_user_writes_a_box_of_three_cards(tmp_path: Path) -> None:
    day = Day(tmp_path)
    _begin(day)
    _write_cards(day)


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
    for part in (_begin, _write_cards, _play, _measure, _publish):
        part(day)
    day.say("cards --pdf cards.pdf", "KB045", "kbrules[pictures]", code=2)
    install = [installed, "-m", "pip", "install", "--quiet", "cairosvg"]
    subprocess.run(install, check=True)
    day.say("cards --pdf cards.pdf")
    assert (day.folder / "cards.pdf").read_bytes().startswith(b"%PDF")
    print(day.transcript)
