"""What holds of a hex and a piece in a game of mixed boxes, said a second time, in Python.

Nothing here asks the rules; only the board, the state and the grid's neighbours are used.
"""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game.state import Seat, State
from kbrules.hex.masks import Mask, bits

BUILDABLE = ("grass", "canyon", "desert", "flower", "forest", "farmland")
PLAIN = {
    "farm_action": "farmland",
    "farm": "grass", "oasis": "desert", "garden": "flower", "foresters_lodge": "forest",
    "monastery": "canyon", "rope_bridge": "canyon", "tree_house": "forest",
    "harbor": "water", "lighthouse": "water", "donation_grass": "grass",
    "donation_canyon": "canyon", "donation_desert": "desert", "donation_flower": "flower",
    "donation_forest": "forest", "donation_water": "water", "donation_mountain": "mountain",
}  # fmt: skip
BY_CARD = {"mandatory", "oracle", "barn", "quarry", "cathedral"}
ANYWHERE = {
    "tower", "tavern", "paddock", "caravan", "village", "resettlement", "barracks", "city_hall",
    "cave_walk", "palisade", "silos",
}  # fmt: skip
BESIDE = {"water_mill": "water", "mountain_station": "mountain"}
FREELY = {
    "paddock", "caravan", "resettlement", "cave_walk", "city_hall", "lighthouse", "wagon_yard",
    "palisade", "silos",
}  # fmt: skip
"""Actions whose moves need not keep to the player's own pieces, or do so in a way of their own."""


class Ground:
    """The board of a game, with masks that do not change."""

    def __init__(self, game: Game) -> None:
        board, catalog = game.board, game.ruleset.catalog
        self.game, self.grid = game, board.grid
        self.of = {kind.id: board.kinds[i] for i, kind in enumerate(catalog.hexes)}
        self.special = board.tagged["special"]
        self.buildable = sum(self.of[kind] for kind in BUILDABLE if kind in self.of)
        self.near = {hex: board.grid.neighbours(1 << hex) for hex in bits(board.grid.full)}
        names = [piece.id for piece in catalog.pieces]
        self.warrior = names.index("warrior") if "warrior" in names else -1
        self.options = {**game.ruleset.options, **game.options}
        self.first_caves = self._first_caves()

    def option(self, name: str) -> bool:
        """An option, off where its box is not loaded."""
        return bool(self.options.get(name, False))

    def _first_caves(self) -> Mask:
        around = self.grid.neighbours(self.special) | self.special
        far = self.of["mountain"] & ~(around | self.grid.neighbours(around))
        return sum((far & sector) & -(far & sector) for sector in self.game.board.sectors)

    def caves(self, state: State) -> Mask:
        """The caves; none where the box is not loaded."""
        if "caves" not in self.game.ruleset.boxes:
            return 0
        if not self.option("caves_chosen"):
            return self.first_caves
        return state.memory[self.game.ruleset.memories["chosen_caves"][1]]

    def around(self, mask: Mask) -> Mask:
        """All hexes next to one of some hexes."""
        found = 0
        for hex in bits(mask):
            found |= self.near[hex]
        return found

    def zones(self, state: State) -> Mask:
        """The hexes next to a warrior."""
        if self.warrior < 0:
            return 0
        warriors = 0
        for seat in state.seats:
            warriors |= seat.pieces[self.warrior]
        return self.around(warriors) if warriors else 0

    def free(self, state: State) -> Mask:
        """The hexes where a piece may come."""
        closed = state.occupied | self.special | self.zones(state)
        if self.option("caves_occupied"):
            closed |= self.caves(state)
        return self.grid.full & ~closed

    def lands(self, state: State, rule: str, is_wagon: bool = False) -> list[Mask]:
        """The terrain of an action, whoever is near; one for each card that may be followed."""
        if is_wagon:
            return [self.buildable | self.of["mountain"]]
        if rule in PLAIN:
            return [self.of[PLAIN[rule]]]
        if rule in BY_CARD:
            return self.shown(state)
        if rule == "fort":
            return [self._terrain(state.revealed)] if state.revealed >= 0 else []
        if rule == "scout_cabin":
            return [self.buildable | self.of["water"] | self.of["mountain"]]
        if rule in (*BESIDE, "university", "watchtower"):
            return [self.buildable & self.around(self._sought(state, rule))]
        assert rule in ANYWHERE, f"nothing is known of {rule}"
        if rule == "city_hall" and not self.option("halls_off_table"):
            return [self.buildable & self.grid.part()]
        return [self.buildable & self.grid.edge() if rule == "tower" else self.buildable]

    def _sought(self, state: State, rule: str) -> Mask:
        """What an action must be beside."""
        if rule in BESIDE:
            return self.of[BESIDE[rule]]
        others = (seat.all for player, seat in enumerate(state.seats) if player != state.active)
        return self.special if rule == "university" else sum(others)

    def lasting(self, seat: Seat) -> Mask:
        """The pieces of a player that do not leave with the turn."""
        names = [piece.id for piece in self.game.ruleset.catalog.pieces]
        return seat.all & ~(seat.pieces[names.index("scout")] if "scout" in names else 0)

    def marked(self, seat: Seat) -> int:
        """The rows a player has marked, each with a settlement of the supply."""
        slot = self.game.ruleset.memories.get("marked")
        return 0 if slot is None else seat.memory[slot[1]].bit_count()

    def shown(self, state: State) -> list[Mask]:
        """The terrain chosen of the cards laid open, or what may serve in their place."""
        if not state.shown:
            return [self.buildable] if self.option("build_without_card") else []
        if state.choice >= 0:
            return [self.game.board.kinds[state.choice]]
        lands = {self._terrain(card) for card in state.shown}
        return list(lands) if len(lands) == 1 else []

    def _terrain(self, card: int) -> Mask:
        kinds = self.game.board.kinds
        return sum(kinds[terrain] for terrain in self.game.ruleset.catalog.deck[card].terrains)
