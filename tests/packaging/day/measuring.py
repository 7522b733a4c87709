"""The afternoon: what the tests notice, and what the card is worth."""

from __future__ import annotations

from tests.packaging.day.steps import Day


def afternoon(day: Day) -> None:
    """Numbers about the cards of the morning."""
    _tests(day)
    _simulate(day)
    _balance(day)
    _go_on(day)


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


def _go_on(day: Day) -> None:
    """Broken off, the same command goes on; other rules or another question would not."""
    line = "balance loners --with . --bots random --games 400 --into loners.sqlite"
    with day.step("balance, broken off"):
        with day.terminal(line) as terminal:
            terminal.wait_for("games")
            day.interrupt(terminal, line, "the same command goes on", code=130)
        other = line.replace("balance loners", "balance flowers")
        day.wrong(other, "loners.sqlite")
        day.wrong(line.replace("loners.sqlite", "rules/loners.kb"), "rules/loners.kb")
        short = line.replace("--games 400", "--games 60")
        day.say(short, "> Loners")
