"""`kbrules.__main__`: which command line is started, and what it never hides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import kbrules
from kbrules.__main__ import main

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


def test_a_checkout_starts_the_command_line_beside_it(elsewhere, capsys) -> None:
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
