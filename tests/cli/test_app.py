"""The program itself: first page, help, exit codes, completion, cache, language server."""

from __future__ import annotations

import errno
import gc
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import kbrules
from cli import app as program, new
from cli.app import app
from cli.terminal import exit_unwritten
from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.kernel.native import cached_files
from kbrules.messages import CODES
from kbrules.text import Source
from tests.example_games import DALE
from tests.source_tree import ROOT

COMMANDS = [*program._COMMANDS, "new"]
HEAVY = {"lark", "pydantic", "ruamel", "rich"}


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The program as a process of its own, started in the root of the repository."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "kbrules", *words],
        cwd=ROOT,
        env={**kept, "COLUMNS": "100", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_alone_it_shows_a_page_that_teaches() -> None:
    seen = run()
    assert (seen.returncode, seen.stderr) == (0, "")
    named = set(re.findall(r"^  kbrules (\w+)", seen.stdout, re.MULTILINE))
    assert {"play", "new", "check", "test", "explain"} <= named <= set(COMMANDS)
    assert seen.stdout.count("\n") < 24


def alone_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    seen = CliRunner().invoke(program.app, [])
    assert seen.exit_code == 0, seen.output
    return seen.output


def test_alone_it_begins_with_what_lies_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "kbrules new expansion dale" in alone_in(tmp_path, monkeypatch).split("See it work")[0]
    new.expansion("orchard", tmp_path)
    (tmp_path / "orchard").rename(tmp_path / "my orchard")
    page = alone_in(tmp_path, monkeypatch)
    assert "  kbrules test 'my orchard' " in page.split("See it work")[0]
    assert "kbrules balance 'my orchard' " in page and "kbrules new expansion dale" in page
    (tmp_path / "my orchard" / "rules" / "wrong.kb").write_text("card x\n", encoding="utf-8")
    assert "kbrules check 'my orchard'" in alone_in(tmp_path, monkeypatch)
    inside = alone_in(tmp_path / "my orchard" / "rules", monkeypatch)
    assert "finding" in inside and "in wrong.kb" in inside


def test_its_version_is_the_package_version() -> None:
    for words in (["--version"], ["--version", "check"]):
        seen = run(*words)
        assert seen.stdout == f"kbrules {kbrules.__version__}\n"
        assert seen.returncode == 0


def test_help_names_every_command() -> None:
    for word in ("--help", "-h"):
        seen = run(word)
        assert re.findall(r"^  (\w+) {2,}[A-Z].*\.$", seen.stdout, re.MULTILINE) == COMMANDS


@pytest.mark.parametrize("command", [*COMMANDS, "new expansion"])
def test_each_help_teaches_by_example(command: str) -> None:
    result = CliRunner().invoke(program.app, [*command.split(), "--help"], prog_name="kbrules")
    assert result.exit_code == 0
    examples = re.findall(r"^ +kbrules (\w+)", result.output, re.MULTILINE)
    assert examples.count(command.split()[0]) >= 1
    assert set(examples) <= set(COMMANDS)
    assert "\b" not in result.output


LIST_LOADED = """\
import atexit, sys

def list_loaded():
    ran = {name: each for name, each in sys.modules.items() if type(each).__name__ != "_LazyModule"}
    print(*(name for name, each in ran.items() if not ("." in name and hasattr(each, "__path__"))))

atexit.register(list_loaded)
"""


def loaded_by(code: str) -> set[str]:
    """The modules that have run when a program has, but for packages, which are empty."""
    seen = subprocess.run(
        [sys.executable, "-c", LIST_LOADED + code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(seen.stdout.split())


def test_the_package_alone_loads_nothing() -> None:
    loaded = loaded_by("import kbrules")
    assert {name for name in loaded if name.partition(".")[0] in {"kbrules", *HEAVY}} == {"kbrules"}


def test_the_commands_are_listed_without_the_engine() -> None:
    typed = "import sys; sys.argv = ['kbrules', '--help']\nfrom cli import app; app.main()"
    loaded = loaded_by(typed)
    assert {"cli.play", "cli.simulate"} <= loaded
    assert {name for name in loaded if name.startswith("kbrules.")} == {"kbrules.hooks"}


def test_what_is_shipped_is_checked_without_the_engine() -> None:
    typed = "import sys; sys.argv = ['kbrules', 'check']\nfrom cli import app; app.main()"
    loaded = loaded_by(typed)
    assert "kbrules.tools.lint.run" in loaded
    engine = ("kbrules.engine", "kbrules.reference", "kbrules.kernel", "kbrules.scenario.setup")
    assert {name for name in loaded if name.startswith(engine)} == set()


@pytest.mark.parametrize(("words", "swept"), [(["check"], False), (["check", "--watch"], True)])
def test_no_garbage_is_looked_for_in_what_is_over_soon(
    words: list[str], swept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took a sixth of the time of a check, and found next to nothing."""
    seen: list[bool] = []
    frozen: list[bool] = []
    monkeypatch.setattr(sys, "argv", ["kbrules", *words])
    monkeypatch.setattr(program, "program", lambda names: lambda **_: seen.append(gc.isenabled()))
    monkeypatch.setattr(program.gc, "freeze", lambda: frozen.append(True))
    before = gc.get_threshold()
    try:
        with pytest.raises(SystemExit):
            program.main()
    finally:
        gc.enable()
        gc.set_threshold(*before)
    assert seen == [swept]
    assert frozen == [True]


def test_a_command_is_started_without_the_engine() -> None:
    loaded = loaded_by("from cli import app")
    tops = {name.partition(".")[0] for name in loaded}
    assert "typer" in tops
    assert tops & HEAVY == set()
    assert {name for name in loaded if name.startswith("kbrules.")} == {"kbrules.hooks"}


@pytest.mark.parametrize(
    "words", [["chek"], ["check", "--with"], ["check", "--no-such-option"], ["new"], ["new", "x"]]
)
def test_wrong_use_ends_with_2(words: list[str]) -> None:
    seen = run(*words)
    assert seen.returncode == 2
    assert seen.stdout == ""
    assert "Error: " in seen.stderr and "Traceback" not in seen.stderr


def test_a_command_is_what_its_file_says() -> None:
    registered = {c.name: c.callback for c in program.app.registered_commands}
    for name, (module, function, _) in program._COMMANDS.items():
        command = getattr(import_module(f"cli.{module}"), function)
        assert registered[name].__wrapped__ is command  # type: ignore[union-attr]
    assert new.group.__doc__


# When we fail


def failing(fault: BaseException) -> typer.Typer:
    """A program of one command that fails so."""

    def command() -> None:
        """Fail."""
        raise fault

    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(program.guarded(command))
    return app


def test_a_fault_of_ours_is_told_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KBRULES_DEBUG", raising=False)
    result = CliRunner().invoke(failing(ZeroDivisionError("one\x1b[31m by none")))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "error[KB901]: kbrules stopped with ZeroDivisionError in test_app.py" in result.stderr
    assert "please report it" in result.stderr
    assert "Traceback" not in result.stderr and "\x1b" not in result.stderr
    assert CODES["KB901"].slug == "internal"


def test_a_fault_of_ours_is_told_with_one_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBRULES_DEBUG", "1")
    result = CliRunner().invoke(failing(ZeroDivisionError("by none")))
    assert result.exit_code == 2
    assert "Traceback" in result.stderr and "KB901" in result.stderr


def test_mistakes_in_rules_are_not_our_faults() -> None:
    mistake = Diagnostic("KB201", Source("x.kb", "emty\n").at(1, 1, 4), "`emty` is not a word")
    result = CliRunner().invoke(failing(RulesError([mistake])))
    assert result.exit_code == 1
    assert "error[KB201]" in result.stderr and "KB901" not in result.stderr


def test_an_interrupted_command_ends_with_130() -> None:
    result = CliRunner().invoke(failing(KeyboardInterrupt()))
    assert result.exit_code == 130
    assert "Traceback" not in result.output


def test_the_whole_program_interrupted_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "program", lambda _: interrupt)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 130


def test_a_fault_before_any_command_is_told_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("no words")

    monkeypatch.setattr(program, "program", lambda _: fail)
    with pytest.raises(SystemExit) as ended:
        program.main()
    assert ended.value.code == 2
    assert "KB901" in capsys.readouterr().err


# Colours


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": ""}, False),
    ],
)
def test_colours_are_for_terminals_and_who_asks(
    environment: dict[str, str], coloured: bool, tmp_path: Path
) -> None:
    file = tmp_path / "near.kb"
    file.write_text('define near "Near.": adjcent(mine)\n')
    seen = run("check", str(file), **environment)
    assert ("\x1b[" in seen.stdout) is coloured
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen.stdout)
    assert plain == run("check", str(file)).stdout
    assert "adjcent" in plain


def test_forms_for_programs_have_no_colours(tmp_path: Path) -> None:
    file = tmp_path / "near.kb"
    file.write_text('define near "Near.": adjcent(mine)\n')
    for form in ("json", "github", "concise"):
        seen = run("check", str(file), "--output-format", form, FORCE_COLOR="1")
        assert "\x1b" not in seen.stdout


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EROFS, errno.ENOSPC, errno.EIO])
def test_what_cannot_be_written_has_a_reason_and_a_remedy(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        exit_unwritten("`a.html`", OSError(number, os.strerror(number)))
    assert ended.value.exit_code == 2
    told = capsys.readouterr().err
    assert f"error[KB008]: `a.html` cannot be written: {os.strerror(number)}" in told
    assert re.search(r"help: \w+ \w+", told)


def test_rules_for_faults_are_not_chosen_without_faults() -> None:
    result = CliRunner().invoke(app, ["test", "--mutate-only", "card rowers"])
    assert result.exit_code == 2 and "add `--mutate`" in result.stderr


CARD = 'card zebras "Zebras":\n    "One gold each."\n    gold 1 per hex in {}\n'


def offered(words: str, folder: Path) -> list[str]:
    """What bash is offered for the last of some words."""
    asked = {
        "_KBRULES_COMPLETE": "complete_bash",
        "COMP_WORDS": f"kbrules {words}",
        "COMP_CWORD": str(len(words.split(" "))),
        "PYTHONPATH": str(ROOT),
    }
    code = "from cli.app import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("explain KB20", "KB201"),
        ("explain wrong-s", "wrong-sort"),
        ("play --bots greedy,ca", "greedy,careful:1"),
        ("play --with no", "nomads"),
        ("play --card lo", "lords"),
        ("play --ruling lords", "lords_rank_zero="),
        ("show ca", "card"),
        ("show card lo", "lords"),
        ("balance lo", "lords"),
        ("che", "check"),
        ("check --out", "--output-format"),
    ],
)
def test_a_shell_is_offered_ids(words: str, wanted: str, tmp_path: Path) -> None:
    assert wanted in offered(words, tmp_path)


def test_an_authors_own_cards_are_offered_unless_they_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    for name, text in DALE.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    manifest = tmp_path / "expansion.yaml"
    manifest.write_text(
        manifest.read_text(encoding="utf-8") + "cards: [zebras]\n", encoding="utf-8"
    )
    card = tmp_path / "rules" / "zebras.kb"
    card.write_text(CARD.format("mine"), encoding="utf-8")
    assert offered("cards ze", tmp_path) == ["zebras"]
    card.write_text(CARD.format("mien"), encoding="utf-8")
    assert offered("cards lo", tmp_path) == ["lords"]


WITHOUT = (
    "import sys; sys.modules['{}'] = None; sys.argv = ['kbrules', 'lsp']; "
    "from kbrules.__main__ import main; main()"
)


@pytest.mark.parametrize("library", ["pygls", "lsprotocol"])
def test_without_the_extra_it_says_what_to_install(library: str) -> None:
    words = [sys.executable, "-c", WITHOUT.format(library)]
    run = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and run.stdout == ""
    assert "KB045" in run.stderr and "pip install 'kbrules[lsp]'" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_log_that_cannot_be_written_is_told() -> None:
    words = [sys.executable, "-m", "kbrules", "lsp", "--log-file", "/no/such/folder/log"]
    run = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "KB008" in run.stderr and run.stdout == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_too_few_files_are_told_and_nothing_else() -> None:
    code = (
        "import resource, sys; sys.argv = ['kbrules', 'lsp']; "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6)); "
        "from kbrules.__main__ import main; main()"
    )
    words = [sys.executable, "-c", code]
    run = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "error[KB062]" in run.stderr
    assert "Exception ignored" not in run.stderr and "Warning" not in run.stderr


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cached_files, "user_cache_path", lambda *_, **__: tmp_path / "kbrules")
    found = tmp_path / "kbrules" / "native"
    for name in ("ab12" * 8, "cd34" * 8):
        (found / name).mkdir(parents=True)
        (found / name / "kernel.nbc").write_bytes(bytes(1_500_000))
    return found


def run_cache(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["cache", *words])
    return result.exit_code, " ".join(result.output.split())


def test_it_counts_and_removes_what_is_kept(root: Path) -> None:
    assert run_cache() == (0, f"{root}: 2 kernels, 3.0 MB")
    assert run_cache("--clear") == (0, f"removed: 2 kernels from {root}")
    assert run_cache() == (0, f"{root}: 0 kernels, 0.0 MB")
    assert [*root.iterdir()] == []


def test_where_nothing_was_ever_kept_there_is_nothing(root: Path) -> None:
    for folder in root.iterdir():
        (folder / "kernel.nbc").unlink()
        folder.rmdir()
    root.rmdir()
    assert run_cache() == (0, f"{root}: 0 kernels, 0.0 MB")


def test_a_link_is_neither_followed_nor_counted(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine").write_text("mine")
    (root / ("ef56" * 8)).symlink_to(other)
    assert run_cache("--clear") == (0, f"removed: 2 kernels from {root}")
    assert (other / "mine").read_text() == "mine"


def test_what_cannot_be_removed_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, os.strerror(13), str(path))

    monkeypatch.setattr(cached_files.shutil, "rmtree", refuse)
    code, output = run_cache("--clear")
    assert code == 2 and "KB008" in output and "Permission denied" in output
    assert run_cache() == (0, f"{root}: 2 kernels, 3.0 MB")
