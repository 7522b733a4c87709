"""What pays at the end, counted hex by hex."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.oracle.geometry import Cell, areas, neighbours, touched
from tests.oracle.picture import Picture


def score(picture: Picture, rule: str, player: int) -> int:
    """The gold of one card, or of the castles, for one player."""
    return SCORES[rule](picture, player)


def castles(p: Picture, me: int) -> int:
    return sum(3 for castle in p.ground.of("castle") if p.touches(me, castle))


def fishermen(p: Picture, me: int) -> int:
    barred = ("water", "mountain") if p.options["barred_from_both"] else ("water",)
    return _next_to_but_not_on(p, me, "water", barred)


def miners(p: Picture, me: int) -> int:
    if p.options["barred_from_both"]:
        return _next_to_but_not_on(p, me, "mountain", ("water", "mountain"))
    barred = () if p.options["miners_on_mountains"] else ("mountain",)
    return _next_to_but_not_on(p, me, "mountain", barred)


def _next_to_but_not_on(p: Picture, me: int, terrain: str, barred: tuple[str, ...]) -> int:
    kind = p.ground.kind
    return sum(
        kind[cell] not in barred and any(kind[near] == terrain for near in neighbours(cell))
        for cell in p.own(me)
    )


def merchants(p: Picture, me: int) -> int:
    linked: set[Cell] = set()
    for area in areas(p.own(me)):
        sites = touched(area) & set(p.special())
        if len(sites) >= 2:
            linked |= sites
    return 4 * len(linked)


def discoverers(p: Picture, me: int) -> int:
    return len({row for row, _ in p.own(me)})


def hermits(p: Picture, me: int) -> int:
    return len(areas(p.own(me)))


def citizens(p: Picture, me: int) -> int:
    return max((len(area) for area in areas(p.own(me))), default=0) // 2


def workers(p: Picture, me: int) -> int:
    near = touched(p.special())
    return sum(cell in near for cell in p.own(me))


def knights(p: Picture, me: int) -> int:
    return 2 * max(Counter(row for row, _ in p.own(me)).values(), default=0)


def in_sectors(p: Picture, player: int) -> list[int]:
    counted = Counter(p.ground.sector.get(cell) for cell in p.own(player))
    return [counted[sector] for sector in range(4)]


def lords(p: Picture, me: int) -> int:
    gold = 0
    for sector in range(4):
        counts = [in_sectors(p, player)[sector] for player in range(p.players)]
        ranks = sorted(set(counts), reverse=True)
        if counts[me] == 0 and not p.options["lords_rank_zero"]:
            continue
        if counts[me] == ranks[0]:
            gold += 12
        elif counts[me] == ranks[1]:
            gold += 6
    return gold


def farmers(p: Picture, me: int) -> int:
    return 3 * min(in_sectors(p, me))


SCORES: dict[str, Callable[[Picture, int], int]] = {
    each.__name__: each
    for each in (
        castles, fishermen, miners, merchants, discoverers, hermits, citizens, workers, knights,
        lords, farmers,
    )
}  # fmt: skip
