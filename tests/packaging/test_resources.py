"""`data_root` in every way the engine can be installed."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from kbrules.library import reading as resources
from kbrules.library.reading import Kind, data_root
from tests.source_tree import ROOT


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
def test_a_checkout_keeps_its_data_beside(package: Path, kind: Kind) -> None:
    beside = _folder(package.parent / kind)
    (package.parent / "pyproject.toml").touch()
    assert data_root(kind) == beside


def test_what_is_inside_wins(package: Path) -> None:
    inside = _folder(package / "_data" / "rules")
    _folder(package.parent / "rules")
    (package.parent / "pyproject.toml").touch()
    assert data_root("rules") == inside


def test_a_stranger_beside_the_package_is_not_taken(package: Path) -> None:
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
