"""The scope of an expression in a kernel's text: its player and the values of names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kbrules.kernel.lowering.writing import REQUIRED, FunctionWriter, Name
from kbrules.lang.typed import Sort

EMPTY = {Sort.HEXES: "nothing()", Sort.TRUTH: "False", Sort.GROUPS: "(0, 0)"}
"""How it is written that a name is not bound, for sorts that are no numbers."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression stands: the function, the player it is of, what is bound there.

    required: whether a required action is under way, if that is known; else read from the stack.
    is_laid: whether the memory has what the board decides; not where that is worked out.
    """

    fn: FunctionWriter
    me: str
    names: dict[str, str] = field(default_factory=dict)
    required: str = "required(M)"
    is_laid: bool = True

    def bound(self, **names: str) -> Scope:
        """The same with further names."""
        return replace(self, names={**self.names, **names})

    def of(self, me: str) -> Scope:
        """The same for another player."""
        return replace(self, me=me)

    def value(self, name: Name) -> str:
        """What a name stands for, nothing if it is not bound."""
        if name == REQUIRED:
            return self.required
        return self.names.get(name[0]) or EMPTY.get(name[1], "0")
