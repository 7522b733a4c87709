"""Names in a scenario: hexes, pieces, tiles, cards, players, rules; unknown ones are found here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.game.board import Board
from kbrules.game.things import Catalog
from kbrules.hex.masks import Mask, of
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.case import Case
from kbrules.text import Span

__all__ = ["NOBODY", "PLAYERS", "TURN", "Names", "unknown"]

PLAYERS = "abcdef"
NOBODY = "nobody"
TURN = "turn"  # what the move that ends the turn belongs to
_LISTED = 12


def unknown(noun: str, id: str, known: Iterable[str], span: Span) -> Diagnostic:
    """The finding about an id that names nothing."""
    names = sorted(known)
    near = suggest(id, names)
    if near:
        help = f"did you mean {quoted(near)}?"
    elif 0 < len(names) <= _LISTED:
        help = "there is " + ", ".join(quoted(name) for name in names)
    else:
        help = "name the box that brings it under `with`" if names else ""
    return Diagnostic("KB413", span, f"there is no {noun} {quoted(id)}", help)


class Names:
    """Looks names up for one scenario, and collects what is wrong with them in `findings`.

    What is not found is -1.
    """

    def __init__(self, case: Case, ruleset: Ruleset, players: int) -> None:
        self.case = case
        self.findings: list[Diagnostic] = []
        self.players = players
        self._ruleset = ruleset
        self._catalog: Catalog = ruleset.catalog

    def report(self, code: str, span: Span, message: str, help: str = "") -> None:
        """Add a finding."""
        self.findings.append(Diagnostic(code, span, message, help))

    def hex(self, board: Board, name: str, span: Span) -> int:
        """The index of a hex."""
        try:
            return board.grid.index(name)
        except ValueError as error:
            self.report("KB506", span, str(error))
            return -1

    def hexes(self, board: Board, names: Sequence[str], *loc: str | int) -> Mask | None:
        """The set of the hexes in a list of names; None if one of them is unknown."""
        found = [self.hex(board, name, self.case.span(*loc, i)) for i, name in enumerate(names)]
        return None if -1 in found else of(found)

    def piece(self, id: str, span: Span) -> int:
        """The index of a kind of piece."""
        return self._index("piece", id, [piece.id for piece in self._catalog.pieces], span)

    def tile(self, id: str, span: Span) -> int:
        """The index of a kind of tile."""
        return self._index("tile", id, [tile.id for tile in self._catalog.tiles], span)

    def card(self, name: str, span: Span) -> int:
        """The index of a terrain card."""
        deck = range(len(self._catalog.deck))
        return self._index("terrain card", name, [self._catalog.card_name(i) for i in deck], span)

    def cards(self, names: Sequence[str], *loc: str | int) -> tuple[int, ...]:
        """The indexes of a list of terrain cards."""
        found = [self.card(name, self.case.span(*loc, i)) for i, name in enumerate(names)]
        return tuple(card for card in found if card >= 0)

    def rule(self, id: str, span: Span) -> str:
        """The name of a rule that offers something, or of the end of the turn."""
        known = {TURN, *(rule.id for rule in self._ruleset.rules)}
        if id in known:
            return id
        self.findings.append(unknown("rule", id, known, span))
        return ""

    def player(self, letter: str, span: Span) -> int:
        """The seat of a player."""
        seat = PLAYERS.index(letter)
        if seat < self.players:
            return seat
        last = PLAYERS[self.players - 1]
        message = f"there is no player {quoted(letter)} among {self.players}"
        self.report("KB413", span, message, f"the players are `a` to `{last}`; see `players`")
        return -1

    def memory(self, id: str, scope: str, span: Span) -> int:
        """The slot of a memory of the table, or of a player."""
        known = {
            name: slot for name, (of, slot) in self._ruleset.memories.items()
            if (of == "table") == (scope == "table")
        }  # fmt: skip
        if id in known:
            return known[id]
        self.findings.append(unknown(f"memory of a {scope}", id, known, span))
        return -1

    def _index(self, noun: str, id: str, known: list[str], span: Span) -> int:
        if id in known:
            return known.index(id)
        self.findings.append(unknown(noun, id, known, span))
        return -1
