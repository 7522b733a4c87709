"""Caches of rule sets, boards and games, which are slow to make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.load import Loaded, load_with_dependencies
from kbrules.library.needs import needed
from kbrules.library.rules.omission import Omission
from kbrules.library.ruleset import Ruleset
from kbrules.plan.linking import LinkerFactory, default_linker
from kbrules.text import Source

Options = Mapping[str, bool | int]
Folders = tuple[Path, ...]
Key = tuple[tuple[str, ...], Folders, tuple[Source, ...]]
CacheAndFindings = tuple["RulesetCache | None", tuple[Diagnostic, ...]]
Value = TypeVar("Value")


@dataclass(slots=True, eq=False)
class RulesetCache:
    """A rule set with the boards and games that were made of it, by what each was made from.

    linking: how the games evaluate expressions. loaded: everything that was read for the rule
    set, if `RulesetCaches` read it. left_out: what it lacks, since it has mistakes.
    """

    ruleset: Ruleset
    linking: LinkerFactory = default_linker
    loaded: Loaded | None = None
    left_out: Omission = field(default_factory=Omission)
    _values: dict[object, object] = field(default_factory=dict)

    def with_rules(self, ruleset: Ruleset) -> RulesetCache:
        """A cache for other rules of the same catalog: with the boards, without the games.

        Its games evaluate expressions by the reference.
        """
        boards = {key: each for key, each in self._values.items() if not isinstance(each, Game)}
        return RulesetCache(ruleset, loaded=self.loaded, _values=boards)

    def clear_boards(self) -> None:
        """Delete what the boards of the games have worked out for these rules."""
        for each in self._values.values():
            if isinstance(each, Game):
                each.board.cache.clear()

    def get(self, key: object) -> Any:
        """The value of a key, or None."""
        return self._values.get(key)

    def put(self, key: object, value: Value) -> Value:
        """Set the value of a key."""
        self._values[key] = value
        return value

    def game(self, board: Board, players: int, cards: tuple[str, ...], options: Options) -> Game:
        """The game at a board that is in this cache as well."""
        key = (id(board), players, cards, tuple(sorted(options.items())))
        cached: Game | None = self.get(key)
        if cached is None:
            game = Game(self.ruleset, board, players, cards, options, linking=self.linking)
            cached = self.put(key, game)
        return cached


@dataclass(slots=True, eq=False)
class RulesetCaches:
    """One cache for each set of shipped boxes, authors' folders and rule texts.

    A file is read once; after `invalidate`, again.
    """

    linking: LinkerFactory = default_linker
    _files: FileCache = field(default_factory=FileCache)
    _caches: dict[Key, CacheAndFindings] = field(default_factory=dict)
    _current_keys: set[Key] = field(default_factory=set)
    _needed_boxes: dict[object, tuple[str, ...]] = field(default_factory=dict)

    @property
    def files(self) -> FileCache:
        """The files that they are made of."""
        return self._files

    def cache_for(
        self, boxes: tuple[str, ...], folders: Folders = (), texts: tuple[Source, ...] = ()
    ) -> CacheAndFindings:
        """The cache for such a set, or every reason why there is none."""
        cache, findings = self.usable_for(boxes, folders, texts)
        return (None if findings else cache), findings

    def usable_for(
        self, boxes: tuple[str, ...], folders: Folders = (), texts: tuple[Source, ...] = ()
    ) -> CacheAndFindings:
        """As `cache_for`; where cards or tiles have mistakes, the cache is for the others."""
        key = boxes, folders, texts
        if key not in self._current_keys:
            loaded = load_with_dependencies(boxes, folders, texts, self._files)
            cache = self._caches.get(key, (None, ()))[0]
            if cache is None or cache.loaded is not loaded:
                cache = self._new_cache(loaded)
            self._caches[key] = cache, loaded.findings
            self._current_keys.add(key)
        return self._caches[key]

    def _new_cache(self, loaded: Loaded) -> RulesetCache | None:
        ruleset, left_out = loaded.ruleset, Omission()
        if ruleset is None:
            ruleset, left_out = loaded.without_mistakes()
        if ruleset is None:
            return None
        return RulesetCache(ruleset, self.linking, loaded, left_out)

    def invalidate(self) -> None:
        """Read the files again at the next request; a set whose files changed gets a new cache."""
        self._current_keys.clear()
        self._needed_boxes.clear()
        for key in [key for key in self._caches if key[2]]:
            del self._caches[key]  # a text is never given twice

    def are_current(self, caches: Iterable[RulesetCache]) -> bool:
        """Whether the rule sets of caches are those of the files as they are now."""
        current = {id(self.cache_for(*key)[0]) for key in [*self._caches]}
        return all(id(cache) in current for cache in caches)

    def boxes_for(self, named: Sequence[str], folders: Folders) -> tuple[str, ...]:
        """The shipped boxes to load: those named, and all that they or the folders need, sorted.

        Where nothing is named and there is no folder, those that need no other box.
        """
        key = tuple(named), folders
        if key not in self._needed_boxes:
            self._needed_boxes[key] = tuple(self._needed(named, folders))
        return self._needed_boxes[key]

    def _needed(self, named: Sequence[str], folders: Folders) -> list[str]:
        if named or folders:
            return needed(self._files, named, folders)
        return [id for id in shipped_boxes() if needed(self._files, [id], ()) == [id]]
