"""Rule sets with the boards and games made of them so far: each is dear to make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.library.boxes import shipped_boxes
from kbrules.library.files import Files
from kbrules.library.load import Loaded, read_usual
from kbrules.library.needs import needed
from kbrules.library.ruleset import Ruleset
from kbrules.plan.evaluators import Linking, reference
from kbrules.text import Source

__all__ = ["Shelf", "Shelves"]

Options = Mapping[str, bool | int]
Folders = tuple[Path, ...]
Key = tuple[tuple[str, ...], Folders, tuple[Source, ...]]
Found = tuple["Shelf | None", tuple[Diagnostic, ...]]
Made = TypeVar("Made")


@dataclass(slots=True, eq=False)
class Shelf:
    """A rule set, and what was made of it by what it was made from.

    linking: how its games evaluate expressions. `loaded` is all that was read for it, if it was
    read for a shelf.
    """

    ruleset: Ruleset
    linking: Linking = reference
    loaded: Loaded | None = None
    _things: dict[object, object] = field(default_factory=dict)

    def with_rules(self, ruleset: Ruleset) -> Shelf:
        """A shelf of other rules about the same things: it keeps the boards, but no game.

        Its games evaluate expressions as usual.
        """
        boards = {key: it for key, it in self._things.items() if not isinstance(it, Game)}
        return Shelf(ruleset, loaded=self.loaded, _things=boards)

    def forget(self) -> None:
        """Let go of what the boards have worked out for some rules."""
        for it in self._things.values():
            if isinstance(it, Game):
                it.board.memo.clear()

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
            game = Game(self.ruleset, board, players, cards, options, linking=self.linking)
            kept = self.put(key, game)
        return kept


@dataclass(slots=True, eq=False)
class Shelves:
    """One shelf for each set of shipped boxes, authors' folders and rule texts.

    What a file says is asked once; after `renew`, again.
    """

    linking: Linking = reference
    _files: Files = field(default_factory=Files)
    _shelves: dict[Key, Found] = field(default_factory=dict)
    _asked: set[Key] = field(default_factory=set)
    _needs: dict[object, tuple[str, ...]] = field(default_factory=dict)

    def of(
        self, boxes: tuple[str, ...], folders: Folders = (), texts: tuple[Source, ...] = ()
    ) -> Found:
        """The shelf of such a set, or every reason why there is none."""
        key = boxes, folders, texts
        if key not in self._asked:
            loaded = read_usual(boxes, folders, texts, self._files)
            ruleset = loaded.ruleset
            shelf = self._shelves.get(key, (None, ()))[0]
            if shelf is None or shelf.ruleset is not ruleset:
                shelf = Shelf(ruleset, self.linking, loaded) if ruleset is not None else None
            self._shelves[key] = shelf, loaded.findings
            self._asked.add(key)
        return self._shelves[key]

    def renew(self) -> None:
        """Look again into the files: where something has changed, there will be another shelf."""
        self._asked.clear()
        self._needs.clear()
        for key in [key for key in self._shelves if key[2]]:
            del self._shelves[key]  # a text is never given twice

    def are_current(self, shelves: Iterable[Shelf]) -> bool:
        """Whether shelves stand for what the files say now."""
        current = {id(self.of(*key)[0]) for key in [*self._shelves]}
        return all(id(shelf) in current for shelf in shelves)

    def boxes_for(self, named: Sequence[str], folders: Folders) -> tuple[str, ...]:
        """The shipped boxes to load: those named, and all that they or the folders need, sorted.

        Where nothing is named and there is no folder, those that need no other box.
        """
        key = tuple(named), folders
        if key not in self._needs:
            self._needs[key] = tuple(self._needed(named, folders))
        return self._needs[key]

    def _needed(self, named: Sequence[str], folders: Folders) -> list[str]:
        if named or folders:
            return needed(self._files, named, folders)
        return [id for id in shipped_boxes() if needed(self._files, [id], ()) == [id]]
