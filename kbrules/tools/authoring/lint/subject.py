"""What lints look at: a rule set without errors, as written and as understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from kbrules.game.board import Catalog
from kbrules.lang.checker.rules import Checked
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.boxes.box import Box
from kbrules.library.load import Loaded
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress, silent
from kbrules.text import Source, Span
from kbrules.tools.authoring.lint.index import nodes_by_class

Value = TypeVar("Value")


def never_cancelled() -> None:
    """Do nothing: the lints run to their end."""


@dataclass(frozen=True)
class Subject:
    """A loaded rule set, and which of its files are selected.

    `samples` is how many positions may be looked at. What is not selected is there to be
    compared with, and gets no finding. `check_cancelled` is called between
    positions and boards, and `on_progress` told how many positions are done. `cache` is room for
    what several lints need.
    """

    loaded: Loaded
    is_selected: Callable[[str], bool]
    samples: int = 0
    check_cancelled: Callable[[], None] = never_cancelled
    on_progress: OnProgress = silent
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules in force, ready to be played."""
        assert self.loaded.ruleset is not None
        return self.loaded.ruleset

    @property
    def checked(self) -> Checked:
        """The typed rules, options, memories and defines, replaced ones among them."""
        assert self.loaded.checked is not None
        return self.loaded.checked

    @property
    def catalog(self) -> Catalog:
        """The things of all loaded boxes."""
        return self.loaded.catalog

    @cached_property
    def declarations(self) -> tuple[tree.Declaration, ...]:
        """The declarations of the files that are selected, as written."""
        return tuple(each for each in self.loaded.declarations if self.concerns(each.span))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The typed rules of those files."""
        return tuple(rule for rule in self.checked.rules if self.concerns(rule.span))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes whose data files are selected."""
        return tuple(box for box in self.loaded.boxes if self.is_selected(box.document.source.name))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The texts that are selected, rules and data of boxes."""
        return tuple(each for each in self.loaded.sources if self.is_selected(each.name))

    @cached_property
    def _nodes(self) -> dict[type, list[Any]]:
        return nodes_by_class(self.declarations)

    def concerns(self, span: Span) -> bool:
        """Whether a place is in a selected file."""
        return self.is_selected(span.source.name)

    def shared(self, make: Callable[[Subject], Value]) -> Value:
        """What a function makes of the subject, made once for all lints that want it."""
        if make not in self.cache:
            self.cache[make] = make(self)
        value: Value = self.cache[make]
        return value

    def nodes(self, kind: type[Value]) -> Iterator[Value]:
        """The nodes of one class in the trees of the selected files."""
        yield from self._nodes.get(kind, ())
