"""Lints: each is one function that yields the findings of one code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from kbrules.diagnostics import Diagnostic
from kbrules.tools.authoring.lint.subject import Subject

Needs = Literal["text", "boards", "positions"]
"""What a lint looks at: what is written, boards that the sections form, or positions of games."""

FindFunction = Callable[[Subject], Iterator[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Lint:
    """The function behind a code, and what it looks at."""

    code: str
    needs: Needs
    find: FindFunction


LINTS: dict[str, Lint] = {}
"""Every lint by its code; `table` names the modules that hold them."""


def lint(code_name: str, needs: Needs = "text") -> Callable[[FindFunction], FindFunction]:
    """Register a function as the lint of a code, which is a warning that makes a claim.

    The function gets a `Subject` without errors and yields findings of that code alone, about
    the selected files of the subject. ValueError if the code has its lint already.
    """
    if code_name in LINTS:
        raise ValueError(f"{code_name} has its lint already")

    def register(find: FindFunction) -> FindFunction:
        LINTS[code_name] = Lint(code_name, needs, find)
        return find

    return register
