"""Decorators that make a function a word, an operator, a fold or a step of the language."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, get_type_hints

from kbrules.lang.typed import Parameter, Signature, Sort, StepParameter, StepSignature

Hexes = Annotated[int, Sort.HEXES]
Groups = Annotated[tuple[int, ...], Sort.GROUPS]
Number = Annotated[int, Sort.NUMBER]
Truth = Annotated[bool, Sort.TRUTH]
Player = Annotated[int, Sort.PLAYER]
Players = Annotated[tuple[int, ...], Sort.PLAYERS]
Terrain = Annotated[int, Sort.TERRAIN]
Terrains = Annotated[tuple[int, ...], Sort.TERRAINS]
Place = Annotated[int, Sort.PLACE]
Places = Annotated[tuple[int, ...], Sort.PLACES]
PieceKind = Annotated[int, Sort.PIECE]
PieceKinds = Annotated[tuple[int, ...], Sort.PIECES]
TileKind = Annotated[int, Sort.TILE]
TileKinds = Annotated[tuple[int, ...], Sort.TILES]
Card = Annotated[int, Sort.CARD]
Cards = Annotated[tuple[int, ...], Sort.CARDS]
Zone = Annotated[str, Sort.ZONE]
Verb = Annotated[str, Sort.VERB]
Range = Annotated[tuple[int, int], Sort.RANGE]

Implementation = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Word:
    """A registered word: what it takes and what it does."""

    signature: Signature
    code: Implementation
    may_fail: bool = False

    @property
    def first(self) -> str:
        """What the code is given first: `view`, `board` or nothing."""
        name = next(iter(inspect.signature(self.code).parameters), "")
        return name if name in ("view", "board") else ""


WORDS: list[Word] = []
_STEADY: set[str] = set()
_SYMMETRIC: set[str] = set()
_CROSSING: dict[str, str] = {}
OPERATORS: list[Word] = []
FOLDS: list[Word] = []


def is_steady(key: str) -> bool:
    """Whether lifting a piece cannot change what a word answers to the same arguments."""
    return key in _STEADY


def is_symmetric(key: str) -> bool:
    """Whether a word relates hexes to hexes so that each is related to the other."""
    return key in _SYMMETRIC


def crossing_forms() -> Mapping[str, str]:
    """The words with one more argument, the hexes that may be crossed, by those without it."""
    return _CROSSING


def word(
    example: str = "",
    *,
    steady: bool = False,
    symmetric: bool = False,
    chained: bool = False,
    crosses: bool = False,
    may_fail: bool = False,
    name: str = "",
    work: int = 1,
) -> Callable[[Implementation], Implementation]:
    """Register a function as a word; a first parameter `board` makes it fixed for a game.

    `steady` and `symmetric` are promises that let legal moves be found faster. A `chained` word of
    two arguments may be given more; one that `may_fail` raises RulesError. One that `crosses` takes
    last the hexes that may be crossed; without that argument it is another word. A word is called
    like its function, without an underscore at the end, unless it has a `name`. `work` is how much
    it takes beside the simplest words, on a large board.
    """

    def register(code: Implementation) -> Implementation:
        signature = _signature(code, name or code.__name__.rstrip("_"), example)
        signature = replace(signature, chained=chained, work=work)
        WORDS.append(Word(signature, code, may_fail))
        if steady or signature.fixed:
            _STEADY.add(signature.key)
        if crosses:
            short = replace(signature, parameters=signature.parameters[:-1])
            _CROSSING[short.key] = signature.key
        if symmetric:
            _SYMMETRIC.add(signature.key)
        return code

    return register


def operator(symbol: str, sort: Sort, result: Sort, code: Implementation, page: str) -> None:
    """Register an operator, whose operands are all of one sort."""
    parameters = tuple(Parameter(name, sort) for name in inspect.signature(code).parameters)
    OPERATORS.append(Word(Signature(symbol, parameters, result, True, page), code))
    _STEADY.add(OPERATORS[-1].signature.key)


def fold(example: str, sort: Sort, result: Sort, code: Implementation, page: str) -> None:
    """Register the word of an example over `... for x in ...`; it is given the list of values."""
    name, parameters = example.partition("(")[0], (Parameter("values", sort),)
    FOLDS.append(Word(Signature(name, parameters, result, True, page, example), code))


def _signature(code: Implementation, name: str, example: str) -> Signature:
    hints = get_type_hints(code, include_extras=True)
    parameters = list(inspect.signature(code).parameters.values())
    first = parameters[0].name if parameters else ""
    skipped = 1 if first in ("view", "board") else 0
    taken = tuple(
        Parameter(p.name.rstrip("_"), _sort(hints[p.name]), p.default is not p.empty)
        for p in parameters[skipped:]
    )
    page = inspect.getdoc(code) or ""
    return Signature(name, taken, _sort(hints["return"]), first != "view", page, example.strip())


def _sort(hint: Any) -> Sort:
    sort = hint.__metadata__[0]
    assert isinstance(sort, Sort)
    return sort


@dataclass(frozen=True, slots=True)
class HexPhrase:
    """One hex a step asks for: the phrase that gives the set, the verb of its norms, its name.

    `own` is a further verb, of norms that hold unless the step's piece is one of nobody.
    """

    phrase: str
    verb: str = ""
    name: str = ""
    own: str = ""


@dataclass(frozen=True, slots=True)
class StepWord:
    """A registered step: how it is written, what it asks the player for, what it does.

    `asks` is empty for steps that happen at once. `can` says whether it is possible at all,
    `room` on which hexes there is space for it; `outcomes` gives the weights of a draw;
    `lifts` takes the first hex's piece up before the second is judged. `is_offers` lets the
    player use actions until the turn ends, `is_reuse` one action of a tile once more. A step that
    `prepares` changes only what the next one asks: both are begun by one choice.
    """

    signature: StepSignature
    code: Implementation
    asks: tuple[HexPhrase, ...] = ()
    can: Implementation | None = None
    room: Implementation | None = None
    outcomes: Implementation | None = None
    lifts: bool = False
    is_offers: bool = False
    is_reuse: bool = False
    prepares: bool = False


STEPS: list[StepWord] = []
_PART = re.compile(r"(\[)?(?:(\w+) )?\{(\w+): (\w+)\}(\])?|\[(\w+)\]|([\w|]+)")


def step(
    pattern: str,
    *,
    is_cost: bool = False,
    remembers: Sort | None = None,
    binds: Mapping[str, tuple[tuple[str, Sort], ...]] | None = None,
    example: str = "",
    **facts: Any,
) -> Callable[[Implementation], Implementation]:
    """Register a function as a step written like `pattern`.

    In a pattern `{count: number}` is an operand, `on {target: hexes}` a phrase, `card|cards`
    a noun (any of them may be written), `[...]` may be left out. A step that `is_cost` has a `can`.
    `remembers` is what a memory must hold that the step names. `facts` are those of a `StepWord`.
    """

    def register(code: Implementation) -> Implementation:
        verb, _, rest = pattern.partition(" ")
        slots = tuple(_slots(rest, binds or {}))
        norm = tuple(
            about for ask in facts.get("asks", ()) for about in (ask.verb, ask.own) if about
        )
        decides = not facts.keys().isdisjoint(("asks", "outcomes", "is_offers", "is_reuse"))
        page = inspect.getdoc(code) or ""
        signature = StepSignature(
            code.__name__,
            verb,
            slots,
            _usage(pattern),
            norm,
            page,
            example,
            is_cost,
            decides,
            remembers,
        )
        STEPS.append(StepWord(signature, code, **facts))
        return code

    return register


def _slots(text: str, binds: Mapping[str, tuple[tuple[str, Sort], ...]]) -> Iterator[StepParameter]:
    for found in _PART.finditer(text):
        optional, phrase, name, sort, _, adverb, nouns = found.groups()
        if phrase:
            about = binds.get(phrase, ())
            yield StepParameter(phrase, "phrase", Sort(sort), bool(optional), binds=about)
        elif name:
            kind = "piece" if sort == Sort.PIECE else "operand"
            yield StepParameter(name, kind, Sort(sort), bool(optional))
        elif adverb:
            yield StepParameter(adverb, "adverb", Sort.TRUTH, True)
        else:
            yield StepParameter(nouns, "noun", nouns=tuple(nouns.split("|")))


def _usage(pattern: str) -> str:
    """The pattern as an author writes it: `build N [piece] [on HEXES] [freely]`."""
    plain = re.sub(r"\{(\w+): (\w+)\}", lambda m: m.group(1).upper(), pattern)
    return re.sub(r"(\w+)\|\w+", r"\1", plain)
