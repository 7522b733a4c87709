"""Quick tests draw the same on every run, whatever was loaded before them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import PROFILE


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
