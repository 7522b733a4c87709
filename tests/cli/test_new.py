"""`kbrules new expansion`: a folder that works at once, or nothing at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import Result

from kbrules.library.load import load
from kbrules.library.reading import data_root
from kbrules.tools import new as scaffold
from tests.cli.program import run

FILES = [
    ".schemas/expansion.schema.json",
    ".schemas/mutants.schema.json",
    ".schemas/position.schema.json",
    ".schemas/scenario.schema.json",
    ".schemas/texts.schema.json",
    "README.md",
    "expansion.yaml",
    "rules/{name}.kb",
    "scenarios/first.scenario.yaml",
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def files_in(folder: Path) -> list[str]:
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(found)


@pytest.mark.parametrize("name", ["vale", "far_vale", "v", "v" * 30, "land2"])
def test_what_is_made_is_in_order_and_passes_its_tests(name: str, here: Path) -> None:
    made = run("new", "expansion", name)
    assert made.exit_code == 0, made.output
    assert files_in(here / name) == sorted(file.format(name=name) for file in FILES)
    for file in FILES[5:]:
        assert f"written: {name}/{file.format(name=name)}\n" in made.stdout
    checked = run("check", name)
    assert (checked.exit_code, checked.stdout) == (0, "all good: 3 files\n")
    tested = run("test", name)
    assert tested.exit_code == 0, tested.output
    assert "3 passed" in tested.stdout


def test_it_can_be_worked_in(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "expansion", "vale")
    monkeypatch.chdir(here / "vale")
    assert run("check").exit_code == 0
    rules = Path("rules/vale.kb")
    rules.write_text(rules.read_text().replace("adjacent", "adjcent"))
    result = run("check", ".")
    assert result.exit_code == 1
    assert "help: did you mean `adjacent`?" in result.stdout
    rules.write_text(rules.read_text().replace("adjcent", "adjacent").replace("gold 3", "gold 4"))
    assert "warning[KB710]: the wording says" in run("check", ".").stdout
    assert run("check", ".", "--ignore", "KB710").exit_code == 0
    assert run("test", ".").exit_code == 1


def test_its_page_names_commands_that_work(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("new", "expansion", "vale")
    monkeypatch.chdir(here / "vale")
    lines = Path("README.md").read_text().splitlines()
    commands = [line.split("  ")[2].split()[1:] for line in lines if line.startswith("    kbrules")]
    assert [command[0] for command in commands] == ["check", "test", "play"]
    for command in commands[:2]:
        assert run(*command).exit_code == 0
    assert run(*commands[2], "--bots", "random", "--seed", "1", "--quiet").exit_code == 0


def test_it_brings_a_tile_a_card_and_a_map(here: Path) -> None:
    run("new", "expansion", "vale")
    before, after = load("base"), load(folders=[here / "vale"])
    assert len(after.catalog.tiles) == len(before.catalog.tiles) + 1
    assert len(after.catalog.cards) == len(before.catalog.cards) + 1
    section = after.parts.sections["vale"]
    assert (len(section.rows), *{len(row) for row in section.rows}) == after.parts.section_size
    assert sum(row.count("1") for row in section.rows) == 2
    assert len(set("".join(section.rows))) > 5


def test_editors_find_the_schemas(here: Path) -> None:
    run("new", "expansion", "vale")
    for file in ("expansion.yaml", "scenarios/first.scenario.yaml"):
        path = here / "vale" / file
        modeline = path.read_text().splitlines()[0]
        schema = path.parent / modeline.rpartition("$schema=")[2]
        shipped = data_root("schemas") / schema.name
        assert schema.read_bytes() == shipped.read_bytes()


def test_into_another_folder(here: Path) -> None:
    (here / "boxes").mkdir()
    assert run("new", "expansion", "vale", "--into", "boxes").exit_code == 0
    assert (here / "boxes" / "vale" / "expansion.yaml").is_file()
    assert run("check", "boxes/vale").exit_code == 0


# Or nothing at all


def refused(result: Result, code: str) -> None:
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"error[{code}]" in result.stderr


def test_nothing_is_written_over(here: Path) -> None:
    run("new", "expansion", "vale")
    rules = here / "vale" / "rules" / "vale.kb"
    rules.write_text("# mine\n")
    refused(run("new", "expansion", "vale"), "KB008")
    assert rules.read_text() == "# mine\n"
    assert os.listdir(here) == ["vale"]


@pytest.mark.parametrize("make", ["file", "folder", "link"])
def test_whatever_is_there_stays(here: Path, make: str) -> None:
    target = here / "vale"
    if make == "file":
        target.write_text("mine\n")
    elif make == "folder":
        target.mkdir()
    else:
        target.symlink_to(here / "nowhere")
    refused(run("new", "expansion", "vale"), "KB008")
    assert os.listdir(here) == ["vale"]


def test_a_place_that_is_not_there(here: Path) -> None:
    refused(run("new", "expansion", "vale", "--into", "nowhere"), "KB008")
    assert os.listdir(here) == []


@pytest.mark.parametrize(
    "name",
    ["Vale", "a-vale", "2vale", "a vale", "", "../vale", "vale/vale", "v" * 31, "välé", "-", "_v"],
)
def test_a_name_that_cannot_be_one(here: Path, name: str) -> None:
    refused(run("new", "expansion", "--", name), "KB009")
    assert os.listdir(here) == []


@pytest.mark.parametrize(
    "name", ["mine", "adjacent", "build", "knights", "nomads", "deck", "tavern"]
)
def test_a_name_that_is_taken(here: Path, name: str) -> None:
    result = run("new", "expansion", name)
    refused(result, "KB009")
    assert f"`{name}`" in result.stderr
    assert os.listdir(here) == []


@pytest.mark.parametrize(
    ("owner", "place"), [(scaffold, "_write"), (scaffold, "_refuse_findings"), (Path, "rename")]
)
def test_nothing_is_left_of_what_could_not_be_finished(
    here: Path, owner: object, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(owner, place, fail)
    result = run("new", "expansion", "vale")
    refused(result, "KB008")
    assert "no space left on device" in result.stderr
    assert os.listdir(here) == []


def test_others_may_read_what_is_made(here: Path) -> None:
    run("new", "expansion", "vale")
    mask = os.umask(0)
    os.umask(mask)
    assert (here / "vale").stat().st_mode & 0o777 == 0o777 & ~mask


def test_a_name_that_cannot_be_is_answered_with_one_that_can() -> None:
    result = run("new", "expansion", "Große Mühle")
    assert result.exit_code == 2 and "`grosse_muehle`" in result.output
    assert "`grosse" not in run("new", "expansion", "4th").output


@pytest.mark.parametrize("words", [(), ("card",), ("expansoin", "dale")])
def test_whatever_cannot_be_begun_is_answered_by_what_can(words: tuple[str, ...]) -> None:
    result = run("new", *words)
    assert result.exit_code == 2
    told = " ".join(result.output.split())
    assert "Error: " in told
    assert "expansion, section can be begun" in told and "is written in a file in `rules`" in told
