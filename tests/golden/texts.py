"""Moves, offers, events, states and sheets as text, in names and not in numbers of the program.

Two engines that mean the same say the same here: hexes, pieces, tiles, cards and memories have
their names, and a state is what lies on the table and who is to move, not where the rules are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kbrules import Game, Move, MoveSet, Sheet, State
from kbrules.game.events import Event, to_json
from kbrules.hex.sets import bits
from kbrules.lang.syntax.tree import Memory

_LINE = re.compile(r"(?<=\.kb):\d+")


class Texts:
    """The names at one table, and all that is said in them."""

    def __init__(self, game: Game) -> None:
        catalog, grid = game.board.catalog, game.board.grid
        ruleset = game.ruleset
        self._hex = {hex: grid.name(hex) for hex in bits(grid.full)}
        self._index = {name: hex for hex, name in self._hex.items()}
        self._pieces = [piece.id for piece in catalog.pieces]
        self._tiles = [tile.id for tile in catalog.tiles]
        self._cards = [catalog.card_name(card) for card in range(len(catalog.deck))]
        self._terrains = [kind.id for kind in catalog.hexes]
        self._places = [self._hex[hex] for hex in game.board.places]
        self._memories = {slot: name for name, (_, slot) in ruleset.memories.items()}
        memories = (said for said in ruleset.declarations if isinstance(said, Memory))
        self._of_hexes = {said.name.text for said in memories if said.sort.text == "hexes"}
        self._seats: dict[int, tuple[Any, str]] = {}
        self._fields: Mapping[str, Callable[[Any], str]] = {
            "hex": self.hex,
            "origin": self.hex,
            "hexes": self.hexes,
            "piece": lambda piece: _name(self._pieces, piece),
            "kind": lambda kind: _name(self._tiles, kind),
            "place": lambda place: _name(self._places, place),
            "card": lambda card: _name(self._cards, card),
            "cards": self._cards_of,
            "terrain": lambda terrain: _name(self._terrains, terrain),
            "action": _rule_of,
            "slot": lambda slot: self._memories[slot],
            "forgotten": lambda slots: ",".join(sorted(self._memories[slot] for slot in slots)),
        }

    def hex(self, hex: int) -> str:
        """A hex; `-` for none."""
        return self._hex.get(hex, f"?{hex}") if hex >= 0 else "-"

    def hexes(self, mask: int) -> str:
        """A set of hexes, in board order."""
        return ",".join([self.hex(hex) for hex in bits(mask)])

    # moves

    def move(self, move: Move) -> str:
        """A move in three words: `build tavern a5`, `end turn -`, `draw - forest`."""
        verb, rule, hex = move
        last = _name(self._cards, hex) if verb == "draw" else self.hex(hex)
        return f"{verb} {rule or '-'} {last}"

    def read(self, text: str) -> Move:
        """The move of such a text; ValueError or KeyError if this table has no such thing."""
        verb, rule, last = text.split(" ")
        if verb == "draw":
            return Move(verb, "", self._cards.index(last))
        return Move(verb, "" if rule == "-" else rule, -1 if last == "-" else self._index[last])

    def offers(self, moves: MoveSet) -> str:
        """All that is offered: who decides, then a line for each group, in order."""
        lines = [f"player {moves.player}"]
        lines += [f"{group.verb} {group.rule or '-'} {self.hexes(group.hexes) or '-'}"
                  for group in moves.groups]  # fmt: skip
        weights = zip(self._cards, moves.weights, strict=False)
        lines += [f"{weight} {card}" for card, weight in weights]
        return "\n".join(lines)

    # events and states

    def event(self, event: Event) -> str:
        """An event in a line: its name and its facts."""
        facts = to_json(event)
        if "slot" in facts:
            facts["value"] = self._remembered(facts["slot"], facts["value"])
        said = [facts.pop("event")]
        for name, value in facts.items():
            text = self._fields.get(name, str)(value)
            said.append(f"{name}={text}")
        return " ".join(said)

    def state(self, state: State) -> str:
        """A position: where the game is, who is active, and the table."""
        return f"{state.stage[0]} {state.stage[1]} active {state.active}\n{self.table(state)}"

    def table(self, state: State) -> str:
        """All that events alone change."""
        stock = zip(self._places, state.stock, strict=True)
        lines = [self._seat(player, seat) for player, seat in enumerate(state.seats)]
        lines += [
            self._standing(state.neutral),
            ";".join([f"{place} {self._tiles_of(kinds)}" for place, kinds in stock]),
            str(state.piles),
            f"shown {self._cards_of(state.shown)} aside {self._cards_of(state.aside)}",
            f"chosen {_name(self._terrains, state.choice)}",
            f"revealed {_name(self._cards, state.revealed)}",
            self._memory(state.memory),
            f"ending {bool(state.ending)} used {','.join(map(_rule_of, state.used))}",
        ]
        return "\n".join(lines)

    def _seat(self, player: int, seat: Any) -> str:
        """A player's part; that of most players is the one that it was a moment ago."""
        known = self._seats.get(player)
        if known is None or known[0] is not seat:
            known = self._seats[player] = seat, self._seat_anew(seat)
        return known[1]

    def _seat_anew(self, seat: Any) -> str:
        tiles = [f"{_name(self._tiles, tile.kind)} {self.hex(tile.origin)} {tile.status}"
                 for tile in seat.tiles]  # fmt: skip
        left = zip(self._pieces, seat.supply, strict=True)
        return (
            f"{self._standing(seat.pieces)} left {','.join(f'{p} {n}' for p, n in left)} "
            f"hand {self._cards_of(seat.hand)} tiles {','.join(tiles)} "
            f"memory {self._memory(seat.memory)} gold {seat.gold}"
        )

    def _standing(self, masks: Sequence[int]) -> str:
        pairs = zip(self._pieces, masks, strict=True)
        return ";".join([f"{piece} {self.hexes(mask)}" for piece, mask in pairs if mask])

    def _memory(self, values: Sequence[int]) -> str:
        """What is remembered; what is forgotten or empty is left out."""
        said = {self._memories[slot]: self._remembered(slot, value)
                for slot, value in enumerate(values) if value}  # fmt: skip
        return ";".join(f"{name} {said[name]}" for name in sorted(said))

    def _remembered(self, slot: int, value: int) -> str:
        return self.hexes(value) if self._memories[slot] in self._of_hexes else str(int(value))

    def _cards_of(self, cards: Iterable[int]) -> str:
        return ",".join([_name(self._cards, card) for card in cards])

    def _tiles_of(self, kinds: Iterable[int]) -> str:
        return ",".join([_name(self._tiles, kind) for kind in kinds])

    # scores and refusals

    def sheet(self, sheet: Sheet) -> list[str]:
        """A score sheet, a line for each player: what each rule pays, and for which hexes.

        A rule that pays nothing is left out, whether the sheet lists it or not.
        """
        said = [self._paid(sheet, player) for player in range(len(sheet.lines))]
        return [*said, f"worths {list(sheet.win_values)} winners {list(sheet.winners)}"]

    def _paid(self, sheet: Sheet, player: int) -> str:
        paid = [f"{line.rule} {line.gold} {self.hexes(line.hexes)}".strip()
                for line in sheet.lines[player] if line.gold]  # fmt: skip
        gained, total = sheet.gained[player], sheet.totals[player]
        return "; ".join([f"player {player}", *paid, f"gained {gained}", f"total {total}"])

    def refusal(self, text: str) -> str:
        """A refusal without the numbers of lines, which any remark in a rule file moves."""
        return _LINE.sub("", text)


def _rule_of(address: str) -> str:
    """The rule that an action belongs to, without the place of the action in it."""
    return "/".join(address.split("/")[:2])


def _name(names: Sequence[str], index: int) -> str:
    """The name of a number; `-` for one that stands for nothing."""
    return names[index] if 0 <= index < len(names) else "-"
