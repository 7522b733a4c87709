"""The project of `new expansion --package`: built, installed in an empty environment, played.

Everything runs offline: kbrules and what it needs are seen through a path file, and the box
comes from its wheel alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from kbrules.tools.new import CannotCreate, new_package
from tests.source_tree import ROOT

NAME, PROJECT, PACKAGE = "far_vale", "kbrules-far-vale", "kbrules_far_vale"


def _run(*command: str, cwd: Path) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env |= {"PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # those of strangers; ours is named
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the project."""
    folder = tmp_path_factory.mktemp("projects")
    new_package(NAME, folder)
    return folder / PROJECT


@pytest.fixture(scope="module")
def python(project: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment into which nothing but the wheel is installed."""
    target = tmp_path_factory.mktemp("built")
    build = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(target))
    _run(*build, str(project), cwd=target)
    venv.create(target / "env", with_pip=False)
    program = str(target / "env" / "bin" / "python")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", program)
    (wheel,) = target.glob("*.whl")
    _run(*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel), cwd=target)
    (site,) = (target / "env").glob("lib/python*/site-packages")
    seen = [str(ROOT), *(path for path in sys.path if path.endswith("site-packages"))]
    (site / "seen.pth").write_text("".join(f"{path}\n" for path in seen))
    return program


def test_what_is_written_is_in_order(project: Path) -> None:
    files = sorted(path.relative_to(project).as_posix() for path in project.rglob("*.*"))
    assert ".github/workflows/check.yml" in files and f"{PACKAGE}/expansion.yaml" in files
    said = (project / "pyproject.toml").read_text(encoding="utf-8")
    assert f'[project.entry-points."kbrules.expansions"]\n{NAME} = "{PACKAGE}"\n' in said
    assert "\n# license =" in said and not list(project.glob("LICENSE*"))
    assert all("<" not in line for line in said.splitlines() if "=" not in line)


def test_its_box_is_known_by_name(python: str, tmp_path: Path) -> None:
    told = json.loads(_run(python, "-m", "kbrules", "boxes", "--output-format", "json",
                           cwd=tmp_path))  # fmt: skip
    box = told["boxes"][-1]
    assert (box["id"], box["version"], box["source"]) == (NAME, "0.1.0", f"{PROJECT} 0.1.0")


def test_it_is_checked_played_and_replayed(python: str, tmp_path: Path) -> None:
    kbrules = (python, "-m", "kbrules")
    _run(*kbrules, "check", "--with", NAME, cwd=tmp_path)
    words = ("play", "--with", NAME, "--bots", "random", "--seed", "3", "--players", "2")
    _run(*kbrules, *words, cwd=tmp_path)
    header = json.loads((tmp_path / "game.kblog").read_text().splitlines()[0])
    assert (header["boxes"], header["folders"]) == (["base", NAME], [])
    _run(*kbrules, "replay", "game.kblog", "--quiet", cwd=tmp_path)
    _run(*kbrules, "show", "card", f"{NAME}_keeper", "--with", NAME, cwd=tmp_path)


def test_pytest_runs_its_scenario_and_a_game(python: str, project: Path) -> None:
    words = ("-m", "pytest", "-q", "-p", "kbrules.pytest_plugin", "-p", "no:cacheprovider")
    told = _run(python, *words, cwd=project)
    assert "3 passed" in told


def test_nothing_is_left_behind_where_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / PROJECT).touch()
    with pytest.raises(CannotCreate) as refused:
        new_package(NAME, tmp_path)
    assert refused.value.code == "KB008"
    assert [path.name for path in tmp_path.iterdir()] == [PROJECT]
    for name in ("Far-Vale", "nomads"):  # the second comes with kbrules
        with pytest.raises(CannotCreate):
            new_package(name, tmp_path)
