"""`kbrules show --source`: the code of a configuration, and where in the rules it comes from."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.library.load import load
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from tests.source_tree import ROOT

PLACE = re.compile(r"  # (rules/[\w/]+\.kb):(\d+)$", re.MULTILINE)


def show(*words: str, env: dict[str, str] | None = None) -> Result:
    result = CliRunner().invoke(app, ["show", "--source", *words], env=env)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@lru_cache(maxsize=8)
def page(*words: str) -> str:
    result = show(*words)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_the_code_of_a_card_names_the_line_of_the_card() -> None:
    text = page("knights", "--with", "base")
    file, line = PLACE.findall(text)[0]
    assert file == "rules/base/scoring.kb"
    said = (ROOT / file).read_text().splitlines()[int(line) - 1]
    assert said.strip() == "gold 2 per hex in largest(parts(mine, rows))"
    assert page("card", "knights", "--with", "base") == text


def test_everything_shown_is_python_and_every_place_is_there() -> None:
    text = page("--with", "base")
    compile(text, "shown", "exec")
    for file, line in PLACE.findall(text):
        assert (ROOT / file).read_text().splitlines()[int(line) - 1].strip()
    assert text.startswith("# ")


def test_every_card_and_tile_has_code_of_its_own() -> None:
    shown = [rule for rule in load("base").rules if rule.kind in CARD_KINDS | TILE_KINDS]
    text = page("--with", "base", *(w for rule in shown if rule.kind == "card"
                                    for w in ("--card", rule.id)))  # fmt: skip
    places = {(file, int(line)) for file, line in PLACE.findall(text)}
    for rule in shown:
        lines = range(rule.span.line, rule.span.line + 6)  # the next begins further down
        assert any((rule.span.source.name, line) in places for line in lines), rule.id


def test_players_and_cards_are_those_asked_for() -> None:
    with_lords = page("--with", "base", "--players", "4", "--card", "lords")
    assert with_lords == page("--with", "base", "--players", "4", "--card", "lords")
    assert with_lords != page("--with", "base", "--players", "4", "--card", "miners")


def test_it_is_coloured_on_a_terminal_only() -> None:
    assert "\x1b" not in page("knights", "--with", "base")
    coloured = show("knights", "--with", "base", env={"FORCE_COLOR": "1"}).stdout
    plain = re.sub(r"\x1b\[[\d;]*m", "", coloured)
    assert "\x1b" in coloured
    assert plain == page("knights", "--with", "base")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--source", "nights"], "KB413", "did you mean `knights`?"),
        (["--source", "tile", "knights"], "KB413", "there is no tile `knights`"),
        (["--source", "tile", "knights"], "KB413", "it is a card: `kbrules show --source knights`"),
        (["--source", "knights", "--svg", "a.svg"], "KB009", "no picture"),
        (["--source", "--players", "0"], "KB009", "not 0"),
        (["--source", "--players", "9"], "KB009", "not 9"),
        (["--source", "--card", "nobody"], "KB413", "there is no card `nobody`"),
        (["--players", "3"], "KB009", "add `--source`"),
    ],
)
def test_what_cannot_be_shown_is_told(words: list[str], code: str, said: str) -> None:
    result = CliRunner().invoke(app, ["show", *words, "--with", "base"])
    assert result.exit_code == 2
    assert code in result.stderr
    assert said in result.stderr
    assert result.stdout == ""
