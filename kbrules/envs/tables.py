"""Which table an environment plays on: boxes, players and set-up, or a game that is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at, with_cards
from kbrules.envs.settings import check_mapping, names_of, whole_number
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset


@lru_cache(maxsize=8)
def _rules(boxes: tuple[str, ...], folders: tuple[str, ...]) -> Ruleset:
    return load(*boxes, folders=[Path(folder) for folder in folders])


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of an environment, one for each seed; all have the same actions and observations.

    boxes, folders: as `load` takes them. players: how many. setup: `random`, or the name of a
    set-up. cards: those that are in play whatever the seed draws. options: those that differ from
    their defaults. table_seed: if it is given, all games are played on the table of that seed.
    """

    boxes: tuple[str, ...] = ("base",)
    players: int = 2
    setup: str = "random"
    cards: tuple[str, ...] = ()
    options: Mapping[str, bool | int] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    table_seed: int | None = None

    @classmethod
    def of(
        cls,
        boxes: Sequence[str],
        players: int,
        setup: str,
        cards: Sequence[str],
        options: Mapping[str, bool | int] | None,
        folders: Sequence[str | Path],
        table_seed: int | None,
    ) -> Tables:
        """The tables of settings as they are given; ValueError for one that is wrong."""
        check_mapping("options", options := options or {})
        return cls(
            names_of("boxes", boxes),
            whole_number("players", players),
            setup,
            names_of("cards", cards),
            options,
            names_of("folders", folders),
            table_seed if table_seed is None else whole_number("table_seed", table_seed),
        )

    def game(self, seed: int) -> Game:
        """The table of a seed; SetupError if it cannot be set up as asked."""
        ruleset = _rules(self.boxes, self.folders)
        at = seed if self.table_seed is None else self.table_seed
        table = choose_table(ruleset, self.players, at, self.setup, self.options)
        return game_at(ruleset, with_cards(ruleset, table, self.cards) if self.cards else table)
