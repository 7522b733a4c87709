"""The README is true: its commands exist, its mistakes give its messages, its code runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kbrules
from kbrules.scenario.examples.check import run_examples
from kbrules.text import Source

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def marked(mark: str) -> str:
    """The fenced block that follows a mark."""
    found = re.search(rf"<!-- {mark} -->\n```[a-z]*\n(.*?)```", README, re.DOTALL)
    assert found is not None, mark
    return found.group(1)


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kbrules", *words]
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.fixture()
def desk(tmp_path: Path) -> Path:
    made = run("new", "expansion", "orchard", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    return tmp_path


def with_card(desk: Path, text: str) -> None:
    (desk / "orchard" / "rules" / "loners.kb").write_text(text, encoding="utf-8")


def entered(desk: Path) -> None:
    manifest = desk / "orchard" / "expansion.yaml"
    text = manifest.read_text(encoding="utf-8")
    assert "cards: [orchard_keeper]" in text
    entry = "cards: [orchard_keeper, loners]"
    assert entry in README
    manifest.write_text(text.replace("cards: [orchard_keeper]", entry), encoding="utf-8")


def test_the_mistakes_give_the_messages_shown(desk: Path) -> None:
    with_card(desk, marked("mistakes"))
    checked = run("check", "orchard", folder=desk)
    assert checked.returncode == 1
    assert checked.stdout.strip() == marked("findings").strip()


def test_what_is_hardly_meant_is_warned_of_and_mended(desk: Path) -> None:
    with_card(desk, marked("hardly"))
    words = ["check", "orchard", "--samples", "0", "--output-format", "concise"]
    checked = run(*words, folder=desk)
    assert checked.returncode == 1
    assert checked.stdout.startswith(marked("warnings"))
    fixed = run(*words, "--fix", folder=desk)
    assert fixed.stdout.startswith(marked("warnings").split("\n")[0] + "\n1 finding")


def test_the_mended_card_passes_and_plays(desk: Path) -> None:
    with_card(desk, marked("mended"))
    entered(desk)
    for words in (["check", "orchard"], ["test", "orchard"]):
        done = run(*words, folder=desk)
        assert done.returncode == 0, done.stdout + done.stderr
    played = run("play", "--with", "orchard", "--bots", "greedy", "--seed", "2", folder=desk)
    assert played.returncode == 0, played.stderr
    assert "winner" in played.stdout


def test_the_pictures_are_made(desk: Path) -> None:
    run("play", "--with", "orchard", "--bots", "greedy", "--seed", "2", folder=desk)
    said = re.findall(r"^    kbrules ((?:show|cards) .* --(?:svg|html|pdf) .*)$", README, re.M)
    assert len(said) == 3
    for words in said:
        done = run(*words.split(), folder=desk)
        if words.startswith("cards") and "KB045" in done.stderr:
            continue  # the extra is not installed here
        assert done.returncode == 0, done.stderr
    assert {path.suffix for path in desk.iterdir()} >= {".svg", ".html"}


def test_the_points_of_the_mended_card_are_told_as_shown(desk: Path) -> None:
    with_card(desk, marked("mended"))
    entered(desk)
    words = "why orchard/rules/loners.kb red loners"
    assert f"kbrules {words}\n" in README
    told = run(*words.split(), folder=desk)
    assert told.returncode == 0, told.stderr
    assert marked("why") in told.stdout


def test_what_the_mended_card_is_worth_is_told(desk: Path) -> None:
    with_card(desk, marked("mended"))
    entered(desk)
    words = "balance orchard/rules/loners.kb"
    assert f"`kbrules {words}`" in README
    told = run(*words.split(), "--bots", "random", "--games", "2", folder=desk)
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("Loners pays ")


def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    exec(compile(code.group(1), "README.md", "exec"), {})
    assert re.fullmatch(r"\(\d+, \d+\)\n", capsys.readouterr().out)


def test_a_position_offers_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    exec(marked("laid"), {})
    assert capsys.readouterr().out == marked("offered")


def test_native_playouts_are_as_it_says() -> None:
    pytest.importorskip("numba")
    names: dict[str, object] = {}
    exec(marked("playouts"), names)
    exec(marked("batch"), {})
    assert 300 < names["first_wins"] < 900  # type: ignore[operator]


def test_the_run_shown_is_the_run_of_make_run(tmp_path: Path) -> None:
    words = ["play", "--players", "2", "--seed", "7", "--bots", "greedy"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert " ".join(words) in makefile
    played = run(*words, folder=tmp_path)
    assert marked("run").rstrip() in played.stdout


def test_the_cards_shown_say_what_the_shipped_ones_say() -> None:
    shown = marked("cards")
    for kind, name in (("card", "citizens"), ("location", "paddock")):
        head = f'{kind} {name} "{name.title()}":'
        assert head in shown
        shown = shown.replace(head, head.replace(":", f" replaces {name}:"))
    ruleset = kbrules.load("base", texts=[Source("readme.kb", shown)])
    shipped = kbrules.load("base")
    for name in ("citizens", "paddock"):
        mine, theirs = ruleset.rule(name), shipped.rule(name)
        assert mine is not None and theirs is not None
        assert mine.wording == theirs.wording
        assert [a.span.text for a in mine.awards] == [a.span.text for a in theirs.awards]
        assert [a.span.text.split() for a in mine.actions] == [
            a.span.text.split() for a in theirs.actions
        ]
    ran = [outcome for each, outcome in run_examples(ruleset) if each.rule.id == "citizens"]
    assert [outcome.passed for outcome in ran] == [True]


def test_the_refusal_shown_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    game = kbrules.new_game(kbrules.load("base"), players=2, seed=3)
    state = game.start()
    for text in ("draw flower", "draw forest", "build e3"):
        moves = game.legal_moves(state)
        state = game.apply(state, kbrules.read_move(text, game.board, moves))
    move = kbrules.read_move("build r17", game.board, game.legal_moves(state))
    assert str(game.explain(state, move)) == marked("refusal").rstrip()


def test_a_blank_map_is_begun_and_counted(tmp_path: Path) -> None:
    assert "kbrules new section north\n" in README and "`kbrules check north`" in README
    made = run("new", "section", "north", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    checked = run("check", "north", folder=tmp_path)
    assert checked.returncode == 1 and "100 hexes" in checked.stdout


def test_a_stand_in_is_replaced_by_the_line_shown(tmp_path: Path) -> None:
    sections = kbrules.load().parts.sections.values()
    name = next((section.id for section in sections if section.stand_in), None)
    if name is None:
        pytest.skip("all maps are the printed ones")
    run("new", "section", name, folder=tmp_path)
    manifest = tmp_path / name / "expansion.yaml"
    assert marked("replacing") in manifest.read_text(encoding="utf-8")


def test_many_games_say_what_is_shown(tmp_path: Path) -> None:
    (command,) = re.findall(r"^    kbrules (simulate --card .*)$", README, re.MULTILINE)
    said = run(*command.split(), folder=tmp_path)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(marked("simulate"))
    assert not any(tmp_path.iterdir())
