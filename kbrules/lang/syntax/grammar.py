"""The parser of one declaration, its keywords, and what may follow, all read off the grammar."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import lark
from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import NonTerminal, Rule, Symbol
from lark.indenter import Indenter

# The parser of one declaration: from the worked-out grammar beside `kb.lark`, or from that itself.
#
# To work out an LALR grammar takes ten times as long as to read what came of it, so that lies in
# `kb.lalr.json`, written by `python -m tests.docs.generated`. It is believed only if it
# was made of this very grammar by this very version of lark.

WORKED_OUT = "kb.lalr.json"


class _Indents(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["CALLED", "LPAR"]  # noqa: RUF012 (the base class declares lists)
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The LALR parser of one declaration, made once per process."""
    found = files("kbrules.lang.syntax").joinpath(WORKED_OUT)
    text = found.read_text(encoding="utf-8") if found.is_file() else ""
    return deserialized(text) or build_parser()


def deserialized(text: str) -> Lark | None:
    """Return the parser that a text describes; None if it is not of this grammar and lark."""
    stored = json.loads(text) if text else {}
    if stored.get("of") != stamp():
        return None
    memo, data = _numbered(stored["memo"]), stored["data"]
    table = data["parser"]["parser"]
    table["tokens"] = _numbered(table["tokens"])
    table["states"] = {int(of): _numbered(does) for of, does in table["states"].items()}
    loaded: Lark = Lark._load_from_dict(data, memo, postlex=_Indents())  # type: ignore[no-untyped-call]
    return loaded


def build_parser() -> Lark:
    """The parser, worked out from the grammar."""
    return Lark(
        _text(),
        parser="lalr",
        lexer="contextual",
        postlex=_Indents(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def stamp() -> str:
    """What tells one grammar and lark from all others."""
    return blake2b(f"{lark.__version__}\n{_text()}".encode(), digest_size=16).hexdigest()


def _text() -> str:
    return files("kbrules.lang.syntax").joinpath("kb.lark").read_text(encoding="utf-8")


def _numbered(table: Mapping[str, Any]) -> dict[int, Any]:
    """A table by numbers, which JSON has as text."""
    return {int(key): value for key, value in table.items()}


# The words of the grammar, and where in a sentence each may stand: read off the grammar itself.

_SENTENCES = ("_line", "_block", "note", "table")
_LETTERS = re.compile(r"[a-z]+")
_FIRM = 2  # the priority of terminals that stand for several words


@dataclass(frozen=True, slots=True)
class Keywords:
    """Keyword patterns (regular expressions without groups, longer ones first) by their place.

    `headings` begin a declaration, `openers` a sentence of one; `inner` ones stand further right.
    A keyword may have several places. `terminals` are the names of all in the grammar.
    """

    headings: tuple[str, ...]
    openers: tuple[str, ...]
    inner: tuple[str, ...]
    terminals: frozenset[str]


@lru_cache(maxsize=1)
def keywords() -> Keywords:
    """The keywords of the grammar."""
    rules = parser().rules
    words = _words()
    sentences = _leftmost(rules, _SENTENCES)
    headings = _leftmost(rules, ("start",))
    inner = {s.name for rule in rules for s in _inner(rule, sentences | headings)}
    return Keywords(
        _patterns(words, _first(rules, headings)),
        _patterns(words, _first(rules, sentences)),
        _patterns(words, inner),
        frozenset(words),
    )


def _words() -> dict[str, str]:
    """The pattern of each terminal that stands for words of the language, not of the author."""
    found = {}
    for each in parser().terminals:
        if each.priority == _FIRM or _LETTERS.fullmatch(each.pattern.value):
            found[each.name] = re.sub(r"\((?!\?)", "(?:", each.pattern.value)
    return found


def _leftmost(rules: Iterable[Rule], origins: Iterable[str]) -> frozenset[str]:
    """The names of what may stand first in these, themselves included."""
    found, added = set[str](), set(origins)
    while added:
        found |= added
        firsts = (r.expansion[0] for r in rules if r.expansion and r.origin.name in added)
        added = {s.name for s in firsts if isinstance(s, NonTerminal)} - found
    return frozenset(found)


def _first(rules: Iterable[Rule], origins: frozenset[str]) -> set[str]:
    return {r.expansion[0].name for r in rules if r.expansion and r.origin.name in origins}


def _inner(rule: Rule, leftmost: frozenset[str]) -> Iterable[Symbol]:
    """The symbols of a rule that do not begin a sentence with it."""
    return rule.expansion[1:] if rule.origin.name in leftmost else rule.expansion


def _patterns(words: dict[str, str], names: set[str]) -> tuple[str, ...]:
    """Those of more than one word first, since another may be their first word."""
    found = (words[name] for name in names if name in words)
    return tuple(sorted(found, key=lambda pattern: (" " not in pattern, pattern)))


# What may follow the beginning of a declaration, as the grammar says.

_NAMES = frozenset({"NAME", "CALLED"})


def terminals_after(text: str) -> frozenset[str]:
    """The terminals of the grammar that may follow a text, as far as it can be read."""
    reading = parser().parse_interactive(text)
    with suppress(LarkError):  # what is wrong is most often that the text ends here
        reading.exhaust_lexer()
    return frozenset(reading.accepts())  # type: ignore[no-untyped-call]


def words_after(text: str, known: Iterable[str]) -> list[str]:
    """Those of some keywords that may follow a text; a name may be any word, and is none."""
    patterns = [_pattern(name) for name in terminals_after(text) - _NAMES]
    return [word for word in known if any(each.fullmatch(word) for each in patterns)]


@lru_cache(maxsize=128)
def _pattern(terminal: str) -> re.Pattern[str]:
    """The pattern of a terminal; one of those that the indenter makes matches nothing."""
    found = (each.pattern.to_regexp() for each in parser().terminals if each.name == terminal)
    return re.compile(next(found, r"(?!)"))
