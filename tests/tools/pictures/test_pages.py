"""Pages of pictures without a browser: what stands in them, and what could never run."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.tools.pictures.board import Picture, picture_page
from kbrules.tools.reports.report import as_script_data, html_page

RULES = load("base", "nomads")
BOARD = game_at(RULES, choose_table(RULES, 2, 3)).board


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner), max_leaves=8))
def test_data_in_a_page_ends_nothing_and_is_read_as_it_was(data: object) -> None:
    text = as_script_data(data)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == data


def test_only_what_is_named_by_its_hash_may_run() -> None:
    page = html_page("A title", "<p>body</p>", "p { color: red }", "let a = 1;", {"a": "</script>"})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    said = policy[1].replace("&#39;", "'").split("; ")
    assert said[0] == "default-src 'none'"
    assert {"base-uri 'none'", "form-action 'none'"} <= set(said)
    for kind, text in (("style", "p { color: red }"), ("script", "let a = 1;")):
        (source,) = (part for part in said if part.startswith(f"{kind}-src "))
        digest = re.fullmatch(rf"{kind}-src 'sha256-(.*)'", source)
        assert digest is not None
        assert b64decode(digest[1]) == sha256(text.encode()).digest()
    assert page.count("</script>") == 2
    assert "unsafe" not in page


def test_the_key_of_a_picture_names_every_letter_and_every_tile() -> None:
    page = picture_page(Picture(BOARD, title="<A board>"))
    assert "<title>&lt;A board&gt;</title>" in page
    for kind, mask in zip(BOARD.catalog.hexes, BOARD.kinds, strict=True):
        tiles = sum(1 << hex for hex in BOARD.tiles)
        assert (f"</svg> {kind.title}</li>" in page) == bool(mask & ~tiles)
    for tile in set(BOARD.tiles.values()):
        assert re.search(rf"</svg> {BOARD.catalog.tiles[tile].title}( \(.*\))?</li>", page)


def test_a_page_says_of_stand_ins_what_they_are() -> None:
    invented = replace(BOARD, stand_ins=("heath",))
    assert f'<p class="note">{invented.note}</p>' in picture_page(Picture(invented))
    assert 'class="note"' not in picture_page(Picture(replace(BOARD, stand_ins=())))
