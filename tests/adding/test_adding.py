"""A word, a step and a trigger cost two files each; with them the reference and kernels play."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import kbrules
from tests.adding.additions import ADDITIONS, STEP, TRIGGER, WORD, YARD, Addition
from tests.source_tree import ROOT

FILES = {WORD.kind: 2, STEP.kind: 2, TRIGGER.kind: 2}
SEEN = {
    WORD.kind: ("build",),
    STEP.kind: ("offer", "trade", "stop"),
    TRIGGER.kind: ("store", "place"),
}
COPIED = ("kbrules", "rules", "expansions", "schemas", "pyproject.toml")
each = pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.kind)


@pytest.fixture
def yard(tmp_path: Path, addition: Addition) -> Path:
    """A folder with a box whose rules use what is to be added."""
    folder = tmp_path / "yard"
    folder.mkdir()
    (folder / "expansion.yaml").write_text(YARD, encoding="utf-8")
    (folder / "yard.kb").write_text(addition.rules, encoding="utf-8")
    return folder


def added(place: Path, addition: Addition) -> Path:
    """A copy of the package to which something was added."""
    place.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("*.pyc"))
        else:
            shutil.copy(ROOT / name, place / name)
    for edit in addition.edits:
        path = place / edit.path
        text = path.read_text(encoding="utf-8")
        assert text.count(edit.behind) == 1, edit.path
        path.write_text(text.replace(edit.behind, edit.behind + edit.text), encoding="utf-8")
    return place


def played(copy: Path, yard: Path, engine: str) -> str:
    """What `plays` says of games by the copy."""
    paths = os.pathsep.join([str(copy), str(ROOT)])
    program = [sys.executable, "-m", "tests.adding.plays", engine, str(yard)]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(program, cwd=copy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@each
def test_it_is_not_there_yet(yard: Path, addition: Addition) -> None:
    with pytest.raises(kbrules.RulesError):
        kbrules.load(folders=[yard])


@each
def test_once_added_it_is_played_alike(tmp_path: Path, yard: Path, addition: Addition) -> None:
    copy = added(tmp_path / "copy", addition)
    said = played(copy, yard, "python")
    assert said.startswith(str(copy / "kbrules"))
    assert all(f" {verb}=" in said for verb in SEEN[addition.kind]), said


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba") is None, reason="the extra `fast` is not installed")
@each
def test_once_added_it_is_native_too(tmp_path: Path, yard: Path, addition: Addition) -> None:
    copy = added(tmp_path / "copy", addition)
    assert played(copy, yard, "native") == played(copy, yard, "python")


@each
def test_it_costs_few_files_and_the_docs_name_them(addition: Addition) -> None:
    files = {edit.path for edit in addition.edits}
    assert len(files) == FILES[addition.kind]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    [said] = re.findall(rf"^\*\*A {addition.kind}\*\*.*?(?=\n\n)", page, re.M | re.S)
    assert files <= set(re.findall(r"`(kbrules/[\w/]+\.py)`", said))
