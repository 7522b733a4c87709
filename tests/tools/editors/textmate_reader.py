"""What an editor does with a TextMate grammar, as far as ours needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Scoped = tuple[str, str]


def scoped(grammar: dict[str, Any], text: str) -> Iterator[Scoped]:
    """The text cut into pieces, each with its innermost scope or an empty one."""
    stack = [grammar]
    for line in text.splitlines(keepends=True) if "\r" not in text else text.split("\n"):
        yield from _line(grammar, stack, line)


def _line(grammar: dict[str, Any], stack: list[dict[str, Any]], line: str) -> Iterator[Scoped]:
    at = 0
    while True:
        found, rule = _next(grammar, stack[-1], line, at)
        if found is None:
            yield "", line[at:]
            return
        yield "", line[at : found.start()]
        yield from _captured(found, rule)
        if "begin" in rule:
            stack.append(rule)
        elif rule.get("ends"):
            stack.pop()
        at = found.end()


def _next(
    grammar: dict[str, Any], within: dict[str, Any], line: str, at: int
) -> tuple[re.Match[str] | None, dict[str, Any]]:
    """The match that begins first; of several there, that of the rule listed first."""
    rules = [_included(grammar, each) for each in within["patterns"]]
    if "end" in within:
        rules.insert(0, {"match": within["end"], "captures": within["endCaptures"], "ends": True})
    found = [
        (match.start(), number, match, rule)
        for number, rule in enumerate(rules)
        if (match := re.compile(rule.get("match") or rule["begin"]).search(line, at))
    ]
    return min(found, key=lambda each: each[:2])[2:] if found else (None, {})


def _included(grammar: dict[str, Any], rule: dict[str, Any]) -> dict[str, Any]:
    if "include" not in rule:
        return rule
    included: dict[str, Any] = grammar["repository"][rule["include"].removeprefix("#")]
    return included


def _captured(found: re.Match[str], rule: dict[str, Any]) -> Iterator[Scoped]:
    captures = rule.get("captures") or rule.get("beginCaptures")
    if not captures:
        yield rule["name"], found[0]
    elif "0" in captures:
        yield captures["0"]["name"], found[0]
    else:
        for number, text in enumerate(found.groups(), 1):
            yield captures.get(str(number), {"name": ""})["name"], text
