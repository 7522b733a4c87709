"""Noon: a game against a bot, broken off and gone on with, and games of bots looked at."""

from __future__ import annotations

from tests.packaging.day.steps import Day


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
