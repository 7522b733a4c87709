"""`kbrules balance`: which card is meant, and what is said of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.tools.simulate import run
from kbrules.tools.simulate.results_file import DealSpan, PlayedSpan, Store
from tests.source_tree import DALE

FEW = ("--games", "4", "--bots", "random", "--no-file")
KEPT = FEW[:-1]


def balance(*words: str) -> Result:
    result = CliRunner().invoke(app, ["balance", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DALE, tmp_path / "dale")
    return tmp_path / "dale"


def test_a_card_stands_among_the_others(dale: Path) -> None:
    said = balance("rowers", "--with", "dale", *FEW)
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout.startswith("Rowers pays ") and " to a random player: " in said.stdout
    rows = [line for line in said.stdout.splitlines() if line.startswith("> Rowers")]
    assert len(rows) == 1 and "#" in rows[0]
    assert "20 games, 2 players, seeds 0 to 3; kbrules " in said.stdout


def test_what_is_said_for_programs_is_what_the_command_in_it_says_again(dale: Path) -> None:
    first = balance("Rowers", "--with", "dale", *FEW, "--output-format", "json")
    told = json.loads(first.stdout)
    assert (told["card"], told["deals"], told["games"]) == ("rowers", 4, 20)
    bot = told["bots"][0]
    assert bot["asked"]["card"] == "rowers" and len(bot["others"]) == 10
    sorted_out = bot["more_than"] + bot["less_than"] + bot["level_with"]
    sorted_out += bot["too_few_games_for"]  # which are level with nothing
    assert sorted(sorted_out) == sorted(each["card"] for each in bot["others"])
    kbrules, command, *words = told["command"]
    assert (kbrules, command) == ("kbrules", "balance")
    again = balance(*words, "--output-format", "json")
    assert again.stdout == first.stdout


@pytest.mark.parametrize("name", ["dale/rules/rowers.kb", "rowers", "Rowers"])
def test_a_card_of_ones_own_is_found_by_its_file_and_where_one_stands(
    dale: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (dale / "rules" / "rowers.kb").write_text(
        'card rowers "Rowers":\n    "One gold for each piece."\n    gold 1 per hex in mine\n'
    )
    rules = dale / "rules" / "dale.kb"
    text = rules.read_text(encoding="utf-8")
    start, end = text.index("card rowers"), text.index("option heath_pays")
    rules.write_text(text[:start] + text[end:], encoding="utf-8")
    if "/" not in name:
        monkeypatch.chdir(dale)
    said = balance(name, *FEW)
    assert said.exit_code == 0, said.stderr
    assert said.stdout.startswith("Rowers pays ")


def test_a_card_of_a_box_that_is_not_named_is_found(dale: Path) -> None:
    said = balance("shepherds", *FEW)
    assert said.exit_code == 0, said.stderr
    assert "--with base --with nomads" in said.stdout.splitlines()[-1]


def test_the_report_says_which_cards_lay_on_the_tables(dale: Path) -> None:
    said = balance("rowers", "--with", "dale", *FEW).stdout
    cards = "on the table: Rowers and 2 of the 10 official cards, drawn for each deal; "
    assert f"{cards}all 10 lie on" in " ".join(said.split())


@pytest.mark.parametrize(
    ("words", "code", "help"),
    [
        (("rwoers", "--with", "dale"), "KB413", "did you mean `rowers`?"),
        (("dale",), "KB009", "`kbrules balance rowers --with dale`"),
        (("nowhere.kb",), "KB001", "slip"),
        (("loose.kb",), "KB006", "kbrules new expansion"),
        (("rowers", "--with", "dale", "--bots", "clever"), "KB009", "random"),
        (("rowers", "--with", "dale", "--bots", "a,b"), "KB009", "`--bots a --bots b`"),
        (("rowers", "--with", "dale", "--players", "9"), "KB009", ""),
        (("mill", "--with", "dale"), "KB413", ""),
    ],
)
def test_what_cannot_be_measured_is_told(
    dale: Path, words: tuple[str, ...], code: str, help: str
) -> None:
    (dale.parent / "loose.kb").write_text("")
    said = balance(*words)
    assert said.exit_code == 2 and said.stdout == ""
    assert f"error[{code}]" in said.stderr and help in said.stderr


def test_a_run_stops_when_it_knows_enough_and_says_so(dale: Path) -> None:
    words = ("rowers", "--with", "dale", "--bots", "random", "--output-format", "json")
    told = json.loads(balance(*words, "--until", "4", "--games", "500").stdout)
    assert told["deals"] in (32, 64) and told["bots"][0]["error"] < 0.05
    gold = told["bots"][0]["asked"]["gold"]
    assert gold["high"] - gold["low"] <= 8
    said = balance(*told["command"][2:])
    assert "its looks together miss 5 % at most" in said.stdout
    assert f"seeds 0 to {told['deals'] - 1};" in said.stdout


def test_pictures_and_pages_are_written(dale: Path) -> None:
    said = balance("rowers", "--with", "dale", *FEW, "--svg", "a.svg", "--html", "a.html")
    assert said.exit_code == 0 and said.stdout.startswith("Rowers pays ")
    assert Path("a.svg").read_text().startswith("<svg ") and "<table>" in Path("a.html").read_text()
    alone = balance("rowers", "--with", "dale", *FEW, "--svg", "-")
    assert alone.stdout == Path("a.svg").read_text()
    nowhere = balance("rowers", "--with", "dale", *FEW, "--svg", "no/a.svg")
    assert nowhere.exit_code == 2 and "error[KB008]" in nowhere.stderr


def test_rulings_are_part_of_the_question(dale: Path) -> None:
    said = balance("rowers", "--with", "dale", *FEW, "--option", "heath_pays=yes")
    assert said.stdout.rstrip().endswith("--option heath_pays=yes")
    wrong = balance("rowers", "--with", "dale", *FEW, "--option", "heath_says=yes")
    assert wrong.exit_code == 2 and "there is no option `heath_says`" in wrong.stderr


def test_what_was_broken_off_goes_on_and_tells_the_same(
    dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("rowers", "--with", "dale", *KEPT)
    whole = balance(*words, "--no-file").stdout
    assert [*dale.parent.glob("*.sqlite")] == []
    add = Store.add

    def add_two(store: Store, played: PlayedSpan) -> None:
        add(store, played)
        if store.done == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(run, "SPAN_SECONDS", 0.0)  # a deal at a time
    monkeypatch.setattr(Store, "add", add_two)
    said = balance(*words)
    (path,) = dale.parent.glob("balance-*.sqlite")
    assert (said.exit_code, said.stdout) == (130, "")
    goes_on = f"10 games are in {path.name}, and the same command goes on from there"
    assert said.stderr == f"interrupted; {goes_on}\n"
    added: list[DealSpan] = []

    def add_and_note(store: Store, played: PlayedSpan) -> None:
        added.append(played.span)
        add(store, played)

    monkeypatch.setattr(Store, "add", add_and_note)
    assert balance(*words).stdout == whole
    assert added == [DealSpan(2, 1), DealSpan(3, 1)]
    assert [*dale.parent.glob("*.sqlite")] == [path]
    assert balance("--report", path.name).stdout == whole


def test_a_time_is_an_end_too(dale: Path) -> None:
    words = ("rowers", "--with", "dale", "--bots", "random", "--no-file", "--jobs", "1")
    told = json.loads(balance(*words, "--within", "0.1", "--output-format", "json").stdout)
    assert told["deals"] >= 1 and told["command"][-3:-1] == [str(told["deals"]), "--seed"]


def test_a_file_is_told_by_the_command_that_wrote_it(dale: Path) -> None:
    balance("rowers", "--with", "dale", *KEPT, "--into", "card.sqlite")
    other = ("--with", "dale", "--bots", "random", "--games", "2", "--into", "other.sqlite")
    CliRunner().invoke(app, ["simulate", *other])
    for words, help in (
        ("simulate --report card.sqlite", "kbrules balance --report"),
        ("balance --report other.sqlite", "`kbrules balance` writes"),
    ):
        said = CliRunner().invoke(app, words.split())
        assert (said.exit_code, said.stdout) == (2, "")
        assert "error[KB056]" in said.stderr and help in said.stderr
    assert "error[KB009]" in balance().stderr


def test_games_stay_in_a_file_that_is_named(dale: Path) -> None:
    words = ("rowers", "--with", "dale", "--bots", "random", "--into", "games.sqlite")
    said = balance(*words, "--games", "3")
    assert said.stderr == "the games are in games.sqlite\n"
    more = balance(*words, "--games", "5")
    assert more.stdout == balance(*words[:-2], "--games", "5", "--no-file").stdout
    assert balance(*words, "--games", "3").stdout == said.stdout
    for wrong, code in (
        ((*words, "--seed", "1"), "KB055"),
        ((*words[:-1], "dale/expansion.yaml"), "KB056"),
        ((*words[:-1], "nowhere/games.sqlite"), "KB008"),
    ):
        refused = balance(*wrong)
        assert (refused.exit_code, refused.stdout) == (2, "") and f"error[{code}]" in refused.stderr


def test_the_native_kernel_says_the_same(dale: Path) -> None:
    pytest.importorskip("numba")
    words = ("rowers", "--with", "dale", *FEW)
    assert balance(*words, "--fast").stdout == balance(*words).stdout


def test_games_that_no_native_kernel_plays_are_not_to_be_fast(dale: Path) -> None:
    said = balance("rowers", "--with", "dale", "--bots", "greedy", "--fast")
    assert said.exit_code == 2 and "plays random games" in said.stderr
