"""The resolver of names in a scenario: hexes, pieces, tiles, cards, players, rules and moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.game.board import Board
from kbrules.game.catalog import Catalog
from kbrules.game.move_text import MoveTextError, move_text_errors
from kbrules.hex.masks import Mask, mask_of
from kbrules.library.boards.cells import OWNERS
from kbrules.library.ruleset import TURN, Ruleset
from kbrules.library.yaml import Loc
from kbrules.scenario.format.reader import Scenario, Where
from kbrules.text import Span

PLAYERS = OWNERS
NOBODY, TABLE = "nobody", "table"
TOTAL, GAINED = "total", "gained"  # gold that no one rule pays
MAX_FINDINGS = 100  # of one scenario
_MAX_LISTED = 12


def unknown_name(noun: str, id: str, known: Collection[str], span: Span) -> Diagnostic:
    """The finding about an id that names nothing."""
    names = sorted(known)
    listed = "name the box that brings it under `with`" if names else "there is none at all"
    if 0 < len(names) <= _MAX_LISTED:
        listed = "there is " + ", ".join(map(quoted, names))
    message = f"there is no {noun} {quoted(id)}"
    return Diagnostic("KB413", span, message, did_you_mean(id, names, listed))


class NameResolver:
    """Resolves the names of one scenario, and collects what is wrong with them in `findings`.

    An unknown name gives -1 or an empty text; to resolve it again adds no second finding.
    """

    def __init__(self, scenario: Scenario, ruleset: Ruleset, players: int) -> None:
        self.scenario = scenario
        self.players = players
        self._ruleset = ruleset
        self._catalog: Catalog = ruleset.catalog
        self._findings: dict[Diagnostic, None] = {}

    @property
    def findings(self) -> list[Diagnostic]:
        """All findings, the first `MAX_FINDINGS` of them, sorted."""
        return sorted(self._findings)

    def add(self, *findings: Diagnostic) -> None:
        """Add findings, each once."""
        for each in findings:
            if len(self._findings) < MAX_FINDINGS:
                self._findings[each] = None

    def report(self, code: str, span: Span, message: str, help: str = "") -> None:
        """Add a finding."""
        self.add(Diagnostic(code, span, message, help))

    def report_unknown(self, noun: str, id: str, known: Collection[str], where: Where) -> None:
        """Add the finding about an id that names nothing."""
        if len(self._findings) < MAX_FINDINGS:  # a suggestion takes long
            self.add(unknown_name(noun, id, known, where()))

    def hex(self, board: Board, name: str, where: Where) -> int:
        """The index of a hex."""
        try:
            return board.grid.index(name)
        except ValueError as error:
            self.report("KB506", where(), str(error))
            return -1

    def hexes(self, board: Board, names: Sequence[str], *loc: str | int) -> Mask | None:
        """The set of the hexes in a list of names; None if one of them is unknown."""
        where = self.scenario.where
        indexes = [self.hex(board, name, where(*loc, i)) for i, name in enumerate(names)]
        return None if -1 in indexes else mask_of(indexes)

    def piece(self, id: str, where: Where) -> int:
        """The index of a kind of piece."""
        return self._index("piece", id, [piece.id for piece in self._catalog.pieces], where)

    def tile(self, id: str, where: Where) -> int:
        """The index of a kind of tile."""
        return self._index("tile", id, [tile.id for tile in self._catalog.tiles], where)

    def number(self, id: str, where: Where) -> str:
        """The name of a number of the boxes."""
        return self._known("number", id, self._catalog.numbers, where)

    def card(self, name: str, where: Where) -> int:
        """The index of a terrain card, its terrains in any order."""
        card = self._catalog.card_named(name)
        if card is None:
            self.report_unknown("terrain card", name, self._ruleset.move_words.cards, where)
            return -1
        return card

    def cards(self, names: Sequence[str], *loc: str | int) -> tuple[int, ...]:
        """The indexes of a list of terrain cards."""
        indexes = [self.card(name, self.scenario.where(*loc, i)) for i, name in enumerate(names)]
        return tuple(card for card in indexes if card >= 0)

    def scoring_cards(self, names: Sequence[str], *loc: str | int) -> Mask:
        """The bits of a list of scoring cards of the table."""
        known = list(self.scenario.model.cards)
        indexes = [
            self._index("card", name, known, self.scenario.where(*loc, i))
            for i, name in enumerate(names)
        ]
        return mask_of(self._catalog.cards.index(known[at]) for at in indexes if at >= 0)

    def rule(self, id: str, where: Where) -> str:
        """The name of a rule that offers something, or of the end of the turn."""
        return self._known("rule", id, {TURN, *(rule.id for rule in self._ruleset.rules)}, where)

    def choice(self, id: str, where: Where) -> str:
        """The name of a rule, or of a terrain to choose."""
        return self._known("rule", id, self._ruleset.move_words.rules or (), where)

    def verb(self, word: str, where: Where) -> str:
        """The verb of a move."""
        return self._known("verb", word, self._ruleset.move_words.verbs or (), where)

    def scoring_rule(self, id: str, cards: Sequence[str], where: Where) -> str:
        """The name of a rule, or of one of the cards in play, that pays gold at the end."""
        owners = self._ruleset.owners.values()
        unknown = set(cards) - set(self._catalog.cards)
        if unknown:  # one of them may have been meant for this
            cards = self._catalog.cards
        scoring = [
            o.rule.id for o in owners if o.rule.awards and (o.card < 0 or o.rule.id in cards)
        ]
        known = [TOTAL, GAINED, *scoring, *unknown]
        return self._known("rule or card in play that pays gold:", id, known, where)

    def player(self, letter: str, where: Where) -> int:
        """The seat of a player."""
        seat = PLAYERS.index(letter)
        if seat < self.players:
            return seat
        last = PLAYERS[self.players - 1]
        message = f"there is no player {quoted(letter)} among {self.players}"
        self.report("KB413", where(), message, f"the players are `a` to `{last}`; see `players`")
        return -1

    def memory(self, id: str, scope: str, where: Where) -> int:
        """The slot of a memory of the table, or of a player."""
        known = {
            name: slot for name, (of, slot) in self._ruleset.memories.items()
            if (of == TABLE) == (scope == TABLE)
        }  # fmt: skip
        return known.get(self._known(f"memory of a {scope}", id, known, where), -1)

    def move(self, board: Board | None, text: str, loc: Loc) -> None:
        """Check the words of a move; a finding marks its word where that is possible."""
        grid = None if board is None else board.grid
        for error in move_text_errors(text, grid, self._ruleset.move_words):
            self.report(error.code, self._span_of(error, text, loc), error.message, error.help)

    def _span_of(self, error: MoveTextError, text: str, loc: Loc) -> Span:
        """Where a wrong word of a move is written; the whole move if that is unknown."""
        lines = self.scenario.document.line_spans(self.scenario.loc(loc))
        is_exact = len(lines) == 1 and lines[0].text == text
        if not is_exact or error.end - error.start >= len(text):
            return self.scenario.span(*loc)
        start = lines[0].start
        return lines[0].source.span(start + error.start, start + error.end)

    def _index(self, noun: str, id: str, known: list[str], where: Where) -> int:
        return known.index(id) if self._known(noun, id, known, where) else -1

    def _known(self, noun: str, id: str, known: Collection[str], where: Where) -> str:
        """The id if it is known; else a finding, and an empty text."""
        if id in known:
            return id
        self.report_unknown(noun, id, known, where)
        return ""
