"""`play --draft`: bots strike by the seed, people are asked until they name a card."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.logs.reading import read_log
from tests.cli.program import Program, program_in


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return program_in(tmp_path, monkeypatch)


def struck(out: str) -> list[tuple[str, str]]:
    lines = [line.split(" strikes ") for line in out.splitlines() if " strikes " in line]
    return [(line[0][-1], line[1]) for line in lines]


def test_the_log_holds_the_cards_that_are_left(run: Program) -> None:
    words = ("play", "--draft", "3", "--bots", "random", "--seed", "4", "--quiet")
    out = run(*words).stdout
    gone = struck(out)
    assert [player for player, _ in gone] == ["b", "a", "b"]
    log, _ = read_log(run.folder / "game.kblog")
    assert log is not None
    assert len(log.header.data["cards"]) == 3
    assert not {card for _, card in gone} & {*log.header.data["cards"]}
    assert run("replay", "game.kblog", "--quiet").exit_code == 0
    assert struck(run(*words, "--no-log").stdout) == gone


def test_a_person_is_asked_until_a_card_is_named(run: Program) -> None:
    words = ("play", "--draft", "2", "--bots", "human,random", "--seed", "4", "--no-log")
    out = run(*words, typed="nothing\n9\n1\nquit\n").stdout
    assert out.count("type a name, or a number from 1 to 4") == 2
    assert [player for player, _ in struck(out) if player == "a"]
    first = next(
        line.split()[1].rstrip(":") for line in out.splitlines() if line.startswith("  1 ")
    )
    assert f"strikes {first}" in out


@pytest.mark.parametrize("number", ["0", "99"])
def test_what_cannot_be_laid_out_is_said(run: Program, number: str) -> None:
    result = run("play", "--draft", number, "--bots", "random", "--no-log")
    assert result.exit_code == 2
    assert "KB009" in result.stderr and "a draft lays out 1 to" in result.stderr
