"""Files that fuzzing found, each in the place of a file that is right; all keep the laws now."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.text import Source
from tests.fuzz import laws
from tests.fuzz.seeds import seed_named

CASES: list[tuple[str, bytes]] = [
    # RecursionError in selection.py: words of `-k` that are denied, or in brackets, over and over
    ("alone/19", b"not " * 1200 + b"mine"),
    ("alone/6", b"(" * 1200),
    ("alone/6", b"(" * 1200 + b"two" + b")" * 1200),
    # not twice: what two scenarios say of the board they share differed by its help alone
    (
        "alone/variants_returning_tiles.scenario.yaml",
        b"format: 1\ntitle: A\nboard:\n  drawing: |\n    C  |  C\nscenarios:\n"
        b"  - {title: One, steps: [end]}\n  - {title: Two, with: [nomads], steps: [end]}\n",
    ),
]


@pytest.mark.parametrize(("name", "data"), CASES, ids=map(str, range(len(CASES))))
def test_a_file_keeps_the_laws(
    name: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(laws, "AGAIN", 1)
    assert laws.fault_of(seed_named(name), data) == ""


def test_findings_that_differ_by_their_help_have_an_order() -> None:
    place = Source("x.kb", "one").whole()
    one, other = (Diagnostic("KB408", place, "not known", help) for help in ("a", "b"))
    assert sorted([one, other]) == sorted([other, one]) == [one, other]
