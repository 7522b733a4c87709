"""Rule sets with the boards and games made of them so far: each is dear to make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kbrules.diagnostics import Diagnostic
from kbrules.engine.evaluators import Linking, generated
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.library.boxes import shipped_boxes
from kbrules.library.files import Files
from kbrules.library.load import check_all
from kbrules.library.needs import needed
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source

__all__ = ["Shelf", "Shelves"]

Options = Mapping[str, bool | int]
Folders = tuple[Path, ...]
Found = tuple["Shelf | None", tuple[Diagnostic, ...]]
Made = TypeVar("Made")


@dataclass(slots=True, eq=False)
class Shelf:
    """A rule set, and what was made of it by what it was made from.

    linking: how its games evaluate expressions.
    """

    ruleset: Ruleset
    linking: Linking = generated
    _things: dict[object, object] = field(default_factory=dict)

    def find(self, key: object) -> Any:
        """What is kept under a key, or None."""
        return self._things.get(key)

    def put(self, key: object, thing: Made) -> Made:
        """Keep a thing under a key."""
        self._things[key] = thing
        return thing

    def game(self, board: Board, players: int, cards: tuple[str, ...], options: Options) -> Game:
        """The game at a board that is on this shelf as well."""
        key = (id(board), players, cards, tuple(sorted(options.items())))
        kept: Game | None = self.find(key)
        if kept is None:
            kept = self.put(key, Game(self.ruleset, board, players, cards, options, self.linking))
        return kept


@dataclass(slots=True, eq=False)
class Shelves:
    """One shelf for each set of shipped boxes, authors' folders and rule texts."""

    linking: Linking = generated
    _shelves: dict[object, Found] = field(default_factory=dict)
    _files: Files = field(default_factory=Files)

    def of(
        self, boxes: tuple[str, ...], folders: Folders = (), texts: tuple[Source, ...] = ()
    ) -> Found:
        """The shelf of such a set, or every reason why there is none."""
        key = boxes, folders, texts
        if key not in self._shelves:
            ruleset, found = check_all(boxes, folders, texts)
            shelf = Shelf(ruleset, self.linking) if ruleset is not None else None
            self._shelves[key] = shelf, tuple(found)
        return self._shelves[key]

    def boxes_for(self, named: Sequence[str], folders: Folders) -> tuple[str, ...]:
        """The shipped boxes to load: those named, and all that they or the folders need, sorted.

        Where nothing is named and there is no folder, those that need no other box.
        """
        if named or folders:
            return tuple(needed(self._files, named, folders))
        shipped = shipped_boxes()
        return tuple(id for id in shipped if needed(self._files, [id], ()) == [id])
