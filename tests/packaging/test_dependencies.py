"""kbrules works with the lowest versions of its dependencies that it allows, and with the newest.

Each is installed by pip into an environment of its own, so these tests need an index of packages.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from tests.source_tree import ROOT, Module, imports, modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DEPENDENCIES: list[str] = PROJECT["dependencies"]
COMMANDS = (
    "check", "test", "play --bots greedy --seed 3 --players 2", "replay game.kblog --quiet",
    "why game.kblog a", "new expansion orchard", "check orchard", "test orchard", "fmt orchard",
    "show card", "simulate --with orchard --games 20", "docs orchard --output site",
)  # fmt: skip


def lowest() -> dict[str, str]:
    """The lower bound of each dependency."""
    bounds = (re.fullmatch(r"([\w.-]+)>=([\d.]+)", each) for each in DEPENDENCIES)
    return {bound[1]: bound[2] for bound in bounds if bound}


DISTRIBUTIONS = {
    "cosmic_ray": "cosmic-ray",
    "axe_playwright_python": "axe-playwright-python",
    "kbrules": "", "cli": "", "benchmarks": "", "tests": "",
    "markdown_it": "markdown-it-py",
    "prompt_toolkit": "prompt_toolkit",
    "pygame": "pygame-ce",
    "pyspiel": "open_spiel",
    "pytest_lsp": "pytest-lsp",
    "ruamel": "ruamel.yaml",
}  # fmt: skip
"""What is installed under another name than it is imported by, and what is our own."""


def undeclared(found: list[Module], *extras: str) -> set[str]:
    """Distributions that modules import and neither the dependencies nor these extras name."""
    optional: dict[str, list[str]] = PROJECT["optional-dependencies"]
    lines = [*DEPENDENCIES, *(line for extra in extras for line in optional[extra])]
    declared = {re.split(r"[>=]", line)[0] for line in lines}
    tops = {each.top for module in found for each in imports(module) if not each.level}
    wanted = {DISTRIBUTIONS.get(top, top) for top in tops - sys.stdlib_module_names}
    return wanted - declared - {""}


def test_what_is_imported_is_declared() -> None:
    ours = [each for each in modules() if each.path != "kbrules/pytest_plugin.py"]  # pytest has it
    assert undeclared(ours, *(PROJECT["optional-dependencies"].keys() - {"dev"})) == set()
    paths = sorted((ROOT / "tests").rglob("*.py"))
    tests = [Module(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths]
    assert undeclared(tests, "dev", "mutation") == set()


def run(*words: str, folder: Path) -> str:
    """What a command prints; it has to end well."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_every_dependency_has_a_lower_bound_and_no_upper_one() -> None:
    assert len(lowest()) == len(DEPENDENCIES)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["lowest", "newest"])
def test_a_day_with_versions(which: str, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    bin = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    pins = [f"{name}=={version}" for name, version in lowest().items() if which == "lowest"]
    (tmp_path / "pins.txt").write_text("\n".join(pins), encoding="utf-8")
    pip = (str(bin / "python"), "-m", "pip", "--disable-pip-version-check")
    run(*pip, "install", "--quiet", str(ROOT), "-c", "pins.txt", folder=tmp_path)
    for pin in pins:
        name, version = pin.split("==")
        assert f"Version: {version}" in run(*pip, "show", name, folder=tmp_path)
    for command in COMMANDS:
        run(str(bin / "kbrules"), *command.split(), folder=tmp_path)
