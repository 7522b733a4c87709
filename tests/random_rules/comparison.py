"""The games of random boxes played by two engines: what differs, and the smallest box that differs.

By hand: `python -m tests.random_rules --boxes 50 --seed 7`. It ends with 0 if the engines agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from kbrules.diagnostics import Diagnostic
from kbrules.engine.configuration import REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.engine.simulation.kernels import OutOfRoom
from kbrules.engine.simulation.playouts import Playouts
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.library.load import check_all
from kbrules.library.ruleset import Ruleset
from kbrules.tools.mutation.trial import TimeUp, within_seconds
from tests.equal.games import Pair, Tally
from tests.equal.outcomes import agree_on_outcome
from tests.equal.playthroughs import Both
from tests.equal.unequal import Unequal
from tests.random_rules.boxes import Line, RandomBox

MOST = 80
"""So many moves of a game are compared."""
PATIENCE = 60.0
"""So many seconds for a box; one that takes longer is counted, and is no difference."""


@dataclass(frozen=True, slots=True)
class RandomTable:
    """The table of a random box."""

    box: RandomBox
    ruleset: Ruleset
    table: TableSetup

    def game(self, engine: str) -> Game:
        """The game at the table."""
        return game_at(self.ruleset, self.table, engine=engine)


@dataclass
class Found:
    """What became of some boxes, and what was seen in their games."""

    became: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)

    def __str__(self) -> str:
        said = ", ".join(f"{number} {what}" for what, number in sorted(self.became.items()))
        return f"{said}; {self.tally}"


def loaded(box: RandomBox) -> tuple[Ruleset | None, list[Diagnostic]]:
    """Return the rule set of a box, and what is wrong with it."""
    with TemporaryDirectory() as folder:
        return check_all((), [box.write(Path(folder) / "anything")])


def table_of(box: RandomBox) -> RandomTable | None:
    """Return the table of a box; None if `check` refuses it."""
    ruleset, _ = loaded(box)
    return None if ruleset is None else _laid(box, ruleset)


def accepted(box: RandomBox) -> RandomTable:
    """Return the table of a box without what `check` refuses.

    A rule keeps its wording; other declarations are left out.
    """
    for _ in range(len(box.declarations)):
        ruleset, findings = loaded(box)
        if ruleset is not None:
            return _laid(box, ruleset)
        lines = {finding.span.line for finding in findings}
        box = replace(box, declarations=tuple(_without(box, lines)))
    raise AssertionError(f"nothing of it can be played:\n{box}")


def _without(box: RandomBox, lines: set[int]) -> Iterator[Line]:
    at = 1
    for declaration in box.declarations:
        length = len([*declaration.texts()]) + 1
        if not lines & {*range(at, at + length)}:
            yield declaration
        elif len(declaration.body) > 1 and declaration.body[0].form.startswith('"'):
            yield replace(declaration, body=declaration.body[:1])
        at += length


def _laid(box: RandomBox, ruleset: Ruleset) -> RandomTable:
    options = {
        name: (not value if isinstance(value, bool) else value + 1)
        for name, value in ruleset.options.items()
        if name in box.options
    }
    return RandomTable(box, ruleset, choose_table(ruleset, box.players, box.seed, options=options))


def compared(table: RandomTable, engine: str, found: Found | None = None, most: int = MOST) -> str:
    """Play the games of a box by an engine and by the reference, as far as `most` moves.

    Return what became of it. Raises `Unequal` where they differ.
    """
    found = found or Found()
    try:
        with within_seconds(PATIENCE):
            became = _played(table, engine, found.tally, most)
    except OutOfRoom:
        became = "out of room"
    except TimeUp:
        became = "too slow"
    found.became[became] += 1
    return became


def _played(table: RandomTable, engine: str, tally: Tally, most: int) -> str:
    mine, twin, seed = table.game(engine), table.game(REFERENCE), table.box.seed
    for number in (seed, seed + 1):
        pair = Pair(mine, twin, number, tally)
        pair.play(most)
        Both(Playthrough(twin, number, engine), twin).play(most)
    if not pair.after.is_over:
        return "cut off"
    agree_on_outcome(Playouts(twin, engine), twin, seed)
    return "played"


def difference(box: RandomBox, engine: str, most: int = MOST) -> str:
    """Return what kind of difference a box shows; empty if it shows none."""
    try:
        table = table_of(box)
        if table is not None:
            compared(table, engine, most=most)
    except Unequal as found:
        return f"unequal {found.what.split(' after ')[0].split(' of ')[0]}"
    except Exception as error:
        return type(error).__name__
    return ""
