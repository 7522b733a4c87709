"""The colours of a rule text: the one table of patterns, refined by what names mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from kbrules.lang.checker.expressions import Scope
from kbrules.library.discovery import kind_of
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.editors.token_patterns import TokenKind
from kbrules.tools.language_service.answers import SemanticToken
from kbrules.tools.language_service.navigating.navigation import mentions
from kbrules.tools.language_service.workspace import Workspace


def semantic_tokens(workspace: Workspace, path: Path) -> tuple[SemanticToken, ...]:
    """The tokens of a rule file from top to bottom, none longer than its line.

    A name of a thing is told by its sort, a word that the author defines as one of the language.
    Of other files editors know the colours.
    """
    if kind_of(path) != "rules":
        return ()
    checked = workspace.last_loaded(path).checked
    kinds = _kinds(checked.scope) if checked is not None else {}
    found = {(each.start, each.end): each for each in mentions(workspace, path)}
    tokens = []
    for start, end, kind in _pieces(workspace.text(path)):
        mention = found.get((start, end))
        declares = mention is not None and mention.is_declaration
        is_free = mention is not None and mention.domain != "local" and kind is TokenKind.NAME
        name = workspace.text(path)[start:end] if is_free else ""
        tokens.append(SemanticToken(start, end, kinds.get(name, kind.value), declares))
    return tuple(tokens)


def _kinds(scope: Scope) -> Mapping[str, str]:
    """What the names are that rules and boxes declare."""
    vocabulary, names = scope.vocabulary, scope.names
    things = {name: each.sort.value for name, each in vocabulary.constants.items()}
    words = (*vocabulary.words, *names.defined, *names.named_steps.declared)
    return {**things, **dict.fromkeys(words, TokenKind.WORD.value)}


def _pieces(text: str) -> Iterator[tuple[int, int, TokenKind]]:
    """The tokens with their places, without blanks."""
    at = 0
    for kind, written in rule_tokens(text):
        for line in written.splitlines(keepends=True):
            part = line.rstrip("\n")
            if part and kind is not TokenKind.BLANK:
                yield at, at + len(part), kind
            at += len(line)
