"""How the place of a rule is told to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.library.reading import data_root, place_of
from kbrules.text import Source


def told(path: Path) -> str:
    return place_of(Source(path.as_posix(), "one\ntwo\n").span(4, 5))


def test_a_shipped_file_has_a_short_name_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told(data_root("rules") / "base" / "tiles.kb") == "rules/base/tiles.kb:2"


def test_any_other_file_keeps_its_name(tmp_path: Path) -> None:
    assert told(tmp_path / "rules" / "a.kb") == f"{tmp_path.as_posix()}/rules/a.kb:2"
    assert told(Path("rules/a.kb")) == "rules/a.kb:2"
    assert told(Path("a\nb.kb")) == "a\\nb.kb:2"
