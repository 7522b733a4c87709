"""What holds of a hex and a piece in a game of mixed boxes, said a second time, in Python."""

from __future__ import annotations

from collections.abc import Callable

from kbrules.engine.game import Game
from kbrules.game.state import FRESH, State
from kbrules.hex.sets import Mask, bits

Neighbourhood = Callable[["Ground", State, int, Mask], Mask]


def village(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    mine = state.seats[player].all
    found = (h for h in bits(land & ground.around(mine)) if (ground.near[h] & mine).bit_count() > 2)
    return sum(1 << hex for hex in found)


def fountain(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    """Exactly one of one's own and none of others; on mountains with the bonus."""
    if ground.holds(state, player, "fountain_bonus"):
        land |= ground.of["mountain"]
    mine = state.seats[player].all
    land &= ground.around(mine) & ~ground.around(ground.theirs(state, player))
    return sum(1 << h for h in bits(land) if (ground.near[h] & mine).bit_count() == 1)


def scout_cabin(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    in_chain = ground.option("scouts_in_chain")
    mine = state.seats[player].all if in_chain else ground.lasting(state, player)
    return (land | ground.of["water"] | ground.of["mountain"]) & ground.around(mine)


def city_hall(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    return land if ground.option("halls_off_table") else land & ground.grid.part()


def next_to_own(ground: Ground, state: State, player: int, land: Mask) -> Mask:
    return land & ground.around(state.seats[player].all)


NEIGHBOURHOODS: dict[str, Neighbourhood] = {
    "tower": lambda ground, state, player, land: land & ground.grid.edge(),
    "village": village,
    "city_hall": city_hall,
    "fountain": fountain,
    "scout_cabin": scout_cabin,
    "farm_action": next_to_own,
    "silos": next_to_own,
    "water_mill": lambda ground, state, player, land: land & ground.around(ground.of["water"]),
    "mountain_station": lambda g, state, player, land: land & g.around(g.of["mountain"]),
    "university": lambda ground, state, player, land: land & ground.around(ground.special),
    "watchtower": lambda g, state, player, land: land & g.around(g.theirs(state, player)),
}


PLAIN = {
    "farm": "grass", "oasis": "desert", "garden": "flower", "foresters_lodge": "forest",
    "monastery": "canyon", "rope_bridge": "canyon", "tree_house": "forest",
    "harbor": "water", "lighthouse": "water", "donation_grass": "grass",
    "donation_canyon": "canyon", "donation_desert": "desert", "donation_flower": "flower",
    "donation_forest": "forest", "donation_water": "water", "donation_mountain": "mountain",
    "farm_action": "farmland",
}  # fmt: skip
BY_CARD = {"mandatory", "oracle", "barn", "quarry", "cathedral"}
EITHER = {"canoe": ("swamp", "water"), "canoe_bonus": ("swamp", "water")}
"""Actions for which a player settles upon one of two terrains before anything else."""
ANYWHERE = {
    "tower", "tavern", "paddock", "caravan", "village", "resettlement", "barracks", "city_hall",
    "cave_walk", "refuge", "refuge_bonus", "palisade", "silos", "water_mill", "mountain_station",
    "watchtower", "university", "fountain", "scout_cabin",
}  # fmt: skip
FREELY = {
    "paddock", "caravan", "resettlement", "cave_walk", "city_hall", "lighthouse", "wagon_yard",
    "refuge", "refuge_bonus", "palisade", "silos", "farm_action", "scout_cabin",
}  # fmt: skip
"""Actions whose moves need not keep to the player's own pieces, or do so in a way of their own."""
GROUND = ("grass", "canyon", "desert", "flower", "forest", "swamp", "farmland")


class Ground:
    """The board of a game, with masks that do not change."""

    def __init__(self, game: Game) -> None:
        board, catalog = game.board, game.ruleset.catalog
        self.game, self.grid = game, board.grid
        self.of = {kind.id: board.kinds[i] for i, kind in enumerate(catalog.hexes)}
        self.special = board.tagged["special"]
        self.buildable = sum(self.of.get(terrain, 0) for terrain in GROUND)
        self.near = {hex: board.grid.neighbours(1 << hex) for hex in bits(board.grid.full)}
        names = [piece.id for piece in catalog.pieces]
        self.warrior = names.index("warrior") if "warrior" in names else -1
        self.scout = names.index("scout") if "scout" in names else -1
        self.tiles = [tile.id for tile in catalog.tiles]
        self.options = {**game.ruleset.options, **game.options}
        self.first_caves = self._first_caves()

    def option(self, name: str) -> bool:
        """An option, off where its box is not loaded."""
        return bool(self.options.get(name, False))

    def _first_caves(self) -> Mask:
        barring = self.special
        if not self.option("any_place_bars_caves"):
            barring &= ~(self.of.get("palace", 0) | self.of.get("silo", 0))
        around = self.grid.neighbours(barring) | barring
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

    def lasting(self, state: State, player: int) -> Mask:
        """The pieces of a player that do not leave at the end of the turn."""
        seat = state.seats[player]
        return seat.all & ~seat.pieces[self.scout] if self.scout >= 0 else seat.all

    def theirs(self, state: State, player: int) -> Mask:
        """The pieces of all others."""
        return sum(seat.all for index, seat in enumerate(state.seats) if index != player)

    def holds(self, state: State, player: int, tile: str) -> bool:
        """Whether a player has a tile since an earlier turn."""
        tiles = state.seats[player].tiles
        return any(self.tiles[each.kind] == tile and each.status != FRESH for each in tiles)

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

    def lands(self, state: State, rule: str, player: int, is_wagon: bool = False) -> list[Mask]:
        """The ground of an action, whoever is near; one for each terrain it may settle upon."""
        if is_wagon:
            return [self.buildable | self.of["mountain"]]
        if rule in EITHER:
            return [self.of[terrain] for terrain in EITHER[rule]]
        if rule in BY_CARD:
            return self.shown(state)
        if rule == "fort":
            return [self._terrain(state.revealed)] if state.revealed >= 0 else []
        if rule in PLAIN:
            land = self.of[PLAIN[rule]]
        else:
            assert rule in ANYWHERE, f"nothing is known of {rule}"
            land = self.buildable
        nearby = NEIGHBOURHOODS.get(rule)
        return [land if nearby is None else nearby(self, state, player, land)]

    def shown(self, state: State) -> list[Mask]:
        """The terrain chosen of the cards laid open, or what may serve in their place."""
        if not state.shown:
            return [self.buildable] if self.option("build_without_card") else []
        if state.choice >= 0:
            return [self.game.board.kinds[state.choice]]
        deck, kinds = self.game.ruleset.catalog.deck, self.game.board.kinds
        terrains = {terrain for card in state.shown for terrain in deck[card].terrains}
        there = [kinds[terrain] for terrain in terrains if kinds[terrain]]
        return there if len(there) == 1 else []

    def _terrain(self, card: int) -> Mask:
        kinds = self.game.board.kinds
        return sum(kinds[terrain] for terrain in self.game.ruleset.catalog.deck[card].terrains)
