"""What lints look at: a rule set without errors, as written and as understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from kbrules.game.catalog import Catalog
from kbrules.lang import tree
from kbrules.lang.checker.declarations import Checked
from kbrules.lang.core import Rule
from kbrules.library.boxes.box import Box
from kbrules.library.load import Loaded
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source, Span
from kbrules.tools.authoring.lint.index import Index

__all__ = ["Subject", "never_cancelled"]

Made = TypeVar("Made")


def never_cancelled() -> None:
    """Nothing is looked after while lints search."""


@dataclass(frozen=True)
class Subject:
    """A loaded rule set, and which of its files are asked for.

    `samples` is how many positions may be looked at. What is not asked for is there to be
    compared with, never to be blamed. `check_cancelled` is taken between
    positions and boards. `kept` is room for what several lints need.
    """

    loaded: Loaded
    is_asked: Callable[[str], bool]
    samples: int = 0
    check_cancelled: Callable[[], None] = never_cancelled
    kept: dict[Any, Any] = field(default_factory=dict, repr=False)

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
        """The declarations of the files that are asked for, as written."""
        return tuple(each for each in self.loaded.declarations if self.concerns(each.span))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The typed rules of those files."""
        return tuple(rule for rule in self.checked.rules if self.concerns(rule.span))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes whose data files are asked for."""
        return tuple(box for box in self.loaded.boxes if self.is_asked(box.document.source.name))

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The texts that are asked for, rules and data of boxes."""
        return tuple(each for each in self.loaded.sources if self.is_asked(each.name))

    @cached_property
    def index(self) -> Index:
        """Every part of the declarations that are asked for, by its kind."""
        return Index.of(self.declarations)

    def concerns(self, span: Span) -> bool:
        """Whether a place is in a file that is asked for."""
        return self.is_asked(span.source.name)

    def shared(self, make: Callable[[Subject], Made]) -> Made:
        """What a function makes of the subject, made once for all lints that want it."""
        if make not in self.kept:
            self.kept[make] = make(self)
        found: Made = self.kept[make]
        return found

    def written(self, kind: type[Made]) -> Iterator[Made]:
        """The parts of one kind in the trees that are asked for."""
        yield from self.index.of_kind(kind)
