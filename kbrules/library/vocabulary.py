"""The words that loaded boxes add to the language, and how many hexes their sets can have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import replace
from functools import partial

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.board import Board, Catalog
from kbrules.game.state import SHOWN, ZONES
from kbrules.game.view import View
from kbrules.hex.sets import LARGEST
from kbrules.lang import evaluation, typed
from kbrules.library.boards.tables import BoardParts
from kbrules.primitives import numbers
from kbrules.primitives.vocabulary import implementations, vocabulary
from kbrules.text import Span

# How many hexes sets can have at most, for words that answer for small sets only.
#
# What no rule here bounds may be as large as the board. The pieces of one player count as few: how
# many there are is a matter of the boxes, and a larger group of them is refused when it comes up.

MOST_HEXES = {"longest_way(hexes)": LARGEST}
"""The words that answer for small sets only, and how many hexes a connected group may have."""
_BOARD = 1 << 20
_PIECE = 7  # hexes of a piece: what events and steps name
_PIECES_OF_ONE = ("mine()", "mine(piece)", "pieces(player)")
_NO_LARGER = (
    "-(hexes,hexes)", "narrowed", "inside(hexes)", "mirrored(hexes)", "flipped(hexes)",
    "turned(hexes)", "linked(hexes,hexes)", "largest(groups)", "smallest(groups)", "groups(hexes)",
    "lines(hexes,range)", "parts(hexes,groups)", "linked(groups,hexes)",
)  # fmt: skip
"""Words whose sets, or each of whose groups, have no more hexes than their first argument."""
_OF_FEW = {"triangles(hexes)": 3, "rings(hexes)": 6}


def too_large_sets(rules: Iterable[typed.Rule]) -> Iterator[Diagnostic]:
    """Yield a finding for each word asked of a set that may be larger than it answers for."""
    for rule in rules:
        nodes = [*typed.nodes_in(rule)]
        calls = [each for each in nodes if type(each) is typed.Call and each.word in MOST_HEXES]
        sizes = _Sizes(_domains(nodes)) if calls else None
        for call in calls:
            most = MOST_HEXES[call.word]
            if sizes is not None and sizes.of(call.arguments[0]) > most:
                yield _too_large(call, most)


def _too_large(call: typed.Call, most: int) -> Diagnostic:
    name, of = call.word.partition("(")[0], call.arguments[0].span
    message = f"{quoted(of.one_line)} can have more than {most} hexes, too many for `{name}`"
    help_ = f"ask for less: `{name}(mine)`, or a part such as `mine & ...` or `within(here, 2)`"
    return Diagnostic("KB216", of, message, help_)


def _domains(nodes: Iterable[object]) -> Mapping[str, list[typed.Expr]]:
    """What the names run over that loops of a rule bind."""
    found: dict[str, list[typed.Expr]] = {}
    for node in nodes:
        if isinstance(node, typed.Fold | typed.Each):
            found.setdefault(node.variable, []).append(node.domain)
        elif isinstance(node, typed.Award):
            for name, domain, _ in node.loops:
                found.setdefault(name, []).append(domain)
            if node.domain is not None:
                found.setdefault(node.variable, []).append(node.domain)
    return found


class _Sizes:
    """The sizes of the sets of one rule, and of the largest group of its lists of groups."""

    def __init__(self, domains: Mapping[str, list[typed.Expr]]) -> None:
        self._domains = domains

    def of(self, expr: typed.Expr) -> int:
        """Return how many hexes a set, or one of the groups, has at most."""
        match expr:
            case typed.Lit(value=value):
                return 0 if not value else _BOARD
            case typed.Var(name=name):
                domains = self._domains.get(name, ())
                sizes = (1 if d.sort is typed.Sort.HEXES else self.of(d) for d in domains)
                return max(sizes, default=_PIECE)
            case typed.Conditional(value=value, other=other):
                return max(self.of(value), self.of(other))
            case typed.Call():
                return self._of_call(expr)
            case typed.Fold(body=body):
                return self.of(body) if expr.sort is typed.Sort.GROUPS else _BOARD
        return _BOARD

    def _of_call(self, call: typed.Call) -> int:
        word, arguments = call.word, call.arguments
        if word in _PIECES_OF_ONE:
            return LARGEST
        if word in _OF_FEW:
            return _OF_FEW[word]
        if word in _NO_LARGER:
            return self.of(arguments[0])
        match word.partition("(")[0]:
            case "&":
                return min(map(self.of, arguments))
            case "|":
                return sum(map(self.of, arguments))
            case "connected":
                return self.of(arguments[1])
            case "foremost":
                return min(1, self.of(arguments[0]))
            case "adjacent" | "straight" | "slide" | "next_in":
                return 6 * self.of(arguments[0])
            case "within" | "reach" if isinstance(steps := arguments[1], typed.Lit):
                most: int = max(0, steps.value)
                return self.of(arguments[0]) * (1 + 3 * most * (most + 1))
        return _BOARD


# The words that loaded boxes add to the language: their things, numbers and tags.


def full_vocabulary(
    catalog: Catalog,
    unreadable_names: Set[str] = frozenset(),
    has_gaps: bool = False,
    clashing: Set[str] = frozenset(),
) -> typed.Vocabulary:
    """Return the vocabulary of the registry with everything the catalog names.

    `unreadable_names` name what is not known; with gaps that may be any name.
    `clashing` are things whose names mean something else already, and go on to do so.
    """
    plain = vocabulary()
    texts = {tag: f"The hexes tagged `{tag}`." for tag in hex_tags(catalog)}
    texts |= {tag: f"The hexes with a piece tagged `{tag}`." for tag in piece_tags(catalog)}
    of_board = {*hex_tags(catalog)} - {*piece_tags(catalog)}
    signatures = {
        tag: (typed.Signature(tag, (), typed.Sort.HEXES, tag in of_board, text, tag),)
        for tag, text in texts.items()
        if tag not in clashing
    }
    verbs, zones = sorted(plain.norm_verbs()), (*ZONES, SHOWN)
    own = {verb: typed.Constant(typed.Sort.VERB, verb) for verb in verbs}
    own |= {zone: typed.Constant(typed.Sort.ZONE, zone) for zone in zones}
    constants = {n: c for n, c in _constants(catalog) if n not in clashing}
    return replace(
        plain,
        words={**plain.words, **signatures},
        constants={**own, **constants},
        quantities=frozenset(catalog.numbers) - clashing,
        unreadable_names=frozenset(unreadable_names),
        has_gaps=has_gaps,
    )


def full_implementations(catalog: Catalog) -> dict[str, evaluation.Implementation]:
    """The code of every word, tags included."""
    found = dict(implementations())
    for tag in hex_tags(catalog):
        hexes: Callable[[Board], int] = partial(numbers.tagged, name=tag)
        found[f"{tag}()"] = evaluation.Implementation(hexes, "board")
    for tag in piece_tags(catalog):
        pieces: Callable[[View], int] = partial(numbers.tagged_pieces, name=tag)
        found[f"{tag}()"] = evaluation.Implementation(pieces, "view")
    return found


def hex_tags(catalog: Catalog) -> list[str]:
    """The tags of kinds of hex and of grids, sorted."""
    tagged = [kind.tags for kind in catalog.hexes] + [kind.tags for kind in catalog.grids]
    return sorted({tag for tags in tagged for tag in tags})


def piece_tags(catalog: Catalog) -> list[str]:
    """The tags of pieces, sorted."""
    return sorted({tag for piece in catalog.pieces for tag in piece.tags})


def _constants(catalog: Catalog) -> Iterator[tuple[str, typed.Constant]]:
    for index, kind in enumerate(catalog.hexes):
        sort = typed.Sort.PLACE if kind.is_place else typed.Sort.TERRAIN
        yield kind.id, typed.Constant(sort, index)
    ids = {
        typed.Sort.PIECE: [piece.id for piece in catalog.pieces],
        typed.Sort.TILE: [tile.id for tile in catalog.tiles],
        typed.Sort.CARD: catalog.cards,
    }
    for sort, of_sort in ids.items():
        yield from ((id, typed.Constant(sort, index)) for index, id in enumerate(of_sort))


def taken_names(
    catalog: Catalog, parts: BoardParts, folder_numbers: Mapping[str, int]
) -> Iterator[tuple[str, Diagnostic]]:
    """Things whose id is a word of the language already, or the id of another kind of thing.

    Of two in different folders, numbered by source, the later one is reported.
    """
    taken = dict.fromkeys((*vocabulary().names(), *vocabulary().norm_verbs(), *ZONES, SHOWN))
    seen: dict[str, tuple[str, Span]] = {}
    for table, ids in tables_of(catalog):
        for id in ids:
            span = parts.spans.get((table, id), Span.none("the boxes"))
            if id in taken:
                yield id, _taken(id, "is already a word of the language", span)
            elif id in seen:
                both = (seen[id], (table, span))
                (other, first), (_, later) = sorted(
                    both, key=lambda each: folder_numbers.get(each[1].source.name, 0)
                )
                label = Label(first, "declared here")
                yield id, _taken(id, f"is also in `{other}`", later, (label,))
            seen.setdefault(id, (table, span))


def tables_of(catalog: Catalog) -> Iterator[tuple[str, list[str]]]:
    """The ids of things that are words of rules, by the key of a box under which they stand."""
    yield "terrains", [kind.id for kind in catalog.hexes if not kind.is_place]
    yield "places", [kind.id for kind in catalog.hexes if kind.is_place]
    yield "pieces", [piece.id for piece in catalog.pieces]
    yield "tiles", [tile.id for tile in catalog.tiles]
    yield "cards", list(catalog.scoring)
    yield "tasks", list(catalog.tasks)
    yield "numbers", list(catalog.numbers)
    yield "tags", [*hex_tags(catalog), *piece_tags(catalog)]


def _taken(id: str, why: str, span: Span, labels: tuple[Label, ...] = ()) -> Diagnostic:
    return Diagnostic("KB202", span, f"`{id}` {why}", "choose another name", labels)
