"""What is installed: the command, its dependencies, its files."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import kbrules
from kbrules.__main__ import main
from kbrules.library import reading as resources
from kbrules.library.reading import Kind, data_root
from tests.source_tree import ROOT, Module, imports, modules


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with no data, which the code under test takes for its own."""
    folder = tmp_path / "somewhere" / "kbrules"
    folder.mkdir(parents=True)
    monkeypatch.setattr(resources, "files", lambda name: tmp_path / "somewhere" / name)
    return folder


def _folder(path: Path) -> Path:
    path.mkdir(parents=True)
    return path


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_wheel_keeps_its_data_inside(package: Path, kind: Kind) -> None:
    inside = _folder(package / "_data" / kind)
    assert data_root(kind) == inside


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_checkout_keeps_its_data_next_to_the_package(package: Path, kind: Kind) -> None:
    beside = _folder(package.parent / kind)
    (package.parent / "pyproject.toml").touch()
    assert data_root(kind) == beside


def test_what_is_inside_wins(package: Path) -> None:
    inside = _folder(package / "_data" / "rules")
    _folder(package.parent / "rules")
    (package.parent / "pyproject.toml").touch()
    assert data_root("rules") == inside


def test_a_stranger_next_to_the_package_is_not_taken(package: Path) -> None:
    _folder(package.parent / "rules")
    with pytest.raises(FileNotFoundError, match="not completely installed"):
        data_root("rules")


def test_a_missing_folder_is_named_with_each_place_searched(package: Path) -> None:
    (package.parent / "pyproject.toml").touch()
    _folder(package / "_data" / "rules")
    with pytest.raises(FileNotFoundError) as error:
        data_root("schemas")
    assert str(package / "_data" / "schemas") in str(error.value)
    assert str(package.parent / "schemas") in str(error.value)


def test_a_file_of_that_name_is_no_folder(package: Path) -> None:
    _folder(package / "_data")
    (package / "_data" / "rules").touch()
    with pytest.raises(FileNotFoundError):
        data_root("rules")


@pytest.mark.parametrize("kind", get_args(Kind))
def test_this_very_checkout(kind: Kind) -> None:
    if not (ROOT / kind).is_dir():
        pytest.skip(f"{kind}/ is not there yet")
    assert data_root(kind) == ROOT / kind


PRINT = "def main() -> None:\n    print({name!r})\n"


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder searched for `cli` before all others, and for `kbrules._cli`; both start empty."""
    for name in [name for name in sys.modules if name.split(".")[0] == "cli"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(kbrules, "__path__", [*kbrules.__path__, str(tmp_path / "inside")])
    monkeypatch.setattr(sys, "argv", ["kbrules"])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith(("cli", "kbrules._cli"))]:
        del sys.modules[name]


def _package(folder: Path, app: str | None) -> None:
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    if app is not None:
        (folder / "app.py").write_text(app)


def test_a_checkout_starts_its_own_command_line(elsewhere, capsys) -> None:
    _package(elsewhere / "cli", PRINT.format(name="beside"))
    main()
    assert capsys.readouterr().out == "beside\n"


def test_a_wheel_starts_the_one_inside(elsewhere, capsys) -> None:
    _package(elsewhere / "cli", PRINT.format(name="beside"))
    _package(elsewhere / "inside" / "_cli", PRINT.format(name="inside"))
    main()
    assert capsys.readouterr().out == "inside\n"


@pytest.mark.parametrize(
    ("app", "missing"), [("import surely_absent", "surely_absent"), (None, "kbrules._cli.app")]
)
def test_a_broken_one_inside_is_not_hidden(elsewhere, app: str | None, missing: str) -> None:
    _package(elsewhere / "cli", PRINT.format(name="beside"))
    _package(elsewhere / "inside" / "_cli", app)
    with pytest.raises(ModuleNotFoundError) as error:
        main()
    assert error.value.name == missing


def test_the_version_needs_no_command_line(elsewhere, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["kbrules", "--version"])
    monkeypatch.setitem(sys.modules, "cli", ModuleType("cli"))  # has no `app`
    main()
    assert capsys.readouterr().out == f"kbrules {kbrules.__version__}\n"


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
