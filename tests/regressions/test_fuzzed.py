"""Files that fuzzing found, each in the place of a file that is right; all keep the laws now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.laws import fault_of
from tests.fuzz.seeds import seed_named

CASES: list[tuple[str, bytes]] = [
    # RecursionError in selection.py: words of `-k` that are denied, or in brackets, over and over
    ("alone/19", b"not " * 1200 + b"mine"),
    ("alone/6", b"(" * 1200),
    ("alone/6", b"(" * 1200 + b"two" + b")" * 1200),
]


@pytest.mark.parametrize(("name", "data"), CASES, ids=map(str, range(len(CASES))))
def test_a_file_keeps_the_laws(
    name: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fault_of(seed_named(name), data) == ""
