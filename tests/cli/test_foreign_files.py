"""Files that are not the author's stay untouched, and files that nothing reads are told."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.library.reading import data_root
from kbrules.tools.language_service.workspace import Workspace
from tests.cli.program import run
from tests.example_games import DALE

UGLY = 'define  shore "By the water." :  adjacent(heath)\n'


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder that is a repository, in which we stand."""
    monkeypatch.chdir(tmp_path)
    for name, text in {**DALE, ".gitignore": "drafts/\n", "rules/ugly.kb": UGLY}.items():
        _write(tmp_path / name, text)
    subprocess.run(["git", "init", "-q"], check=True)
    return tmp_path


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


FOREIGN = ("venv/lib/python3.11/site-packages/kbrules/x.kb", "build/lib/x.kb", "dist/x.kb",
           "drafts/x.kb", "env/share/x.kb", ".tox/x.kb")  # fmt: skip


def test_fmt_writes_no_file_of_somebody_else(dale: Path) -> None:
    files = [_write(dale / name, UGLY) for name in FOREIGN]
    _write(dale / "env" / "pyvenv.cfg", "home = /usr/bin\n")
    assert run("fmt", ".").stderr.startswith("1 of ")
    assert run("fmt").stderr.startswith("0 of ")
    assert {file.read_text() for file in files} == {UGLY}
    assert run("fmt", "drafts/x.kb", "build/lib/x.kb").stderr == "2 of 2 files changed\n"


def test_rules_of_a_box_that_git_ignores_are_checked_and_not_written(dale: Path) -> None:
    bad = _write(dale / "rules" / "drafts" / "bad.kb", UGLY.replace("heath", "nowhere"))
    assert "rules/drafts/bad.kb" in run("check", ".").stdout
    bad.write_text(UGLY.replace("shore", "strand"))
    run("fmt", ".")
    run("check", ".", "--fix")
    assert bad.read_text() == UGLY.replace("shore", "strand")
    run("fmt", "rules/drafts/bad.kb")
    assert bad.read_text() != UGLY.replace("shore", "strand")


def test_check_reports_no_installed_kbrules(dale: Path) -> None:
    place = dale / "venv" / "lib" / "python3.11" / "site-packages" / "kbrules" / "_data"
    shutil.copytree(data_root("rules") / "base", place / "rules" / "base")
    shutil.copy(data_root("expansions") / "base.yaml", place / "expansion.yaml")
    _write(place / "x.scenario.yaml", "format: 1\n")
    assert run("check", ".", "--ignore", "KB7").exit_code == 0, run("check", ".").stdout
    assert "site-packages" not in run("test", ".").stdout


@pytest.fixture
def locked(dale: Path) -> Path:
    """The same while an editor has files open: a link of Emacs that leads nowhere, and others."""
    (dale / "rules" / ".#ugly.kb").symlink_to("somebody@machine.4711:1700000000")
    (dale / ".#expansion.yaml").symlink_to("somebody@machine.4711:1700000000")
    (dale / "rules" / "._ugly.kb").write_bytes(b"\0\5\26\7\0\2\0\0Mac OS X\xff")
    _write(dale / "rules" / "ugly.kb~", "no rule at all\n")
    _write(dale / "texts" / "._de.yaml", "\x00")
    (dale / ".DS_Store").write_bytes(b"\0\0\0\1Bud1\xff")
    return dale


@pytest.mark.parametrize("words", [["check", "."], ["check"], ["test", "."], ["fmt", "."], ["lock"],
                                   ["test", "--coverage", "--fail-under", "0"]])  # fmt: skip
def test_files_of_editors_stop_no_command(words: list[str], locked: Path) -> None:
    ignoring = ["--ignore", "KB7"] if words[0] == "check" else []
    result = run(*words, *ignoring)
    assert ".#" not in result.output + result.stderr, result.output
    assert "._" not in result.output + result.stderr
    assert result.exit_code == 0, result.output


def test_files_of_editors_stop_no_editor(locked: Path) -> None:
    workspace = Workspace([locked])
    found = workspace.findings(locked / "rules" / "ugly.kb")
    assert {str(path) for path, of in found.items() if of} == set()
    assert not any(path.name.startswith(".") for path in workspace.files_of_roots())


def test_a_rule_file_ten_folders_deep_is_of_its_box(dale: Path) -> None:
    deep = _write(dale / "rules/a/b/c/d/e/f/g/h/x.kb", 'define shore_only "By water.": heath\n')
    _write(dale / "rules/use.kb", 'define used "By water.": adjacent(shore_only)\n')
    assert "shore_only" not in run("check", str(deep)).stdout


SCENARIO = "format: 1\ntitle: Nothing yet\nboard:\n  drawing: |\n    H Ha\nexpect: {over: no}\n"


@pytest.fixture
def dale_with_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder, seen from the folder above it."""
    monkeypatch.chdir(tmp_path)
    for name, text in {**DALE, "scenarios/first.scenario.yaml": SCENARIO}.items():
        _write_texts(Path("dale") / name, text)
    return Path("dale")


def _write_texts(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("command", ["check", "test"])
@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("scenarios/second.scenario.yml", "`second.scenario.yaml`"),
        ("scenarios/third.yaml", "`third.scenario.yaml`"),
        ("scenarios/stray.kb", "`rules/`"),
    ],
)
def test_a_file_that_nothing_reads_is_told(
    command: str, name: str, help: str, dale_with_others: Path
) -> None:
    text = 'rule more:\n    "More."\n    forbid build on water\n'
    _write_texts(dale_with_others / name, text if name.endswith(".kb") else SCENARIO)
    result = CliRunner().invoke(app, [command, "dale"])
    assert result.exit_code == 2
    assert f"KB006]: `dale/{name}`" in result.output and help in result.output


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("drafts/stray.kb", "`rules/`"),
        ("rules/._dale.kb", "another name"),
        ("rules/.old/dale.kb", "another name"),
        ("rules/../.#dale.kb", "another name"),
    ],
)
def test_a_named_rule_file_that_its_box_does_not_read_is_not_good(
    name: str, help: str, dale_with_others: Path
) -> None:
    _write_texts(dale_with_others / name, "card  q:")
    result = CliRunner().invoke(app, ["check", f"dale/{name}"])
    assert result.exit_code == 2
    assert f"KB006]: `dale/{name}` is not read" in result.output and help in result.output


@pytest.mark.parametrize("command", ["check", "test"])
def test_other_files_are_nobodys_business(command: str, dale_with_others: Path) -> None:
    _write_texts(dale_with_others / "notes.yaml", "steps: [buy paper]\n")
    _write_texts(dale_with_others / "other.yml", "id: 7\n")
    _write_texts(dale_with_others / "rules" / "deep" / "empty.kb", "")
    assert CliRunner().invoke(app, [command, "dale"]).exit_code == 0


def test_two_folders_with_one_id_are_told(dale_with_others: Path) -> None:
    shutil.copytree(dale_with_others, "vale")
    result = CliRunner().invoke(app, ["check", "dale", "vale"])
    assert result.exit_code == 1 and "two folders have the id `dale`" in result.output
    assert CliRunner().invoke(app, ["check", "vale"]).exit_code == 0
    shutil.move("vale", dale_with_others / "older")  # an earlier version, kept to be compared
    assert "two folders" not in CliRunner().invoke(app, ["check", "dale"]).output


@pytest.mark.parametrize(
    "words",
    [
        "show board --svg board.png",
        "show board --png board.svg",
        "show board --html board.pdf",
        "cards --with dale --pdf cards.svg",
        "cards --with dale --svg cards.pdf",
    ],
)
def test_a_picture_is_of_the_kind_its_name_says(words: str, dale_with_others: Path) -> None:
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2 and "KB009" in result.output
    assert sorted(path.name for path in Path().iterdir()) == ["dale"]
