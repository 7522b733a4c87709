"""`--watch` as a user sees it: a report on every save, whatever happens, and Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Set
from pathlib import Path
from time import sleep

import pytest
import typer
from typer.testing import CliRunner

from cli.app import app
from cli.output import WatchLoop
from kbrules.tools.testing import FileWatcher
from tests.cli.test_check import BOX, ROWERS, SCENARIO, WORDS
from tests.example_games import write_files
from tests.source_tree import ROOT

FILES = {
    "expansion.yaml": BOX,
    "rules/rowers.kb": ROWERS,
    "rules/words.kb": WORDS,
    "scenarios/pays.scenario.yaml": SCENARIO,
}


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "dale", FILES)
    return Path("dale")


def steps(monkeypatch: pytest.MonkeyPatch, *acts: Callable[[], object]) -> None:
    """In each wait one thing is done; after the last one Ctrl-C is pressed."""
    left = list(acts)

    def wait(watcher: FileWatcher, longest: float | None = None) -> Set[Path]:
        if longest is not None:
            return set()
        if not left:
            raise KeyboardInterrupt
        left.pop(0)()
        return watcher.scan()

    monkeypatch.setattr(FileWatcher, "wait", wait)


def saved(file: Path, old: str, new: str) -> Callable[[], object]:
    return lambda: file.write_text(file.read_text().replace(old, new))


def test_check_tells_what_is_wrong_after_every_save(
    dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = dale / "rules" / "words.kb"
    steps(
        monkeypatch,
        saved(words, "adjacent", "adjcent"),
        saved(words, "adjcent", "adjacent"),
        lambda: dale.rename("away"),
        lambda: Path("away").rename(dale),
    )
    slow = ["--ignore", "KB7", "--ignore", "KB508"]  # what is looked for after the rest is told
    result = CliRunner().invoke(app, ["check", "dale", *slow, "--watch"])
    assert result.exit_code == 130
    told = [line for line in result.stdout.splitlines() if "error[" in line or "all good" in line]
    assert [line.partition("error[")[2][:5] or line for line in told] == [
        "all good: 4 files", "KB201", "all good: 4 files", "KB001", "all good: 4 files",
    ]  # fmt: skip
    times = result.stderr.splitlines()
    assert len(times) == 5 and all(" ms; watching " in line for line in times)
    assert "words.kb changed" in times[1]


def test_test_runs_what_has_changed_and_reports_on_all(
    dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = dale / "scenarios" / "pays.scenario.yaml"
    steps(monkeypatch, saved(file, "rowers: 2", "rowers: 5"), saved(file, "rowers: 5", "rowers: 2"))
    result = CliRunner().invoke(app, ["test", "dale", "--watch"])
    assert result.exit_code == 130
    ends = [line for line in result.stdout.splitlines() if "run just now" in line]
    told = [line.partition(" in ")[0] for line in ends]
    assert told == ["2 passed", "1 failed, 1 passed", "2 passed"]
    assert [line.split(", ")[-1].split()[0] for line in ends] == ["2", "1", "1"]


def test_what_takes_longer_waits_for_a_pause(dale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    watcher = FileWatcher([dale])
    waits = iter([set(), {dale / "a.kb"}, {dale / "b.kb"}, set()])

    def wait(_: FileWatcher, longest: float | None = None) -> Set[Path]:
        done.append("pause" if longest else "wait")
        try:
            return next(waits)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(FileWatcher, "wait", wait)
    with pytest.raises(KeyboardInterrupt):
        WatchLoop(watcher).run(
            lambda changed: done.append(f"soon {len(changed)}"), lambda: done.append("later")
        )
    assert done == [
        "soon 0", "pause", "later", "wait",
        "soon 1", "pause",  # somebody goes on working, so nothing longer is begun
        "soon 1", "pause", "later", "wait",
    ]  # fmt: skip


def test_a_save_breaks_off_what_takes_longer_and_is_answered_first(dale: Path) -> None:
    done: list[str] = []
    watcher = FileWatcher([dale])

    def soon(changed: Set[Path]) -> None:
        done.append(f"soon {len(changed)}")
        if len(done) > 2:
            raise KeyboardInterrupt

    def later() -> None:
        done.append("later")
        (dale / "rules" / "new.kb").write_text("# saved meanwhile\n")
        for _ in range(1000):
            sleep(0.001)
            watcher.raise_if_saved()
        done.append("not broken off")

    with pytest.raises(KeyboardInterrupt):
        WatchLoop(watcher).run(soon, later)
    assert done == ["soon 0", "later", "soon 1"]


def test_a_fault_ends_a_turn_and_not_the_watch(
    dale: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = iter([ValueError("a fault"), typer.Exit(2), FileNotFoundError("gone"), None])

    def act(_: object) -> None:
        fault = next(faults)
        if fault is not None:
            raise fault

    steps(monkeypatch, lambda: None, lambda: None, lambda: None)
    with pytest.raises(KeyboardInterrupt):
        WatchLoop(FileWatcher([dale])).run(act, None)
    assert capsys.readouterr().err.count("error[KB901]") == 2


@pytest.mark.parametrize("form", ["json", "github", "sarif", "junit"])
@pytest.mark.parametrize("command", ["check", "test"])
def test_documents_one_after_another_are_refused(dale: Path, command: str, form: str) -> None:
    result = CliRunner().invoke(app, [command, "dale", "--watch", "--output-format", form])
    assert result.exit_code == 2 and "error[KB009]" in result.stderr and result.stdout == ""


@pytest.mark.parametrize(
    "words",
    ["test --mutate", "test --coverage", "test --fail-under=90", "check --fix", "check --diff"],
)
def test_nothing_else_is_done_on_a_save(dale: Path, words: str) -> None:
    result = CliRunner().invoke(app, [*words.split(), "dale", "--watch"])
    assert result.exit_code == 2 and "error[KB009]" in result.stderr and result.stdout == ""


def test_each_report_may_go_to_a_file(dale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = Path("report.json")
    lengths: list[int] = []
    steps(
        monkeypatch,
        lambda: lengths.append(len(json.loads(report.read_text())["findings"])),
        saved(dale / "rules" / "words.kb", "adjacent", "adjcent"),
        lambda: lengths.append(len(json.loads(report.read_text())["findings"])),
    )
    words = ["check", "dale", "--ignore", "KB7", "--watch", "--output-format", "json"]
    result = CliRunner().invoke(app, [*words, "--output-file", str(report)])
    assert (result.exit_code, result.stdout, lengths) == (130, "", [0, 1])


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
@pytest.mark.parametrize("command", ["check", "test"])
def test_ctrl_c_ends_the_real_program(dale: Path, command: str) -> None:
    program = subprocess.Popen(
        [sys.executable, "-m", "kbrules", command, "dale", "--watch", "--output-format", "jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert program.stderr is not None
    assert any("Ctrl-C ends" in line for line in program.stderr)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    assert program.returncode == 130 and "Traceback" not in err
    assert json.loads(out.splitlines()[-1])["kind"] == "summary"
