"""The published games are the same in Pyodide, with the wheel of this repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import markupsafe
import pytest

from kbrules.tools.workshop.serving import FOR_PYODIDE, PYODIDE
from tests.golden.everywhere import KEPT
from tests.source_tree import ROOT, files_of_git

HERE = Path(__file__).parent
NOT_BUILT = {"markupsafe"}
"""What has no wheel for Pyodide, and a part in Python that does the same."""


def run(*words: str, folder: Path) -> str:
    """What a command prints; it has to end well."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def install(site: Path) -> None:
    """Put the wheel of this repository, and what it needs, into a folder for Pyodide."""
    wheels = site.with_name("wheels")
    run(
        *(sys.executable, "-m", "build", "--no-isolation", "--wheel"),
        *("--outdir", str(wheels), str(ROOT)),
        folder=ROOT,
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [each for each in project["dependencies"] if each.split(">")[0] not in NOT_BUILT]
    into = (sys.executable, "-m", "pip", "install", "--quiet", "--target", str(site))
    without = [each for each in needed if not each.startswith("jinja2")]
    run(*into, *FOR_PYODIDE, *without, folder=ROOT)
    alone = [each for each in needed if each.startswith("jinja2")]
    wheel = [str(path) for path in wheels.glob("*.whl")]
    run(*into, "--no-deps", *FOR_PYODIDE, *alone, *wheel, folder=ROOT)
    compiled = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(Path(markupsafe.__file__).parent, site / "markupsafe", ignore=compiled)


def test_games_are_played_in_the_pyodide_of_the_workshop() -> None:
    package = json.loads((HERE / "package.json").read_text())
    name, _, version = PYODIDE.partition("@")
    assert package["dependencies"] == {name: version}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js is not installed")
@pytest.mark.skipif(files_of_git() is None, reason="not a git checkout")
def test_games_are_those_that_were_published(tmp_path: Path) -> None:
    for name in ("package.json", "run.mjs"):
        shutil.copyfile(HERE / name, tmp_path / name)
    run("npm", "install", "--silent", "--no-audit", "--no-package-lock", folder=tmp_path)
    install(tmp_path / "site")
    printed = run("node", "run.mjs", str(tmp_path / "site"), str(ROOT), "200", folder=tmp_path)
    told = json.loads(printed.splitlines()[-1])
    assert told["from"].startswith("/site/") and told["system"] == "emscripten"
    assert told["hashes"]["200"] == KEPT["hashes"]["200"]
