"""Random positions of the real game, for the engine and the twin alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at
from kbrules.game.state import State
from kbrules.library.boards.tables import Layout
from tests.oracle.geometry import neighbours
from tests.oracle.ground import BUILDABLE, Ground, box, lay
from tests.oracle.picture import Picture
from tests.oracle.seen import picture_of, rules
from tests.oracle.standing import SUPPLY, Wanted, lay_out

CARDS = tuple(sorted(rules().catalog.cards))


@lru_cache(maxsize=64)
def _game(layout: Layout, players: int, cards: tuple[str, ...], options: tuple[str, ...]) -> Game:
    changed = {name: not rules().options[name] for name in options}
    return game_at(rules(), TableSetup(players, layout, cards, changed))


def table(
    layout: Layout, players: int, cards: tuple[str, ...] = CARDS, *changed: str
) -> tuple[Game, TableSetup]:
    """A game; `changed` are the options that are not as usual."""
    options = {name: not rules().options[name] for name in changed}
    return _game(layout, players, cards, changed), TableSetup(players, layout, cards, options)


def layouts() -> st.SearchStrategy[Layout]:
    """Any four sections, turned or not."""
    sections = st.permutations(sorted(box())).map(lambda each: each[:4])
    turns = st.tuples(*[st.booleans()] * 4)
    return st.builds(_laid, sections, turns)


def _laid(sections: list[str], turns: tuple[bool, ...]) -> Layout:
    a, b, c, d = zip(sections, turns, strict=True)
    return Layout(((a, b), (c, d)))


@dataclass(frozen=True, repr=False)
class Drawn:
    """A position with its game; its picture and turn before the rules have looked at it."""

    game: Game
    table: TableSetup
    state: State
    picture: Picture
    turn: int
    seed: int

    def __repr__(self) -> str:
        return f"{self.table.layout} {dict(self.table.options)}: {self.picture}"


@st.composite
def positions(draw: st.DrawFn, cards: tuple[str, ...] = CARDS) -> Drawn:
    """Crowded and empty boards, with pieces on water and mountains too, and tiles in hand.

    Hypothesis draws what matters and a seed; the seed scatters the pieces.
    """
    layout, players = draw(layouts()), draw(st.integers(2, 4))
    switches = (
        "lift_first", "null_moves", "lords_rank_zero", "build_without_card",
        "barred_from_both", "miners_on_mountains",
    )  # fmt: skip
    changed = tuple(name for name in switches if draw(st.integers(0, 3)) == 0)
    game, described = table(layout, players, cards, *changed)
    seed = draw(st.integers(0, 2**32))
    random = Random(seed)
    ground = lay(layout.rows)
    wanted = Wanted(active=random.randrange(players), round=random.randrange(20))
    counts = [draw(st.sampled_from([0, 1, 3, 8, 15, 25, 37, 39, 40])) for _ in range(players)]
    _scatter(
        wanted, ground, counts, draw(st.booleans()), draw(st.sampled_from([0, 0.5, 1])), random
    )
    full = _fill_terrain(wanted, ground, random)
    _hand_out(wanted, ground, random)
    _deal(wanted, players, full, random)
    draft = lay_out(game, wanted)
    picture = picture_of(game, described, draft)
    turn = draft.stage[1]
    return Drawn(game, described, game.run_to_decision(draft), picture, turn, seed)


def _scatter(
    wanted: Wanted, ground: Ground, counts: list[int], wet: bool, together: float, random: Random
) -> None:
    """Pieces anywhere, or in clumps around places and each other."""
    kinds = (*BUILDABLE, "water", "mountain") if wet else BUILDABLE
    open_ = ground.of(*kinds)
    for player, count in enumerate(counts):
        anchors = [*ground.of("location", "castle")]
        for _ in range(count):
            cell = random.choice(open_)
            if random.random() < together:
                cell = random.choice(sorted(neighbours(random.choice(anchors))))
            if cell not in wanted.pieces and ground.kind[cell] in kinds:
                wanted.pieces[cell] = player
                anchors.append(cell)


def _fill_terrain(wanted: Wanted, ground: Ground, random: Random) -> str | None:
    """Now and then a terrain all but full, so that cards die; as far as the pieces reach."""
    if random.random() < 0.6:
        return None
    left = [SUPPLY] * 4
    for owner in wanted.pieces.values():
        left[owner] -= 1
    players = 1 + max(wanted.pieces.values(), default=0)
    terrain = random.choice(BUILDABLE)
    free = [c for c in ground.of(terrain) if c not in wanted.pieces]
    for cell in free[: len(free) - random.choice([0, 0, 1, 2])]:
        able = [player for player in range(players) if left[player]]
        if able:
            player = random.choice(able)
            left[player] -= 1
            wanted.pieces[cell] = player
    return terrain


def _hand_out(wanted: Wanted, ground: Ground, random: Random) -> None:
    """Tiles in the hands of those whose pieces touch the place; some places are empty."""
    for place, kind in ground.tile.items():
        touching = {wanted.pieces[c] for c in neighbours(place) if c in wanted.pieces}
        beside = sorted(touching)
        random.shuffle(beside)
        for player in beside[:2]:
            status = random.choice(["ready", "ready", "ready", "used", "fresh"])
            if player != wanted.active and status == "used":
                status = "ready"
            wanted.tiles.append((player, kind, place, status))
        for _ in range(2 - len(beside[:2])):
            if random.random() < 0.2:
                wanted.taken.append(place)


def _deal(wanted: Wanted, players: int, full: str | None, random: Random) -> None:
    """Cards in hands and piles; sometimes there is none left anywhere."""
    cards = [terrain for terrain in BUILDABLE for _ in range(5)]
    random.shuffle(cards)
    cards.sort(key=lambda terrain: terrain == full and random.random() < 0.5)
    wanted.shown = cards.pop()
    for player in range(players):
        if player != wanted.active:
            wanted.hands[player] = cards.pop()
    gone, away = random.choice([(0, 0), (0, 10), (5, 10), (10, 15), (0, 24), (24, 0)])
    wanted.removed = Counter(cards[:gone])
    wanted.discards = Counter(cards[gone : gone + away])
    if gone == 24 and random.random() < 0.5:
        wanted.removed[wanted.shown] += 1
        wanted.shown = None
