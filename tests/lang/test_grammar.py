"""The worked-out grammar: it is that of `kb.lark`, it is used, and it reads what that reads."""

from __future__ import annotations

from importlib.resources import files

import lark
import pytest

from kbrules.lang.syntax import grammar as made
from kbrules.lang.syntax.build import Chunk
from kbrules.lang.syntax.split import split
from kbrules.text import Source
from tests.docs.generated import serialized
from tests.source_tree import ROOT

TEXT = files("kbrules.lang.syntax").joinpath(made.WORKED_OUT).read_text(encoding="utf-8")


def chunks() -> list[Chunk]:
    """Every declaration that is shipped, and some of another game."""
    paths = sorted([*(ROOT / "rules").rglob("*.kb"), *(ROOT / "tests" / "house").rglob("*.kb")])
    return [chunk for path in paths for chunk in split(Source(path.name, path.read_text()))[0]]


@pytest.mark.skipif(
    f"lark=={lark.__version__}\n" not in (ROOT / "constraints.txt").read_text(),
    reason="it is written by the lark that is pinned",
)
def test_it_has_not_drifted() -> None:
    assert serialized() == TEXT, "run python -m tests.docs.generated"


def test_it_is_what_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    if made.deserialized(TEXT) is None:
        pytest.skip("written by another lark")
    monkeypatch.setattr(made, "build_parser", lambda: pytest.fail("the parser was built again"))
    made.parser.cache_clear()
    assert made.parser().terminals


@pytest.mark.parametrize("change", ["grammar", "lark", "missing"])
def test_it_is_not_believed_of_another_grammar_or_lark(
    monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    other = made._text() + "\n// another\n"
    if change == "grammar":
        monkeypatch.setattr(made, "_text", lambda: other)
    elif change == "lark":
        monkeypatch.setattr(lark, "__version__", "0")
    assert made.deserialized("" if change == "missing" else TEXT) is None


def test_it_reads_what_the_grammar_reads() -> None:
    worked_out, built = made.deserialized(serialized()), made.build_parser()
    assert worked_out is not None
    read = 0
    for chunk in chunks():
        if not chunk.is_refused:
            assert worked_out.parse(chunk.text) == built.parse(chunk.text)
            read += 1
    assert read > 100


def test_it_refuses_where_the_grammar_refuses() -> None:
    worked_out, built = made.deserialized(serialized()), made.build_parser()
    assert worked_out is not None
    for chunk in chunks()[:40]:
        text = chunk.text.rstrip() + " )\n"
        told = []
        for parser in (worked_out, built):
            with pytest.raises(lark.UnexpectedInput) as error:
                parser.parse(text)
            told.append((type(error.value), error.value.line, error.value.column))
        assert told[0] == told[1]
