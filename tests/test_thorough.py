"""The tests themselves: the thorough ones are listed, and draws are the same everywhere."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.conftest import PROFILE
from tests.source_tree import ROOT

LISTED = (ROOT / "tests" / "thorough.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_test_is_there(name: str) -> None:
    file, _, inner = name.partition("::")
    owner, *_ = inner.split("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert f"def {owner}(" in text or f"class {owner}" in text or f"{owner} = " in text


def test_the_list_is_in_order() -> None:
    assert sorted(set(LISTED)) == LISTED


def _drawn() -> list[object]:
    seen: list[object] = []

    @given(st.integers(), st.text(), st.binary(), st.floats())
    def draw(a: int, b: str, c: bytes, d: float) -> None:
        seen.append(repr((a, b, c, d)))

    draw()
    return seen


@pytest.mark.skipif(PROFILE != "quick", reason="draws new cases on purpose")
def test_draws_do_not_depend_on_the_modules_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _drawn()
    path = tmp_path / "many_constants.py"
    path.write_text("".join(f"A{n} = {7**9 + n}, 'word {n}', b'{n}'\n" for n in range(50)))
    spec = spec_from_file_location("many_constants", path)
    assert spec and spec.loader
    monkeypatch.setitem(sys.modules, "many_constants", module := module_from_spec(spec))
    spec.loader.exec_module(module)
    assert _drawn() == before
