"""Rules with a fault planted in them, played in every way: what nobody wrote is played alike, too.

By hand: `python -m tests.equal.faulty --faults 50 --seed 7`. It ends with 0 if the ways agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from kbrules.engine.configuration import PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import play_to_end, random_bot
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.engine.simulation.playouts import Playouts
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.load import with_declaration_replaced
from kbrules.library.ruleset import Ruleset
from kbrules.tools.mutation.faults import Fault
from kbrules.tools.mutation.trial import MutatedDeclaration, TimeUp, build_corpus, within_seconds
from kbrules.tools.testing import Request
from tests.equal.games import agree, facts
from tests.equal.playthroughs import by_chance
from tests.equal.unequal import Unequal
from tests.source_tree import ROOT

RULES = (
    ROOT / "rules",
    *(ROOT / "tests" / "house" / name / "rules" for name in ("dale", "fair")),
)
PATIENCE = 60.0
"""So many seconds for the games of a fault: some make games that do not end."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A fault, and the table at which it is tried; `ruleset` is None if it does not load."""

    seed: int
    fault: Fault
    table: TableSetup | None
    ruleset: Ruleset | None

    def game(self, engine: str) -> Game:
        """The game at the table."""
        assert self.ruleset is not None and self.table is not None
        return game_at(self.ruleset, self.table, engine=engine)

    def __str__(self) -> str:
        fault = self.fault
        return (
            f"seed {self.seed}: {fault.name}: {fault.was!r} -> {fault.now!r}; {self.table}\n"
            f"again: python -m tests.equal.faulty --faults 1 --seed {self.seed}"
        )


@lru_cache(maxsize=4)
def subjects(paths: tuple[Path, ...] = RULES) -> tuple[MutatedDeclaration, ...]:
    """The declarations in which faults are planted."""
    return tuple(each for each in build_corpus(Request(paths)).subjects if each.faults())


def trial_of(seed: int, paths: tuple[Path, ...] = RULES) -> Trial:
    """The fault of a seed; what it is planted in lies on the table if it is a card."""
    random = Random(seed, "faults")
    subject = random.choice(subjects(paths))
    fault = random.choice(subject.faults())
    loaded = subject.cache.loaded
    assert loaded is not None
    ruleset = with_declaration_replaced(loaded, fault.declaration, fault.changed)
    if ruleset is None:
        return Trial(seed, fault, None, None)
    least, most = ruleset.parts.players
    table = choose_table(ruleset, max(least, min(most, 2 + random.below(2))), seed)
    kind, _, name = fault.name.partition(" ")
    if kind == "card" and table.cards:
        table = replace(table, cards=tuple(dict.fromkeys((name, *table.cards[1:]))))
    return Trial(seed, fault, table, ruleset)


def compared(seed: int, paths: tuple[Path, ...] = RULES) -> bool:
    """Play the game of a seed under a fault in every way; whether there was one to be played.

    Raises `Unequal` where two ways differ. It is none if the fault does not load, if its games do
    not end, or if pieces of two players come to lie on one hex: of those nothing is promised.
    """
    trial = trial_of(seed, paths)
    if trial.ruleset is None:
        return False
    try:
        with within_seconds(PATIENCE):
            return _agree(trial)
    except TimeUp:
        return False
    except Unequal as found:
        found.where = str(trial)
        raise
    except Exception as error:
        error.add_note(str(trial))
        raise


def _agree(trial: Trial) -> bool:
    game, twin, seed = trial.game(PYTHON), trial.game(REFERENCE), trial.seed
    bots = [random_bot] * game.players
    end = play_to_end(twin, seed, bots)
    if _share_a_hex(end):
        return False
    playouts = Playouts(game, PYTHON)
    play_to_end(game, seed + 1, bots)  # after a game everything that is made late is made
    agree("the ends of a game by states", facts(play_to_end(game, seed, bots)), facts(end))
    place = by_chance(game.playthrough(seed))
    agree("the ends of a game in place", facts(place.state), facts(end))
    agree("outcomes", place.outcome(), playouts(seed))
    return True


def _share_a_hex(state: State) -> bool:
    return any(one.all & two.all for one, two in combinations(state.seats, 2))


if __name__ == "__main__":
    from tests.equal.by_hand import plant

    plant()
