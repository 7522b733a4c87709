"""`kbrules explain`: the page of every code, and what happens to those who mistype one."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.messages import CODES, Example
from tests.diagnostics.test_codes import WITH


def explain(*words: str) -> Result:
    result = CliRunner().invoke(app, ["explain", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(autouse=True)
def no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("code", CODES)
def test_a_page_has_all_its_parts(code: str) -> None:
    entry = CODES[code]
    page = explain(code).stdout
    words = " ".join(page.split())
    assert words.startswith(f"{code} {entry.slug} ")
    assert entry.explanation in words
    assert max(map(len, page.splitlines())) <= 180
    if entry.wrong == Example():
        assert "This is wrong" not in page
        return
    parts = re.split(r"\n\n(?:This is wrong|It is told like this|This is right):\n\n", page)
    assert len(parts) == 4
    _, wrong, told, right = parts
    assert re.findall(rf"{entry.severity}\[(KB\d+)\]", told) == [*WITH.get(code, []), code]
    assert wrong.strip() and right.strip() and wrong != right
    assert page.count("\n") < 90


def test_the_example_of_a_page_is_told_as_it_would_be_told_to_its_author() -> None:
    assert explain("KB201").stdout.endswith(
        "This is wrong:\n"
        "\n"
        "    # rules/near.kb\n"
        '    define near "Hexes next to yours.": adjcent(mine)\n'
        "\n"
        "It is told like this:\n"
        "\n"
        "    rules/near.kb:1:37: error[KB201]: `adjcent` is not a word I know\n"
        '       1 | define near "Hexes next to yours.": adjcent(mine)\n'
        "         |                                     ^^^^^^^\n"
        "       help: did you mean `adjacent`?\n"
        "\n"
        "This is right:\n"
        "\n"
        "    # rules/near.kb\n"
        '    define near "Hexes next to yours.": adjacent(mine)\n'
    )


def test_a_code_may_be_written_as_one_likes() -> None:
    page = explain("KB203").stdout
    assert explain("kb203").stdout == explain("wrong-sort").stdout == page


def test_without_a_code_all_are_listed() -> None:
    lines = explain().stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)
    assert [line.split()[1] for line in lines] == [entry.slug for entry in CODES.values()]


@pytest.mark.parametrize(
    ("word", "near"),
    [("KB2O1", "KB201"), ("KB20", "KB001"), ("wrong-srt", "wrong-sort"), ("tabs", "tab")],
)
def test_a_code_mistyped_is_guessed(word: str, near: str) -> None:
    result = explain(word)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[KB009]" in result.stderr
    assert f"did you mean `{near}`?" in result.stderr or word == "KB20"


def test_a_code_nobody_knows_is_answered_with_the_way_to_all() -> None:
    result = explain("why-does-it-not-work")
    assert result.exit_code == 2
    assert "`kbrules explain` lists the codes" in result.stderr


def test_with_colours_the_page_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = explain("KB201").stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = explain("KB201").stdout
    assert "\x1b[31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
