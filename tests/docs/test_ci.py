"""What the page on CI says, and the hooks for commits: every command in them is run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.docs.guide import block_of
from tests.source_tree import ROOT, files_of_git

PAGE = ROOT / "docs" / "ci.md"
HOOKS: list[dict[str, Any]] = YAML(typ="safe").load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Type a command of kbrules in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "kbrules", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.fixture()
def desk(tmp_path: Path) -> Path:
    """A folder in which an expansion has been begun."""
    made = run("new", "expansion", "orchard", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    return tmp_path


def workflow() -> dict[str, Any]:
    """The workflow that the page shows."""
    shown: dict[str, Any] = YAML(typ="safe").load(block_of(PAGE, "workflow").text)
    return shown


def steps() -> list[str]:
    """The commands of the workflow that are ours."""
    found = [step["run"] for step in workflow()["jobs"]["rules"]["steps"] if "run" in step]
    return [line for line in found if line.startswith("kbrules ")]


def test_the_workflow_passes_what_is_good_and_keeps_what_is_not(desk: Path) -> None:
    assert len(steps()) == 3
    for line in steps():
        done = run(*line.split()[1:], folder=desk)
        assert done.returncode == 0, done.stdout + done.stderr
    (desk / "orchard" / "rules" / "bad.kb").write_text("card bad\n", encoding="utf-8")
    assert [run(*line.split()[1:], folder=desk).returncode for line in steps()] == [2, 1, 2]
    report = json.loads((desk / "kbrules.sarif").read_text(encoding="utf-8"))
    assert report["runs"][0]["results"]


def test_the_workflow_uploads_what_is_written() -> None:
    (upload,) = (step for step in workflow()["jobs"]["rules"]["steps"] if "if" in step)
    (line,) = (line for line in steps() if "sarif" in line)
    assert line.endswith(f"--output-file {upload['with']['sarif_file']}")
    assert workflow()["permissions"]["security-events"] == "write"


def test_there_is_a_hook_for_each_command_that_keeps_files_good() -> None:
    assert [hook["id"] for hook in HOOKS] == ["kbrules-check", "kbrules-fmt", "kbrules-test"]
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    for hook in HOOKS:
        assert hook["entry"].split()[0] in scripts and hook["language"] == "python"


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_takes_the_files_it_asks_for(hook: dict[str, Any], desk: Path) -> None:
    """As the hook runner does: the entry, and behind it the files whose names match."""
    files = [path.relative_to(desk).as_posix() for path in sorted(desk.rglob("*"))]
    chosen = [name for name in files if re.search(hook["files"], name)]
    assert chosen and all(name.endswith((".kb", ".yaml")) for name in chosen)
    done = run(*hook["entry"].split()[1:], *chosen, folder=desk)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_hook_runner_runs_them(tmp_path: Path, desk: Path) -> None:
    """The hooks as others get them: the runner clones this repository and installs it."""
    pytest.importorskip("pre_commit")
    if files_of_git() is None:
        pytest.skip("not a git checkout")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], cwd=desk, check=True)
    runner = [sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), "--all-files"]
    done = subprocess.run(runner, cwd=desk, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == len(HOOKS)


def action(desk: Path, path: str, fail_under: str = "") -> subprocess.CompletedProcess[str]:
    """The last step of the action, run as GitHub does, with a command `kbrules` on the path."""
    told = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step, inputs = told["runs"]["steps"][-1], {"path": path, "fail-under": fail_under}
    assert set(inputs) < set(told["inputs"])
    env = {
        name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda m: inputs[m[1]], value)
        for name, value in step["env"].items()
    }
    command = desk / "bin" / "kbrules"
    command.parent.mkdir(exist_ok=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kbrules "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    way = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=desk,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **env, "PATH": way, "PYTHONPATH": str(ROOT)},
    )


def test_the_action_passes_what_is_good_and_tells_all_that_is_not(desk: Path) -> None:
    good = action(desk, "orchard")
    assert good.returncode == 0, good.stdout + good.stderr
    assert action(desk, "orchard", "101").returncode != 0
    bad = desk / "orchard" / "rules" / "bad.kb"
    bad.write_text('define bad "Bad.":  adjcent(mine)\n', encoding="utf-8")
    told = action(desk, "orchard")
    assert told.returncode != 0
    assert told.stdout.count("::error file=orchard/rules/bad.kb") == 2  # by check and by test
