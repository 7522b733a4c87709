"""The wheel, built from the source archive, holds what git holds and works far from home.

Everything runs offline: the builder and the dependencies come from this environment, but
its path files are not read, so that an editable installation cannot stand in for the wheel.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

import kbrules
from tests.source_tree import ROOT, files_of_git

pytestmark = pytest.mark.skipif(files_of_git() is None, reason="not a git checkout")

MOVES = {
    "kbrules/": "kbrules/",
    "cli/": "kbrules/_cli/",
    "rules/": "kbrules/_data/rules/",
    "expansions/": "kbrules/_data/expansions/",
    "schemas/": "kbrules/_data/schemas/",
    "docs/": "kbrules/_data/docs/",
}
DATA = ("rules", "expansions", "schemas")


def _run(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _build(target: Path, *what: str) -> None:
    _run(
        *(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), *what),
        str(ROOT),
        cwd=target,
    )


def _only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel made from it."""
    target = tmp_path_factory.mktemp("built")
    _build(target)
    return target


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which nothing but the wheel is installed."""
    target = tmp_path_factory.mktemp("installed")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    wheel = str(_only(built, "*.whl"))
    _run(*pip, "--no-deps", "--no-index", "--target", str(target), wheel, cwd=built)
    return target


def _python(installed: Path, *arguments: str, cwd: Path) -> str:
    """Python that sees the installed wheel and the dependencies, and not this checkout."""
    paths = [str(installed), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env |= {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    return _run(sys.executable, "-S", *arguments, cwd=cwd, env=env)


def _names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return [name for name in archive.namelist() if ".dist-info/" not in name]


def test_the_wheel_holds_what_git_holds_and_nothing_else(built: Path) -> None:
    tracked = files_of_git(*(folder for folder in MOVES if (ROOT / folder).is_dir()))
    assert tracked
    expected = [
        target + name.removeprefix(source)
        for name in tracked
        for source, target in MOVES.items()
        if name.startswith(source)
    ]
    assert sorted(_names(_only(built, "*.whl"))) == sorted(expected)


def test_the_source_archive_holds_what_git_holds(built: Path) -> None:
    with tarfile.open(_only(built, "*.tar.gz")) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    assert names - {"PKG-INFO"} == set(files_of_git() or ())


def test_building_again_from_the_checkout_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    _build(tmp_path, "--wheel")
    first, second = (_only(folder, "*.whl").read_bytes() for folder in (built, tmp_path))
    assert hashlib.sha256(first).digest() == hashlib.sha256(second).digest()


def test_the_metadata_say_what_the_project_says(installed: Path) -> None:
    metadata = PathDistribution(_only(installed, "*.dist-info"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    plain = {need for need in metadata.requires or () if "extra ==" not in need}
    assert metadata.version == kbrules.__version__
    assert metadata.metadata["Requires-Python"] == project["requires-python"]
    assert plain == {need.replace("ruamel.", "ruamel-") for need in project["dependencies"]}
    names = {re.split(r"[<>=]", need)[0] for need in plain}
    brought = {"markdown-it-py", "markupsafe", "pygments", "rich"}  # by typer and jinja2
    own = {"jinja2", "lark", "platformdirs", "pydantic", "ruamel-yaml", "typer"}
    assert names == own | brought
    assert {(entry.group, entry.name, entry.value) for entry in metadata.entry_points} == {
        ("console_scripts", "kbrules", "kbrules.__main__:main"),
        ("pytest11", "kbrules", "kbrules.pytest_plugin"),
        ("pygments.lexers", "kbrules", "kbrules.tools.editors.highlight:RulesLexer"),
    }


def test_the_long_description_is_the_first_page(installed: Path) -> None:
    metadata = PathDistribution(_only(installed, "*.dist-info")).metadata
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["Description"].strip() == (ROOT / "README.md").read_text("utf-8").strip()


def test_elsewhere_it_is_the_wheel_that_answers(installed: Path, tmp_path: Path) -> None:
    program = (
        "import importlib.util as u, kbrules; from kbrules.library import reading as r;"
        "print(kbrules.__file__, u.find_spec('cli'), u.find_spec('kbrules._cli').origin)"
    )
    inside = installed / "kbrules"
    expected = f"{inside / '__init__.py'} None {inside / '_cli' / '__init__.py'}\n"
    assert _python(installed, "-c", program, cwd=tmp_path) == expected


@pytest.mark.parametrize("kind", DATA)
def test_elsewhere_it_finds_its_data(installed: Path, tmp_path: Path, kind: str) -> None:
    if not files_of_git(kind):
        pytest.skip(f"{kind}/ is not there yet")
    program = f"from kbrules.library.reading import data_root; print(data_root({kind!r}))"
    expected = f"{installed / 'kbrules' / '_data' / kind}\n"
    assert _python(installed, "-c", program, cwd=tmp_path) == expected


@pytest.mark.parametrize("start", ["module", "script"])
def test_elsewhere_it_tells_its_version(installed: Path, tmp_path: Path, start: str) -> None:
    how = {"module": ("-m", "kbrules"), "script": (str(installed / "bin" / "kbrules"),)}[start]
    said = _python(installed, *how, "--version", cwd=tmp_path)
    assert said == f"kbrules {kbrules.__version__}\n"


def test_elsewhere_it_checks_the_rules_it_carries(installed: Path, tmp_path: Path) -> None:
    if not files_of_git("rules") or not (ROOT / "cli" / "app.py").exists():
        pytest.skip("there are no rules or no command line yet")
    _python(installed, "-m", "kbrules", "check", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_guide_the_language_and_the_grammar_of_editors_come_along(
    installed: Path, tmp_path: Path
) -> None:
    code = "import kbrules; from kbrules.tools.docs.site import guide_pages as g; "
    code += "print(len(list(g(kbrules.load('base').catalog))))"
    written = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "guide").glob("*.md")]
    assert int(_python(installed, "-c", code, cwd=tmp_path)) > len(written) - 6
    data = installed / "kbrules" / "_data" / "docs"
    assert (data / "language.md").is_file() and (data / "editors" / "kb.tmLanguage.json").is_file()
