"""Texts cut into tokens by the grammar of their kind, and into blocks, brackets and nodes.

Whatever is cut joins again to the same text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from lark.exceptions import LarkError
from lark.indenter import DedentError
from lark.lexer import PatternStr
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from kbrules.lang.syntax.grammar import parser
from kbrules.lang.syntax.split import split
from kbrules.text import Source

OPENING, CLOSING = "([{", ")]}"
EXPRESSIONS = frozenset((
    "either_of", "both_of", "negation", "compare", "binary", "minus", "range", "number", "name",
    "yes", "no", "call", "choice",
))  # fmt: skip
_DATA = re.compile(
    r"""(?P<TEXT>"(?:\\.|[^"\\\n])*"|'[^'\n]*')|(?P<COMMENT>\#[^\n]*)|(?P<NL>\n[ ]*)|(?P<WS>[ \t]+)
    |(?P<NUMBER>-?\d+(?:\.\d+)?)|(?P<NAME>[^\W\d][\w-]*)|(?P<OTHER>[^\n])""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of a text and what the grammar calls it."""

    type: str
    text: str


class Piece(NamedTuple):
    """A piece of a text that belongs together: from where to where, how far it is indented.

    name: what stands there, the same for what may stand there as well.
    """

    start: int
    end: int
    indent: int
    name: str = ""


@cache
def _rules_pattern() -> tuple[re.Pattern[str], frozenset[str]]:
    """The terminals of kbrules' grammar as one pattern, and its words that look like names."""
    found = sorted(parser().terminals, key=lambda t: (-t.priority, -t.pattern.max_width, t.name))
    words = {t.pattern.value for t in found if isinstance(t.pattern, PatternStr)}
    named = (f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in found)
    return re.compile("|".join((*named, r"(?P<OTHER>[\s\S])"))), frozenset(words)


def tokens_of(kind: str, text: str) -> list[Token]:
    """The tokens of a text, blanks and comments among them."""
    pattern, words = _rules_pattern() if kind == "rules" else (_DATA, frozenset[str]())
    found = []
    for match in pattern.finditer(text):
        piece = match.group()
        found.append(Token(piece if piece in words else match.lastgroup or "", piece))
    return found


def joined(tokens: Sequence[Token]) -> str:
    """The text again."""
    return "".join(token.text for token in tokens)


def blocks_of(text: str) -> list[Piece]:
    """Each line with all lines below it that are indented further."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    indents = [len(line) - len(line.lstrip(" ")) if line.strip() else None for line in lines]
    found = []
    for number, indent in enumerate(indents):
        if indent is not None:
            end = number + 1
            while end < len(lines) and (indents[end] is None or (indents[end] or 0) > indent):
                end += 1
            found.append(Piece(starts[number], starts[end], indent))
    return found


def brackets_of(text: str) -> list[Piece]:
    """Each pair of brackets with all within it."""
    found, opened = [], []
    for at, sign in enumerate(text):
        if sign in OPENING:
            opened.append(at)
        elif sign in CLOSING and opened:
            found.append(Piece(opened.pop(), at + 1, 0))
    return found


def nodes_of(kind: str, text: str) -> tuple[Piece, ...]:
    """The nodes of a text that can be read, each with the name of what stands there."""
    return _nodes_of_rules(text) if kind == "rules" else _nodes_of_yaml(text)


@lru_cache(maxsize=512)
def _nodes_of_rules(text: str) -> tuple[Piece, ...]:
    """The nodes of the declarations, by the names of the grammar; expressions have one name."""
    found = []
    for chunk in split(Source("x.kb", text))[0]:
        try:
            tree = parser().parse(chunk.text)
        except (LarkError, DedentError):
            continue
        for node in tree.iter_subtrees():
            if not node.meta.empty:
                name = "expression" if node.data in EXPRESSIONS else str(node.data)
                span = chunk.span(node.meta.start_pos, node.meta.end_pos)
                found.append(Piece(span.start, span.end, node.meta.column - 1, name))
    return tuple(found)


@lru_cache(maxsize=512)
def _nodes_of_yaml(text: str) -> tuple[Piece, ...]:
    """The nodes, by the nearest key above them; keys are nodes as well."""
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except (YAMLError, ValueError, RecursionError):
        return ()
    return tuple(_nodes(root, "")) if root is not None else ()


def _nodes(node: Node, name: str) -> list[Piece]:
    start, end = node.start_mark, node.end_mark
    found = [Piece(start.index, end.index, start.column, name)]
    if isinstance(node, MappingNode):
        for key, value in node.value:
            found += [*_nodes(key, f"{name}:"), *_nodes(value, str(key.value))]
    elif isinstance(node, SequenceNode):
        for value in node.value:
            found += _nodes(value, f"{name}-")
    return found


def shifted(text: str, by: int) -> str:
    """The text with every line but the first moved right, or left as far as it goes."""
    first, *rest = text.split("\n")
    moved = [" " * by + line if by > 0 else line[min(-by, _indent(line)) :] for line in rest]
    return "\n".join([first, *(line if line.strip() else "" for line in moved)])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
