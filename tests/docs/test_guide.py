"""The guide is followed to the letter: every block is done, and shows what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.guide import PAGES, blocks, follow, is_shown


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_can_be_followed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    assert list(blocks(page)) or page.stem == "index"
    follow(page)


def test_what_is_not_seen_is_not_shown() -> None:
    assert is_shown("a\nb", "a\nb\n")
    assert is_shown("a\n...\nd", "a\nb\nc\nd")
    assert is_shown("a\n...", "a\nb")
    assert is_shown("a ... d\ne", "a b c d\ne")
    assert not is_shown("a ... d", "a\nb d")
    assert not is_shown("a\n...\nd", "a\nb\nc")
    assert not is_shown("a.b", "acb")
    assert not is_shown("", "a")
