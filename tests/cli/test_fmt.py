"""`kbrules fmt`: files written anew, told about, or passed through."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app

UGLY = '# kept\ncard  rowers "Rowers" :\n  "One gold each."\n  gold 1 per hex in (mine)\n'
NEAT = '# kept\ncard rowers "Rowers":\n    "One gold each."\n    gold 1 per hex in mine\n'


def fmt(*words: str, typed: str = "") -> Result:
    result = CliRunner().invoke(app, ["fmt", *words], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ugly.kb").write_text(UGLY)
    (tmp_path / "rules" / "neat.kb").write_text(NEAT)
    return tmp_path


def test_the_folder_one_stands_in_is_written_anew(folder: Path) -> None:
    said = fmt()
    assert (said.exit_code, said.stderr) == (0, "1 of 2 files changed\n")
    assert (folder / "rules" / "ugly.kb").read_text() == NEAT
    assert sorted(os.listdir(folder / "rules")) == ["neat.kb", "ugly.kb"]
    assert fmt().stderr == "0 of 2 files changed\n"


def test_check_names_what_would_change_and_writes_nothing(folder: Path) -> None:
    said = fmt("--check", "rules")
    assert (said.exit_code, said.stdout) == (1, "rules/ugly.kb would change\n")
    assert (folder / "rules" / "ugly.kb").read_text() == UGLY
    assert fmt("--check", "rules/neat.kb").exit_code == 0


def test_diff_shows_it(folder: Path) -> None:
    said = fmt("--diff")
    assert said.exit_code == 1
    assert '-card  rowers "Rowers" :\n' in said.stdout
    assert "+    gold 1 per hex in mine\n" in said.stdout
    assert (folder / "rules" / "ugly.kb").read_text() == UGLY


def test_standard_input_goes_to_standard_output() -> None:
    said = fmt("-", typed=UGLY)
    assert (said.exit_code, said.stdout) == (0, NEAT)
    assert fmt("--check", "-", typed=UGLY).exit_code == 1
    assert fmt("--check", "-", typed=NEAT).exit_code == 0


def test_what_is_typed_may_have_a_name(folder: Path) -> None:
    named = ("-", "--stdin-filename", "rules/neat.kb")
    assert fmt(*named, typed=UGLY).stdout == NEAT
    assert fmt("--diff", *named, typed=UGLY).stdout.startswith("--- rules/neat.kb\n")
    assert "rules/neat.kb:1:6: error[KB107]" in fmt(*named, typed="card x\n").stderr
    assert "KB009" in fmt("rules", "--stdin-filename", "x.kb").stderr
    assert (folder / "rules" / "neat.kb").read_text() == NEAT


def test_line_ends_of_another_kind_are_a_change(folder: Path) -> None:
    (folder / "rules" / "neat.kb").write_bytes(NEAT.replace("\n", "\r\n").encode())
    assert fmt("rules/neat.kb").stderr == "1 of 1 file changed\n"
    assert (folder / "rules" / "neat.kb").read_bytes() == NEAT.encode()


def test_what_cannot_be_read_is_told_and_left_and_the_rest_is_written(folder: Path) -> None:
    broken = folder / "rules" / "broken.kb"
    broken.write_text("card x\n    gold 1\n")
    said = fmt()
    assert said.exit_code == 2
    assert "rules/broken.kb:1:6: error[KB107]" in said.stderr
    assert broken.read_text() == "card x\n    gold 1\n"
    assert (folder / "rules" / "ugly.kb").read_text() == NEAT
    assert fmt("-", typed="card x\n").exit_code == 2


def test_a_path_of_no_use_is_told(folder: Path) -> None:
    assert "KB001" in fmt("nowhere").stderr
    assert fmt("nowhere").exit_code == 2
