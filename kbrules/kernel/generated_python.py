"""The one place where generated source becomes code."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from types import CodeType, FunctionType
from typing import Any

NAME = "answer"
"""What the one function of a generated source is called."""
_NUMBERS = count(1)


class Module:
    """Generated functions that know of one another; it grows as they are added.

    known: the values of the names they use. They find no builtins but those among them.
    """

    def __init__(self, known: dict[str, Any]) -> None:
        self._name = f"generated {next(_NUMBERS)}.py"
        self._lines: list[str] = []
        self._names = known
        known.update({"__builtins__": {}, "__name__": NAME, "__loader__": self})

    @property
    def text(self) -> str:
        """All that was added so far."""
        return "\n".join(self._lines) + "\n"

    def get_source(self, name: str) -> str:
        """The text, for whoever prints a traceback."""
        return self.text

    def run(self, text: str) -> Any:
        """Run a text in the module; the value of its name `answer`."""
        # The module is its own loader: so tracebacks find the text, and nothing is cached for it.
        self._lines += text.splitlines()
        exec(compile(text, self._name, "exec"), self._names)
        return self._names[NAME]

    def add(self, name: str, text: str) -> Callable[..., Any]:
        """Add the function of a name; it stands in the module where its lines say."""
        first = len(self._lines) + 1
        self._lines += [*text.splitlines(), ""]
        code = _code_of(text).replace(co_filename=self._name, co_firstlineno=first)
        function: Callable[..., Any] = FunctionType(code, self._names, name)
        self._names[name] = function
        return function


@lru_cache(maxsize=2048)
def _code_of(text: str) -> CodeType:
    """The code of a function; kernels have many in common."""
    parts = compile(text, NAME, "exec").co_consts
    return next(part for part in parts if isinstance(part, CodeType))
