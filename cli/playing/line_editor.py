"""The line that a person types: by prompt_toolkit where it is installed, else plainly."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec

__all__ = ["line_reader"]

Completions = Callable[[str], Sequence[str]]
"""What may stand in the place of the last word of a text."""


def line_reader(completions: Completions) -> Callable[[str], str]:
    """What asks for a line, behind a prompt: with history and completion on a terminal.

    It raises EOFError at the end of input, and KeyboardInterrupt.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not on_terminal or find_spec("prompt_toolkit") is None:
        return lambda prompt: input(prompt)
    return _editor(completions)


def _editor(completions: Completions) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import DynamicCompleter, WordCompleter

    def completer() -> WordCompleter:
        text = session.default_buffer.document.text_before_cursor
        return WordCompleter(list(completions(text)), WORD=True)

    session: PromptSession[str] = PromptSession(
        completer=DynamicCompleter(completer), complete_while_typing=False
    )
    return lambda prompt: str(session.prompt(prompt))
