"""The working day of an author: writing, playing, measuring, publishing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.terminal import BESIDE, Terminal

MISTAKES = 2
_REMEDY = re.compile(r"help: \S|Try 'kbrules|Did you mean|Possible options|would change|did you")


class Day:
    """Where the day is spent, and all that the terminal has shown."""

    def __init__(self, folder: Path, program: tuple[str, ...] = BESIDE, **variables: str) -> None:
        self.folder, self.program, self.variables = folder, program, variables
        self.transcript = ""
        self.steps: dict[str, int] = {}
        self._mistakes = self._done = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A step of the day: two mistakes at least, and then what was meant."""
        self._mistakes = self._done = 0
        yield
        assert self._mistakes >= MISTAKES and self._done, f"{name}: {self._mistakes} mistakes"
        self.steps[name] = self._mistakes

    def say(self, line: str, *expected: str, code: int = 0) -> str:
        """What one command shows; it must hold these texts and end with this code."""
        with self.terminal(line) as terminal:
            ended = terminal.end()
        shown = self._shown(terminal, line)
        assert ended == code, f"{line}: {ended}\n{shown}"
        self._done += 1
        return _with(shown, line, expected)

    def wrong(self, line: str, *expected: str) -> str:
        """What a mistake is answered with: a reason and a remedy, and no success."""
        with self.terminal(line) as terminal:
            ended = terminal.end()
        shown = self._shown(terminal, line)
        assert ended in (1, 2), f"{line}: {ended}\n{shown}"
        assert _REMEDY.search(shown), f"{line}: no remedy in\n{shown}"
        self._mistakes += 1
        return _with(shown, line, expected)

    def terminal(self, line: str) -> Terminal:
        """A command that is still running. Its words are read as a shell would."""
        words = shlex.split(line)
        return Terminal(self.folder, *words, program=self.program, **self.variables)

    def typed(self, terminal: Terminal, answer: str, *expected: str, wrong: bool = False) -> None:
        """Type a line at a prompt and wait for what is said to it."""
        before = len(terminal.shown)
        terminal.type(f"{answer}\r")
        for text in expected:
            terminal.wait_for(text, terminal.shown[:before].count(text) + 1)
        self._mistakes += wrong
        self._done += not wrong

    def interrupt(self, terminal: Terminal, line: str, *expected: str, code: int) -> str:
        """Press Ctrl-C, and what is shown until the command has ended."""
        terminal.type("\x03")
        ended = terminal.end()
        shown = self._shown(terminal, line)
        assert ended == code, f"{line}: {ended}\n{shown}"
        return _with(shown, line, expected)

    def _shown(self, terminal: Terminal, line: str) -> str:
        shown = terminal.shown
        self.transcript += f"$ kbrules {line}\n{shown}"
        assert "Traceback" not in shown and "KB901" not in shown, shown
        return shown

    def write(self, name: str, text: str) -> None:
        """Write a file in an editor."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        """Change something of a file in an editor."""
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))


def _with(shown: str, line: str, expected: tuple[str, ...]) -> str:
    flat = " ".join(shown.split())
    for text in expected:
        assert text in shown or text in flat, f"{line}: no {text!r} in\n{shown}"
    return shown


MISSPELT = """\
card loners "Loners":
    "Two gold for each of your pieces that stands alone."
    gold 2 per hex in mine - adjcent(mine)
    gold 5 if mine & edge
"""
UNTIDY = """\
card loners "Loners":
    "Two gold for each of your pieces that stands alone, five more for one at the edge."
    gold 2 per hex   in mine-adjacent(mine)
    gold 5 if any(edge & mine - adjacent(mine))
"""
EXAMPLE = """\
    example "two of them stand alone":
        | .  .  .  .  .
        |  .a .  .  .a .a
        | .  .  .a .  .
        gives {gold}
"""
FLOWERS = """\
card flowers "Flowers":
    "One gold for each of your pieces on flower fields."
    gold 1 per hex in mine & flower
    example "two of three":
        | Fa F  Ga
        |  F  Fa Fb
        gives 2
"""
SCENARIO = """\
format: 1
title: Two alone, both at the edge
board:
  drawing: |
    G  G  G  G
     Ga G  G  Ga
    G  G  G  G
turn: {player: a, played: gras}
cards: [loners]
stepps:
  - expect: {gold: {a: {loners: 14}}}
"""
UNUSED = """\
# kb: ignore[unused-defin] the next card speaks of it
define wet "Next to water.":
    mine & adjacent(water)
"""


def morning(day: Day) -> None:
    """From an empty folder to a box of which all holds."""
    _begin(day)
    _check(day)
    _format(day)
    _look_up(day)
    _examples(day)
    _scenario(day)
    _warnings(day)


def _begin(day: Day) -> None:
    with day.step("first page"):
        day.wrong("chek", "No such command 'chek'", "Did you mean 'check'")
        day.wrong("--verison", "--version")
        day.say("", "kbrules new expansion")
    with day.step("new"):
        day.wrong("new card", "No such command 'card'", "expansion, section can be begun")
        day.wrong("new expansion Orchard", "KB009", "`orchard`")
        day.say("new expansion orchard", "kbrules check orchard")
        day.wrong("new expansion orchard", "KB008", "choose another name")
    day.folder /= "orchard"


def _check(day: Day) -> None:
    day.write("rules/loners.kb", MISSPELT)
    with day.step("check"):
        day.wrong("check ./rule", "KB001", "look for a slip in the path")
        wrong = day.wrong("check .", "KB201", "did you mean `adjacent`?", "KB203", "any(...)")
        assert "KB212" in wrong and "KB410" in wrong
        day.write("rules/loners.kb", UNTIDY + EXAMPLE.format(gold=4))
        day.change("expansion.yaml", "[orchard_keeper]", "[orchard_keeper, loners, flowers]")
        day.wrong("check .", "KB409", "flowers")
        day.write("rules/flowers.kb", FLOWERS)
        day.say("check .", "all good")


def _format(day: Day) -> None:
    with day.step("fmt"):
        day.wrong("fmt rules/loner.kb", "KB001", "0 of 1 file changed")
        day.wrong("fmt --check .", "rules/loners.kb would change")
        day.say("fmt .", "1 of 3 files changed")
        day.say("fmt --check .", "0 of 3 files would change")
    assert "per hex in mine - adjacent(mine)" in (day.folder / "rules/loners.kb").read_text()


def _look_up(day: Day) -> None:
    with day.step("explain"):
        day.wrong("explain KB999", "KB009", "`kbrules explain` lists the codes")
        day.wrong("explain wrong-sorts", "KB009", "wrong-sort")
        day.say("explain KB203", "wrong-sort")
    with day.step("show"):
        day.wrong("show crad loners", "KB413", "did you mean `card`?")
        day.wrong("show card loner", "KB413", "did you mean `loners`?")
        day.say("show card loners", "Two gold for each of your pieces", "rules/loners.kb:1")
        day.say("show word adjacent", "adjacent(")


def _examples(day: Day) -> None:
    with day.step("test"):
        day.wrong("test rules/loner.kb", "KB001")
        shown = day.say("test .", "KB505", "gives 9, not 4", "1 failed", code=1)
        assert "* pays" in shown
        day.wrong("test . -k (", "KB009", "write words, `and`, `or`, `not` and brackets")
        day.change("rules/loners.kb", "gives 4", "gives 9")
        day.say("test .", "5 passed")


def _scenario(day: Day) -> None:
    with day.step("scenario"):
        day.write("scenarios/alone.scenario.yaml", SCENARIO)
        day.wrong("test scenarios", "KB413", "did you mean `grass`?", "did you mean `steps`?")
        day.change("scenarios/alone.scenario.yaml", "gras}", "grass}")
        day.change("scenarios/alone.scenario.yaml", "stepps", "steps")
        day.wrong("test scenario", "KB001")
        day.say("test scenarios", "KB505", "pays a 9, not 14", code=1)
        day.change("scenarios/alone.scenario.yaml", "loners: 14", "loners: 9")
        day.say("test scenarios", "2 passed")


def _warnings(day: Day) -> None:
    with day.step("ignore a warning"):
        day.write("rules/wet.kb", UNUSED)
        day.wrong("check .", "KB703", "KB702", "did you mean `unused-define`?")
        day.change("rules/wet.kb", "[unused-defin] the next card speaks of it", "[unused-define]")
        day.wrong("check .", "KB701", "say behind the bracket why it is meant so")
        day.change("rules/wet.kb", "[unused-define]", "[unused-define] for the next card")
        day.say("check .", "all good")
    (day.folder / "rules/wet.kb").unlink()  # that card is never written


def noon(day: Day) -> None:
    """Games with the cards of the morning."""
    _by_hand(day)
    _go_on(day)
    _bots(day)
    _look_back(day)


def _by_hand(day: Day) -> None:
    line = "play --with . --card loners --seed 2"
    with day.step("play"), day.terminal(line) as terminal:
        terminal.wait_for("a decides")
        day.typed(terminal, "bild a1", "did you mean `build`?", wrong=True)
        day.typed(terminal, "z99", "off the board", wrong=True)
        day.typed(terminal, "hint", "greedy would do `mandatory: build q1`")
        day.typed(terminal, "q1", "a decides")
        day.interrupt(
            terminal, line, "to go on: kbrules play --continue game.kblog --with .", code=130
        )


def _go_on(day: Day) -> None:
    with day.step("continue"):
        day.wrong("play --continue gam.kblog --with .", "KB001", "look for a slip in the path")
        day.wrong("play --continue game.kblog", "KB512", "--with")
        line = "play --continue game.kblog --with ."
        with day.terminal(line) as terminal:
            terminal.wait_for("a decides")
            day.typed(terminal, "undo", "a decides")
            day.typed(terminal, "quit", "to go on: ")
            terminal.end()


def _bots(day: Day) -> None:
    game = "play --with . --card loners --bots greedy --seed 2 --quiet"
    with day.step("play bots"):
        day.wrong(game.replace("loners", "loner"), "did you mean `loners`?")
        day.wrong(game.replace("greedy", "greed"), "there is no bot `greed`", "greedy")
        day.say(game, "Loners", "winner", "log: game-2.kblog")


def _look_back(day: Day) -> None:
    with day.step("replay"):
        day.wrong("replay gam.kblog --with .", "KB001", "look for a slip in the path")
        day.wrong("replay game-2.kblog", "KB512", "--with")
        day.say("replay game-2.kblog --with . --quiet", "as in the log")
    with day.step("why"):
        day.wrong("why game-2.kblog loners --with .", "KB021", "`why red loners`")
        day.wrong("why game-2.kblog z9 --with .", "KB506", "`why not f7`")
        day.say("why game-2.kblog a loners --with .", "Loners pays a", "rules/loners.kb:")
        shipped = day.say("why game-2.kblog a --with .", "Loners")
        assert "rules/base/scoring.kb:" in shipped and "site-packages" not in shipped
    with day.step("show log"):
        day.wrong("show log game-2.kblog --with . --at 9999", "KB009", "give a number from 0")
        lost = "show log game-2.kblog --with . --svg lost/a.svg"
        day.wrong(lost, "KB008", "make the folder first")
        day.say("show log game-2.kblog --with . --html game.html")
        assert (day.folder / "game.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def afternoon(day: Day) -> None:
    """Numbers about the cards of the morning."""
    _tests(day)
    _simulate(day)
    _balance(day)
    _continue_run(day)


def _tests(day: Day) -> None:
    with day.step("coverage"):
        day.wrong("test . --coverage --fail-under 200", "KB009", "percentages")
        day.wrong("test . --html coverage.html", "KB009", "add `--coverage`")
        day.say("test . --coverage", "100.0 % of")
    with day.step("mutate"):
        day.wrong("test . --mutate-only loners", "KB009", "add `--mutate`")
        day.wrong("test . --mutate --mutate-only (", "KB009", "write words")
        day.say("test . --mutate --mutate-only loners", "mutants:", code=1)


def _simulate(day: Day) -> None:
    line = "simulate --with . --card loners --bots random --games 20"
    with day.step("simulate"):
        day.wrong(line.replace("20", "0"), "greater than or equal to 1")
        day.wrong(line.replace("random", "chance"), "there is no bot `chance`")
        day.say(f"{line} --html games.html", "again: kbrules simulate")
        assert "Loners" in (day.folder / "games.html").read_text(encoding="utf-8")


def _balance(day: Day) -> None:
    line = "balance loners --with . --bots random --games 20"
    with day.step("balance"):
        day.wrong(line.replace("loners", "loner"), "did you mean `loners`?")
        day.wrong(f"{line} --html lost/loners.html", "KB008", "make the folder first")
        day.say(f"{line} --html loners.html", "> Loners")
        assert "Loners" in (day.folder / "loners.html").read_text(encoding="utf-8")


def _continue_run(day: Day) -> None:
    """Broken off, the same command goes on; other rules or another question would not."""
    line = "balance loners --with . --bots random --games 400 --into loners.sqlite"
    with day.step("balance, broken off"):
        with day.terminal(line) as terminal:
            terminal.wait_for("deals")
            day.interrupt(terminal, line, "the same command goes on", code=130)
        other = line.replace("balance loners", "balance flowers")
        day.wrong(other, "loners.sqlite")
        day.wrong(line.replace("loners.sqlite", "rules/loners.kb"), "rules/loners.kb")
        short = line.replace("--games 400", "--games 60")
        day.say(short, "> Loners")


PICTURES = "kbrules[pictures]"


def evening(day: Day, install: Callable[[], None]) -> None:
    """What others get to see. install: brings the libraries of the extra for pictures."""
    with day.step("cards"):
        day.wrong("cards loner", "KB413", "did you mean `loners`?")
        day.wrong("cards --svg rules/loners.kb", "KB008", "choose another name")
        day.say("cards", "loners")
        day.say("cards --svg pictures", "4 cards")
    with day.step("cards as a PDF"):
        day.wrong("cards --pdf cards.pdf", "KB045", PICTURES)
        day.wrong("cards --png dots", "KB045", PICTURES)
        install()
        day.say("cards --pdf cards.pdf")
        day.say("cards --png dots --example loners=1", "4 cards")
    assert (day.folder / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert (day.folder / "dots" / "loners.png").read_bytes().startswith(b"\x89PNG")
    with day.step("docs"):
        day.wrong("docs orchards --output site", "KB001", "give the folder of an expansion")
        day.wrong("docs . --output rules", "KB008", "choose a new folder with --output")
        day.say("docs . --output site", "site/index.html")
    pages = (page.read_text(encoding="utf-8") for page in (day.folder / "site").rglob("*.html"))
    assert any("Two gold for each of your pieces that stands alone" in page for page in pages)
