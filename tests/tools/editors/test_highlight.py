"""The colours of rule files: held to the grammar, and the same in every editor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pygments.lexers
import pytest
from hypothesis import given, strategies as st
from lark import Token

from kbrules.lang.formatting import comments_of
from kbrules.lang.syntax.build import Chunk
from kbrules.lang.syntax.grammar import keywords, parser
from kbrules.lang.syntax.split import split
from kbrules.primitives.vocabulary import KINDS, vocabulary
from kbrules.text import Source
from kbrules.tools.editors.highlight import RulesLexer, TokenKind, rule_tokens
from tests.docs.generated import textmate_text
from tests.source_tree import ROOT
from tests.tools.editors.textmate_reader import scoped

FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in ("rules", "tests")
    for path in sorted((ROOT / folder).rglob("*.kb"))
]
LOUD = {TokenKind.KEYWORD, TokenKind.DECLARATION, TokenKind.TRUTH}
OF_TERMINAL = {"NUMBER": TokenKind.NUMBER, "TEXT": TokenKind.TEXT, "DRAWING": TokenKind.DRAWING}


def read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def kinds(text: str) -> list[TokenKind]:
    """What each letter is part of."""
    return [kind for kind, piece in rule_tokens(text) for _ in piece]


def tokens(chunk: Chunk) -> Iterator[Token]:
    """The tokens of a declaration as the parser itself takes them."""
    yield from parser().parse_interactive(chunk.text).iter_parse()


def test_there_are_rule_files_to_look_at() -> None:
    assert len(FILES) > 20


@pytest.mark.parametrize("file", FILES)
def test_every_file_is_coloured_and_nothing_is_lost(file: str) -> None:
    text = read(file)
    found = list(rule_tokens(text))
    assert "".join(piece for _, piece in found) == text
    assert [piece for kind, piece in found if kind is TokenKind.WRONG] == []


@pytest.mark.parametrize("file", FILES)
def test_colours_are_what_the_parser_takes_the_words_for(file: str) -> None:
    source = Source(file, read(file))
    of = kinds(source.text)
    for number, chunk in enumerate(split(source)[0]):
        found = list(tokens(chunk))
        for token in found:
            if token.type.startswith("_"):
                continue
            span = chunk.span(token.start_pos, token.end_pos)
            said = {of[at] for at in range(span.start, span.end)} - {TokenKind.BLANK}
            where = f"{file}:{span.line}: {token.type} {token} in {number}"
            if token.type in keywords().terminals:
                assert said <= LOUD and said, where
            elif token is found[0]:
                assert said == {TokenKind.DECLARATION}, where
            else:
                assert not said & LOUD, where
            if token.type in OF_TERMINAL:
                assert said == {OF_TERMINAL[token.type]}, where
    for comment in comments_of(source, _drawn(source.text)):
        assert of[comment.start] is TokenKind.COMMENT


def _drawn(text: str) -> list[object]:
    """Lines with a bar in front stand for the drawings of a file."""
    source = Source("drawn", text)
    return [source.span(*m.span()) for m in re.finditer(r"^ *\|.*", text, re.MULTILINE)]


def test_each_keyword_of_the_grammar_is_coloured_where_it_may_stand() -> None:
    alone = {
        "headings": "{} dale",
        "openers": "rule dale:\n    {} x",
        "inner": "rule dale:\n    gold x {} y",
    }
    seen = set()
    for place, frame in alone.items():
        for pattern in getattr(keywords(), place):
            for word in _words(pattern):
                text = frame.format(word)
                of = kinds(text)
                at = text.index(word)
                assert of[at] in LOUD and of[at + len(word) - 1] in LOUD, text
                seen.add(word)
    assert {"permit", "required action", "before setup", "at least", "whenever", "yes"} <= seen
    assert len(keywords().terminals) > 25


def _words(pattern: str) -> Iterator[str]:
    """The words that a pattern of the grammar stands for."""
    plain = pattern.replace(r"\b", "").replace(" +", " ")
    plain = plain.replace("(?:before|after) setup", "before setup|after setup")
    yield from plain.replace("(?:", "").replace(")", "").split("|")


def test_known_words_and_verbs_are_told_from_others() -> None:
    text = "rule x:\n    forbid build on adjacent(a) & adjacence\n    draw 1 card\n    drow 1\n"
    found = dict(reversed([(piece, kind) for kind, piece in rule_tokens(text)]))
    assert found["adjacent"] is TokenKind.WORD and found["adjacence"] is TokenKind.NAME
    assert found["draw"] is TokenKind.VERB and found["drow"] is TokenKind.NAME
    for word in (*vocabulary().words, *vocabulary().folds):
        assert kinds(f"define x: y + {word}")[-1] is TokenKind.WORD
    for kind in KINDS:
        assert kinds(f"{kind} x:")[0] is TokenKind.DECLARATION
    assert kinds("carb x:")[0] is TokenKind.NAME


def test_what_is_left_open_does_not_run_into_the_next_declaration() -> None:
    text = "define x: count((mine\n\nrule dale:\n    permit build on mine\n"
    assert kinds(text)[text.index("rule")] is TokenKind.DECLARATION
    assert kinds(text)[text.index("permit")] is TokenKind.KEYWORD
    assert kinds('rule x "y:\n')[7] is TokenKind.WRONG


LETTERS = st.sampled_from([
    *'()|"#:,.=<>+-*/&?\n\n\n \t', "    ", "Z", "é", "x", "1", "if", "or", "at", "at least",
    "define ", "rule ", "permit ", "example", "count(", "yes", "build", "hexes", "|  G",
])  # fmt: skip
TEXTS = st.lists(LETTERS, max_size=40).map("".join)


@given(TEXTS)
def test_no_letter_is_lost_of_any_text(text: str) -> None:
    assert "".join(piece for _, piece in rule_tokens(text)) == text


SAME = {kind.scope: kind for kind in TokenKind if kind not in (TokenKind.BLANK, TokenKind.SIGN)}


def _told(text: str) -> list[TokenKind | None]:
    """What each letter is for the TextMate grammar; None for signs and blanks."""
    parts = scoped(json.loads(textmate_text()), text)
    return [SAME.get(scope) for scope, piece in parts for _ in piece]


def _same(text: str) -> None:
    quiet = (TokenKind.BLANK, TokenKind.SIGN)
    ours = [None if kind in quiet else kind for kind in kinds(text)]
    theirs = _told(text)
    assert len(ours) == len(theirs)
    for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        assert one is other, (text[:at], text[at:], one, other)


@pytest.mark.parametrize("file", FILES)
def test_editors_agree_about_every_file(file: str) -> None:
    _same(read(file))


@given(TEXTS)
def test_editors_agree_about_any_text(text: str) -> None:
    _same(text)


def test_pygments_finds_the_lexer_where_it_is_installed() -> None:
    names = {name for name, *_ in pygments.lexers.get_all_lexers()}
    if "kbrules" not in names:
        pytest.skip("installed before it had a lexer")
    assert isinstance(pygments.lexers.get_lexer_for_filename("dale.kb"), RulesLexer)


def test_the_entry_point_names_the_lexer() -> None:
    text = read("pyproject.toml")
    assert f'kbrules = "{RulesLexer.__module__}:{RulesLexer.__name__}"' in text
