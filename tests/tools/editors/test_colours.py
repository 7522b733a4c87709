"""One table of patterns colours rule files everywhere: TextMate, Pygments, workshop and server."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.lang.typed import Sort
from kbrules.tools.editors.highlight import TokenKind, rule_tokens
from kbrules.tools.language_server.requests import LEGEND, TOKEN_TYPES
from kbrules.tools.language_service.showing import semantic_tokens
from kbrules.tools.language_service.workspace import Workspace
from tests.source_tree import ROOT

FILES = sorted((ROOT / "rules").rglob("*.kb"))
QUIET = {TokenKind.BLANK, TokenKind.WRONG}
REFINED = {TokenKind.NAME, TokenKind.WORD}
"""Kinds of which the server knows more: the sort of what is named."""


def test_every_kind_has_a_colour_everywhere() -> None:
    assert len({kind.token for kind in TokenKind}) == len(TokenKind)
    assert all(kind.scope for kind in set(TokenKind) - QUIET)
    assert set(TOKEN_TYPES) == set(TokenKind) - QUIET
    assert {each.value for each in TOKEN_TYPES.values()} <= set(LEGEND.token_types)


@pytest.mark.parametrize("file", FILES[::4], ids=lambda file: file.stem)
def test_the_server_cuts_and_colours_as_patterns_do(file: Path) -> None:
    text, at = file.read_text(encoding="utf-8"), 0
    plain: dict[tuple[int, int], TokenKind] = {}
    for kind, piece in rule_tokens(text):
        if kind not in QUIET and piece.strip():
            plain[at, at + len(piece)] = kind
        at += len(piece)
    kinds = {kind.value for kind in TokenKind}
    seen = 0
    for token in semantic_tokens(Workspace([]), file):
        kind = plain.get((token.start, token.end))
        assert kind is not None, text[token.start : token.end]
        if token.kind in kinds and kind not in REFINED:
            assert token.kind == kind.value
            seen += 1
        else:
            assert kind in REFINED and (token.kind in kinds or Sort(token.kind))
    assert seen > len(plain) / 4
