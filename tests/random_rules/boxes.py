"""Boxes of random rule text: made from the grammar's shapes and the signatures of the words.

A seed says everything. What is written keeps its structure, so that a box can be made smaller
without being read again. `EXCLUDED` names what is left out, and why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from kbrules.game.random import Random
from kbrules.game.state import ZONES
from kbrules.lang.typed import ELEMENT, LISTS, Signature, Sort, StepParameter, StepSignature
from kbrules.primitives.vocabulary import FURTHER_VERBS, vocabulary

EXCLUDED: dict[str, str] = {}
"""Words and steps that no box has, and why."""
EMPTY_SORTS = (Sort.HEXES, Sort.GROUPS, Sort.NUMBER, Sort.TRUTH, Sort.PLAYERS, *LISTS)
"""The sorts of which an `if` may leave nothing."""
PARAMETERS = (
    Sort.HEXES, Sort.HEXES, Sort.NUMBER, Sort.GROUPS, Sort.TRUTH, Sort.PLAYER, Sort.TERRAIN,
    Sort.PLAYERS,
)  # fmt: skip
"""The sorts of what is given to names of an author's own."""
LIVELY = {
    "from": ("mine", "mine", "theirs", "occupied"),
    "with": ("theirs", "occupied"),
    "to": ("empty", "board", "adjacent(origin)", "straight(origin, 2)"),
    "on": ("empty", "board", "adjacent(mine)", "theirs"),
    "tiles": ("special", "board", "adjacent(mine)"),
}
"""Sets that something most often lies in or can be put on, by the phrase of a step."""
SCOPES = ("player", "turn", "round", "table")
KINDS = {"location": "mill", "nomad": "coin", "bonus": "gift"}


@dataclass(frozen=True, slots=True)
class Part:
    """An expression: how it is written, with `{}` for each of its parts."""

    sort: Sort
    form: str
    parts: tuple[Part, ...] = ()

    def __str__(self) -> str:
        return self.form.format(*self.parts)


@dataclass(frozen=True, slots=True)
class Line:
    """A line, with `{}` for each of its expressions, and the lines below it."""

    form: str
    parts: tuple[Part, ...] = ()
    body: tuple[Line, ...] = ()

    def texts(self, indent: str = "") -> Iterator[str]:
        """The lines as they stand in a file."""
        yield indent + self.form.format(*self.parts)
        for line in self.body:
            yield from line.texts(indent + "    ")


@dataclass(frozen=True, slots=True)
class RandomBox:
    """A box of random rules, and for how many it is played. options: those that are turned."""

    seed: int
    manifest: Mapping[str, Any]
    declarations: tuple[Line, ...]
    players: int
    options: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its rule file."""
        return "\n".join("\n".join(line.texts()) + "\n" for line in self.declarations)

    def write(self, folder: Path) -> Path:
        """Write its two files into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        data = json.dumps(self.manifest, indent=1)
        (folder / "expansion.yaml").write_text(data, encoding="utf-8")
        (folder / "rules.kb").write_text(self.text, encoding="utf-8")
        return folder

    def __str__(self) -> str:
        return f"{self.players} players, seed {self.seed}\n{json.dumps(self.manifest)}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Form:
    """A way to write something: with `{}` for each part, and the sorts of these.

    needs: the names that must be bound. asks: whether it asks what norms say.
    """

    form: str
    sorts: tuple[Sort, ...] = ()
    needs: frozenset[str] = frozenset()
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be spoken of: bound names, how many loops more, and whether norms may be asked."""

    names: Mapping[str, Sort] = field(default_factory=dict)
    loops: int = 2
    may_ask: bool = True

    def bind(self, *pairs: tuple[str, Sort]) -> Scope:
        """The same with more names."""
        return replace(self, names={**self.names, **dict(pairs)})

    def within_loop(self, *pairs: tuple[str, Sort]) -> Scope:
        """The same inside of a loop."""
        return replace(self.bind(*pairs), loops=self.loops - 1)


# What is in the box


def manifest_of(random: Random) -> dict[str, Any]:
    """The data of a whole game: a small board, pieces, tiles, cards."""
    tables = ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (2, 3), (3, 2))
    rows, columns = random.choice(tables)
    size = 3 + random.below(3), 3 + random.below(4)
    if rows * columns > 2:
        size = 3 + random.below(2), 3 + random.below(2)
    if rows > 1:
        size = size[0] & ~1 or 2, size[1]
    found: dict[str, Any] = {
        "format": 1,
        "id": "anything",
        "title": "Anything",
        "players": {"least": 2, "most": 5},
        "start_player": random.choice(("stays", "stays", "passes")),
        "table": {"rows": rows, "columns": columns},
        "section": {"rows": size[0], "columns": size[1]},
        "numbers": {"hand": 1 + random.below(2), "builds": 1 + random.below(3), "bonus_builds": 0},
        "terrains": _terrains(random),
        "places": {
            "yard": {"letter": "Y", "tags": ["special"]},
            "ford": {"letter": "F", "tags": ["special"]},
        },
        "pieces": _pieces(random),
        "tiles": _tiles(random),
        "cards": ["rowers", "lords", "carters"][: random.below(4)],
    }
    found["deck"] = _deck(random, [*found["terrains"]])
    found["numbers"]["cards_in_play"] = random.below(3)
    found["numbers"]["cards_beside"] = random.below(2)
    number = rows * columns + random.below(2)
    tasks = random.below(3) == 0
    found["tasks"] = ["bridge"] if tasks else []
    found["sections"] = {
        f"part_{at}": _section(random, found, size, tasks and not at) for at in range(number)
    }
    if random.below(5) == 0:
        found["grids"] = {"shore": {"tags": ["beyond"]}}
        found["sections"]["cliffs"] = {
            **_section(random, found, (3, 4), False), "grid": "shore",
        }  # fmt: skip
    return found


def _terrains(random: Random) -> dict[str, Any]:
    ids = ("heath", "moor", "sand", "lake", "wood")[: 2 + random.below(4)]
    return {id: {"letter": id[0].upper(), "tags": ["dry"] if id != "lake" else []} for id in ids}


def _pieces(random: Random) -> dict[str, Any]:
    found: dict[str, Any] = {"hut": {"letter": "h", "supply": 4 + random.below(8), "tags": ["low"]}}
    if random.below(2):
        found["mast"] = {"letter": "m", "supply": 1 + random.below(3)}
    if random.below(2):
        found["wall"] = {"letter": "w", "supply": 2 + random.below(4), "neutral": True}
    if random.below(4) == 0:
        found["fort"] = {"letter": "f", "supply": 1 + random.below(2), "shape": "seven",
                         "neutral": bool(random.below(2)), "tags": ["low"]}  # fmt: skip
    return found


def _tiles(random: Random) -> dict[str, Any]:
    found: dict[str, Any] = {
        "mill": {"kind": "location", "place": "yard", "each": 1 + random.below(3)}
    }
    if random.below(2):
        found["barn"] = {"kind": "location", "place": "yard", "each": 1 + random.below(2)}
    if random.below(2):
        how = {"copies": 40, "each": 1} if random.below(2) else {"each": 1}
        found["coin"] = {"kind": "nomad", "place": "ford", **how}
    if random.below(2):
        found["gift"] = {"kind": "bonus"}
    return found


def _deck(random: Random, terrains: list[str]) -> list[dict[str, Any]]:
    found = [{"terrains": [id], "count": 1 + random.below(4)} for id in terrains]
    if random.below(2):
        found.append({"terrains": random.sample(terrains, 2), "count": 1 + random.below(3)})
    return found


def _section(
    random: Random, box: Mapping[str, Any], size: tuple[int, int], tasks: bool
) -> dict[str, Any]:
    letters = [each["letter"] for each in box["terrains"].values()]
    laid = [id for id, tile in box["tiles"].items() if "place" in tile and "copies" not in tile]
    digits = {str(at): id for at, id in enumerate(laid, 1)}
    pooled = "F" if any("copies" in tile for tile in box["tiles"].values()) else ""
    rare = [*digits, *pooled, "-"]
    cells = [
        random.choice(rare) if random.below(6) == 0 else random.choice(letters)
        for _ in range(size[0] * size[1])
    ]
    rows = [" ".join(cells[at : at + size[1]]) for at in range(0, len(cells), size[1])]
    used = {digit: id for digit, id in digits.items() if digit in cells}
    more = {"tasks": 1} if tasks else {}
    return {"places": used, "rows": "\n".join(rows) + "\n", **more}


# What its rules say


class Author:
    """Writes declarations, one after another, each with the names of those before it."""

    def __init__(self, random: Random, manifest: Mapping[str, Any]) -> None:
        self.random = random
        self.manifest = manifest
        self._vocabulary = vocabulary()
        self._forms: dict[Sort, list[Form]] = {sort: [] for sort in Sort}
        self._folds: dict[Sort, list[tuple[str, Sort]]] = {sort: [] for sort in Sort}
        self._memories: dict[str, Sort] = {}
        self._steps: dict[str, tuple[Sort, ...]] = {}
        self.options: list[str] = []
        self._number = 0
        self._says_who_wins = False
        self._learn_words()
        self._learn_things()

    # what may be said

    def _learn_words(self) -> None:
        words = self._vocabulary
        for signature in (s for each in words.words.values() for s in each):
            if signature.name not in EXCLUDED:
                self._learn_word(signature)
        for signature in (s for each in words.operators.values() for s in each):
            self._learn_operator(signature)
        for signature in (s for each in words.folds.values() for s in each):
            self._folds[signature.result].append((signature.name, signature.parameters[0].sort))
        for (one, other), _ in words.coercions.items():
            self._learn(other, Form("{}", (one,)))
        for verb in sorted(words.norm_verbs()):
            self._learn(Sort.VERB, Form(verb))
        for zone in (*ZONES, "shown"):
            self._learn(Sort.ZONE, Form(zone))
        for name in ("empty", "theirs"):
            self._learn(Sort.HEXES, Form(name))

    def _learn_word(self, signature: Signature) -> None:
        sorts = tuple(each.sort for each in signature.parameters)
        least = sum(not each.optional for each in signature.parameters)
        for number in range(least, len(sorts) + 1):
            holes = ", ".join(["{}"] * number)
            form = f"{signature.name}({holes})" if number else signature.name
            asks = Sort.VERB in sorts
            self._learn(signature.result, Form(form, sorts[:number], asks=asks))
        if signature.chained:
            form = f"{signature.name}({{}}, {{}}, {{}})"
            self._learn(signature.result, Form(form, (*sorts, sorts[0])))

    def _learn_operator(self, signature: Signature) -> None:
        sorts = tuple(each.sort for each in signature.parameters)
        if len(sorts) == 2:
            form = f"({{}} {signature.name} {{}})"
        elif signature.result is Sort.RANGE:
            form = f"{signature.name} {{}}"
        else:
            form = f"({signature.name} {{}})"
        self._learn(signature.result, Form(form, sorts))

    def _learn_things(self) -> None:
        box = self.manifest
        for sort, key in (
            (Sort.TERRAIN, "terrains"), (Sort.PLACE, "places"), (Sort.PIECE, "pieces"),
            (Sort.TILE, "tiles"), (Sort.CARD, "cards"), (Sort.CARD, "tasks"),
            (Sort.NUMBER, "numbers"),
        ):  # fmt: skip
            for id in box[key]:
                self._learn(sort, Form(id))
        kinds = (*box["terrains"].values(), *box["places"].values(), *box["pieces"].values(),
                 *box.get("grids", {}).values())  # fmt: skip
        for tag in sorted({tag for kind in kinds for tag in kind.get("tags", ())}):
            self._learn(Sort.HEXES, Form(tag))

    def _learn(self, sort: Sort, form: Form) -> None:
        self._forms[sort].append(form)

    def name(self, of: str) -> str:
        """A name that nothing else has."""
        self._number += 1
        return f"{of}_{self._number}"

    # expressions

    def say(self, sort: Sort, scope: Scope, depth: int = 2) -> Part:
        """An expression of a sort; with depth 0 as short as there is one."""
        random = self.random
        bound = [name for name, known in scope.names.items() if known is sort]
        if bound and random.below(5) < 2:
            return Part(sort, random.choice(bound))
        if sort is Sort.NUMBER and (depth <= 0 or random.below(3) == 0):
            return self._literal()
        if depth > 0 and sort not in (Sort.VERB, Sort.ZONE) and random.below(6) == 0:
            return self._choice(sort, scope, depth)
        if depth > 0 and scope.loops and self._folds[sort] and random.below(5) == 0:
            return self._fold(sort, scope, depth)
        form = self._form(sort, scope, depth)
        return Part(sort, form.form, tuple(self._argument(form, each, scope, depth - 1)
                                           for each in form.sorts))  # fmt: skip

    def _argument(self, form: Form, sort: Sort, scope: Scope, depth: int) -> Part:
        """A part of an expression; words of hexes are most often given small numbers."""
        is_word = form.form[0] != "(" and Sort.HEXES in form.sorts
        if sort is Sort.NUMBER and is_word and self.random.below(3):
            return self._literal(1)
        return self.say(sort, scope, depth)

    def _literal(self, least: int = 0) -> Part:
        number = self.random.choice((0, 1, 1, 1, 2, 2, 3, 4, 7))
        if self.random.below(40) == 0:
            number = self.random.choice((99, 399, 400, 999_999))
        return Part(Sort.NUMBER, str(max(least, number)))

    def _form(self, sort: Sort, scope: Scope, depth: int) -> Form:
        known = [form for form in self._forms[sort] if self._may_say(form, scope)]
        short = [form for form in known if not form.sorts]
        if depth <= 0 or (short and self.random.below(3) == 0):
            return self.random.choice(short or [f for f in known if sort not in f.sorts])
        longer = [form for form in known if form.sorts]
        return self.random.choice(longer or short)

    def _may_say(self, form: Form, scope: Scope) -> bool:
        return (
            form.needs <= scope.names.keys()
            and (scope.may_ask or not form.asks)
            and all(self._forms[sort] for sort in form.sorts)
        )

    def can_say(self, sort: Sort) -> bool:
        """Whether there is anything of a sort."""
        return bool(self._forms[sort])

    def _choice(self, sort: Sort, scope: Scope, depth: int) -> Part:
        value, condition = self.say(sort, scope, depth - 1), self.say(Sort.TRUTH, scope, depth - 1)
        if sort in EMPTY_SORTS and self.random.below(3) == 0:
            return Part(sort, "({} if {})", (value, condition))
        other = self.say(sort, scope, depth - 1)
        return Part(sort, "({} if {} otherwise {})", (value, condition, other))

    def _fold(self, sort: Sort, scope: Scope, depth: int) -> Part:
        word, of = self.random.choice(self._folds[sort])
        domain = self.random.choice([s for s in ELEMENT if s is not Sort.HEXES])
        name = self.name("one")
        over = self.say(domain, scope, depth - 1)
        inner = scope.within_loop((name, ELEMENT[domain]))
        body = self.say(of, inner, depth - 1)
        if self.random.below(3):
            return Part(sort, f"{word}({{}} for {name} in {{}})", (body, over))
        condition = self.say(Sort.TRUTH, inner, depth - 1)
        return Part(sort, f"{word}({{}} for {name} in {{}} if {{}})", (body, over, condition))

    # steps

    def block(self, scope: Scope, depth: int = 2) -> tuple[Line, ...]:
        """Some statements."""
        found: list[Line] = []
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            found += self._statement(scope, depth)
        return tuple(found)

    def _statement(self, scope: Scope, depth: int) -> list[Line]:
        if depth <= 0 or self.random.below(5) < 3:
            return [self._step(scope)]
        ways = (self._if, self._repeat, self._up_to, self._may, self._either, self._each, self._do)
        return self.random.choice(ways)(scope, depth - 1)

    def _if(self, scope: Scope, depth: int) -> list[Line]:
        found = [Line("if {}:", (self.say(Sort.TRUTH, scope),), self.block(scope, depth))]
        if self.random.below(2):
            found.append(Line("otherwise:", (), self.block(scope, depth)))
        return found

    def _repeat(self, scope: Scope, depth: int) -> list[Line]:
        inner = replace(scope, loops=scope.loops - 1)
        return [Line("repeat {} times:", (self._times(scope),), self.block(inner, depth))]

    def _up_to(self, scope: Scope, depth: int) -> list[Line]:
        inner = replace(scope, loops=scope.loops - 1)
        return [Line("up to {} times:", (self._times(scope),), self.block(inner, depth))]

    def _times(self, scope: Scope) -> Part:
        if scope.loops > 0 and self.random.below(4) == 0:
            return self.say(Sort.NUMBER, scope, 1)
        return self._literal()

    def _may(self, scope: Scope, depth: int) -> list[Line]:
        return [Line("may:", (), self.block(scope, depth))]

    def _either(self, scope: Scope, depth: int) -> list[Line]:
        found = [Line("either:", (), self.block(scope, depth))]
        for _ in range(1 + self.random.below(2)):
            found.append(Line("or:", (), self.block(scope, depth)))
        return found

    def _each(self, scope: Scope, depth: int) -> list[Line]:
        if scope.loops <= 0:
            return [self._step(scope)]
        domain = self.random.choice([*ELEMENT])
        name = self.name("each")
        over = self.say(domain, scope, 1)
        inner = scope.within_loop((name, ELEMENT[domain]))
        form, parts = f"for {name} in {{}}", (over,)
        if self.random.below(3) == 0:
            form, parts = form + " if {}", (over, self.say(Sort.TRUTH, inner, 1))
        return [Line(form + ":", parts, self.block(inner, depth))]

    def _do(self, scope: Scope, depth: int) -> list[Line]:
        if not self._steps:
            return [self._step(scope)]
        name = self.random.choice([*self._steps])
        sorts = self._steps[name]
        parts = tuple(self.say(sort, scope, 1) for sort in sorts)
        holes = ", ".join(["{}"] * len(sorts))
        return [self._guarded(f"do {name}({holes})" if sorts else f"do {name}", parts, scope)]

    def _step(self, scope: Scope) -> Line:
        """A step with what it takes, fitted to its pattern."""
        while True:
            verbs = [verb for verb in self._vocabulary.steps if verb not in EXCLUDED]
            signature = self.random.choice(self._vocabulary.steps[self.random.choice(verbs)])
            if all(self._can_fill(signature, each) for each in signature.parameters):
                return self._written(signature, scope)

    def _can_fill(self, signature: StepSignature, parameter: StepParameter) -> bool:
        if parameter.sort is Sort.MEMORY:
            return bool(self._fitting(signature))
        return parameter.kind in ("noun", "adverb") or self.can_say(parameter.sort)

    def _written(self, signature: StepSignature, scope: Scope) -> Line:
        form, parts = signature.verb, []
        for each in signature.parameters:
            if each.optional and self.random.below(2):
                continue
            match each.kind:
                case "noun":
                    form += f" {self.random.choice(each.nouns)}"
                case "adverb":
                    form += f" {each.name}"
                case "piece":
                    form += f" {self._piece(scope)}"
                case kind:
                    form += f" {each.name} {{}}" if kind == "phrase" else " {}"
                    parts.append(self._filled(signature, each, scope.bind(*each.binds)))
        return self._guarded(form, tuple(parts), scope)

    def _piece(self, scope: Scope) -> str:
        bound = [name for name, sort in scope.names.items() if sort is Sort.PIECE]
        return self.random.choice(bound or [*self.manifest["pieces"]])

    def _filled(self, signature: StepSignature, each: StepParameter, scope: Scope) -> Part:
        if each.sort is Sort.MEMORY:
            return Part(Sort.MEMORY, self.random.choice(self._fitting(signature)))
        if each.sort is Sort.NUMBER and self.random.below(4):
            return self._literal(1)
        if each.sort is Sort.HEXES and self.random.below(5) < 3:
            tiles = any("tiles" in parameter.nouns for parameter in signature.parameters)
            lively = LIVELY.get("tiles" if tiles else each.name, ("board",))
            return Part(Sort.HEXES, self.random.choice(lively))
        return self.say(each.sort, scope)

    def _fitting(self, signature: StepSignature) -> list[str]:
        """The memories that a step may name."""
        wanted = signature.remembers
        return [name for name, sort in self._memories.items() if wanted in (None, sort)]

    def _guarded(self, form: str, parts: tuple[Part, ...], scope: Scope) -> Line:
        if self.random.below(4):
            return Line(form, parts)
        return Line(form + " if {}", (*parts, self.say(Sort.TRUTH, scope, 1)))

    # sentences of a rule

    def norm(self) -> Line:
        """A permission, a ban, a preference or what sets them aside."""
        kind = self.random.choice(("permit", "forbid", "prefer", "waive", "deny", "forbid"))
        known = sorted(self._vocabulary.norm_verbs())
        verbs = self.random.sample(known, 1 + self.random.below(2))
        if kind != "forbid":
            verbs = [verb for verb in verbs if verb not in FURTHER_VERBS] or ["build"]
        scope = Scope(may_ask=self.random.below(4) == 0)
        inner = scope.bind(("origin", Sort.HEXES)) if verbs in (["move"], ["swap"]) else scope
        form, parts = f"{kind} {', '.join(verbs)}", ()
        if kind != "waive" or self.random.below(2):
            closes = kind in ("forbid", "deny") and self.random.below(3)
            ground = self.random.choice([*self.manifest["terrains"]])
            form += f" on {{}} & {ground}" if closes else " on {}"
            parts = (self.say(Sort.HEXES, inner),)
        return self._guarded(form, parts, inner)

    def change(self) -> Line:
        """A change of a number of the box."""
        kind, number = self.random.choice(("increase", "decrease")), "bonus_builds"
        amount = self.say(Sort.NUMBER, Scope(may_ask=False), 1)
        return self._guarded(f"{kind} {number} by {{}}", (amount,), Scope(may_ask=False))

    def award(self, scope: Scope | None = None) -> Line:
        """Gold at the end."""
        scope = scope or Scope()
        form, parts = "gold {}", [self.say(Sort.NUMBER, scope)]
        if self.random.below(2):
            every = self.random.choice(("", "", "2 ", "3 "))
            domain = self.random.choice([*ELEMENT])
            name, over = self.name("item"), self.say(domain, scope)
            form += f" per {every}{name} in {{}}"
            parts.append(over)
            scope = scope if domain is Sort.HEXES else scope.bind((name, ELEMENT[domain]))
            rank_scope = replace(scope, names={k: v for k, v in scope.names.items() if k != name})
        else:
            rank_scope = scope
        if self.random.below(4) == 0:
            place = self.random.choice(("first", "second", "third"))
            form += f" to {place} by {{}}"
            parts.append(self.say(Sort.NUMBER, replace(rank_scope, loops=1), 1))
        return self._guarded(form, tuple(parts), scope)

    def loop_of_awards(self) -> Line:
        """Gold for each of some things."""
        domain, name = self.random.choice([*ELEMENT]), self.name("each")
        over = self.say(domain, Scope(), 1)
        inner = Scope().within_loop((name, ELEMENT[domain]))
        return Line(f"for {name} in {{}}:", (over,), (self.award(inner),))

    def win(self) -> Line:
        """Who wins; one rule says it."""
        if self._says_who_wins:
            return self.award()
        self._says_who_wins = True
        return Line("win by {}", (self.say(Sort.NUMBER, Scope().bind(("total", Sort.NUMBER))),))

    def trigger(self, heading: str = "when") -> Line:
        """What follows an event."""
        known = [*self._vocabulary.events.values()]
        events = self.random.sample(known, 1 + (self.random.below(4) == 0))
        common = dict(events[0].binds)
        for event in events:
            common = {name: sort for name, sort in common.items() if (name, sort) in event.binds}
        scope = Scope().bind(*common.items())
        who = self.random.choice(("", "", "", " by others", " by anyone"))
        form = f"{heading} {', '.join(event.name for event in events)}{who}"
        if heading != "when":
            form += self._limit()
        line = self._guarded(form, (), scope)
        return Line(line.form + ":", line.parts, self.block(scope))

    def _limit(self) -> str:
        if self.random.below(4):
            return ""
        return self.random.choice((" once per game", " twice per round", " once per round"))

    def action(self) -> Line:
        """What may be done once in a turn."""
        required = "required " if self.random.below(8) == 0 else ""
        line = self._guarded(f"{required}action{self._limit()}", (), Scope())
        return Line(line.form + ":", line.parts, self.block(Scope()))

    def phase(self, names: tuple[str, ...]) -> Line:
        """What is done before or after the turns, or in each."""
        line = self._guarded(self.random.choice(names), (), Scope())
        return Line(line.form + ":", line.parts, self.block(Scope()))

    def whenever(self) -> Line:
        """What is done while something holds."""
        return Line("whenever {}:", (self.say(Sort.TRUTH, Scope()),), self.block(Scope(), 1))

    # declarations

    def define(self) -> Line:
        """A name for an expression; sometimes it speaks of `here`."""
        name, sorts = self.name("word"), self._parameter_sorts()
        sort = self.random.choice((Sort.HEXES, Sort.HEXES, Sort.NUMBER, Sort.TRUTH, Sort.GROUPS))
        names = [self.name("given") for _ in sorts]
        needs = {"here"} if self.random.below(5) == 0 else set()
        scope = Scope(may_ask=False).bind(
            *zip(names, sorts, strict=True), *((need, Sort.HEXES) for need in sorted(needs))
        )
        body = self.say(sort, scope)
        said = str(body).split("(")
        if needs and "here" not in " ".join(said).replace(")", " ").replace(",", " ").split():
            needs = set()
        head = ", ".join(f"{n}: {s}" for n, s in zip(names, sorts, strict=True))
        called = f"{name}({', '.join(['{}'] * len(sorts))})" if sorts else name
        self._learn(sort, Form(called, sorts, frozenset(needs)))
        heading = f"{name}({head})" if sorts else name
        return Line(f'define {heading} "What.": ', (), (Line("{}", (body,)),))

    def _parameter_sorts(self) -> tuple[Sort, ...]:
        number = self.random.choice((0, 0, 1, 1, 2))
        return tuple(self.random.choice(PARAMETERS) for _ in range(number))

    def named_steps(self) -> Line:
        """A name for steps."""
        name, sorts = self.name("deed"), self._parameter_sorts()
        names = [self.name("given") for _ in sorts]
        body = self.block(Scope(loops=1).bind(*zip(names, sorts, strict=True)), 1)
        head = ", ".join(f"{n}: {s}" for n, s in zip(names, sorts, strict=True))
        self._steps[name] = sorts
        return Line(f'steps {name}({head}) "What.":' if sorts else f'steps {name} "What.":',
                    (), body)  # fmt: skip

    def option(self) -> Line:
        """A ruling that a table may choose."""
        name, value = self.name("choice"), self.random.choice(("yes", "no", "0", "2"))
        self._learn(Sort.TRUTH if value in ("yes", "no") else Sort.NUMBER, Form(name))
        self.options.append(name)
        return Line(f'option {name} = {value} "What."')

    def memory(self) -> Line:
        """What rules keep."""
        name, sort = self.name("kept"), self.random.choice((Sort.HEXES, Sort.NUMBER))
        self._memories[name] = sort
        self._learn(sort, Form(name))
        return Line(f'memory {name}: {sort} of {self.random.choice(SCOPES)} "What."')

    def rule(self, kind: str, name: str) -> Line:
        """A rule with some sentences of any kind."""
        body: list[Line] = []
        for _ in range(self.random.choice((1, 1, 2, 2, 3))):
            body.append(self._sentence(kind))
        return declared(kind, name, body)

    def _sentence(self, kind: str) -> Line:
        scoring = (self.award, self.award, self.loop_of_awards)
        if kind in ("card", "task") and self.random.below(3):
            return self.random.choice(scoring)()
        if kind in KINDS and self.random.below(2):
            return self.action()
        phases = ("before setup", "setup", "after setup", "finish", "finish")
        ways = (
            *scoring, self.norm, self.norm, self.norm, self.trigger, self.trigger, self.trigger,
            self.action, self.action, self.change, lambda: self.trigger("action when"),
            lambda: self.phase(phases),
        )  # fmt: skip
        if self.random.below(20) == 0:
            return self.random.choice((self.whenever, self.win))()
        return self.random.choice(ways)()


def declared(kind: str, name: str, body: Iterable[Line]) -> Line:
    """The declaration of a rule, with a wording."""
    return Line(f'{kind} {name} "Title":', (), (Line('"Wording."'), *body))


def course_of_play(author: Author) -> list[Line]:
    """What every game has: turns, where pieces go, and an end."""
    random = author.random
    turn = ("ready tiles", "play cards", "actions", "discard cards", "draw hand cards")
    steps = [Line(step) for step in turn if step == "actions" or random.below(8)]
    if random.below(4) == 0:
        steps.insert(random.below(len(steps) + 1), author._step(Scope()))
    rounds = 2 + random.below(4)
    ground = random.choice(("terrain(played)", "terrain(played)", "dry", "board"))
    return [
        declared("rule", "turn", [Line("turn:", (), tuple(steps))]),
        declared("rule", "dealing", [Line("setup:", (), (Line("draw hand cards"),))]),
        declared("rule", "closed", [Line("forbid build, move, place on occupied | special")]),
        declared("rule", "placing", [
            Line(f"permit build on {ground}"), Line("prefer build on adjacent(mine)"),
        ]),
        declared("rule", "must", [
            Line("required action:", (), (Line("build builds + bonus_builds"),)),
        ]),
        declared("rule", "shuffle", [
            Line("whenever drawing and cards(deck) = 0 and cards(discards) > 0:", (),
                 (Line("reshuffle discards"),)),
        ]),
        declared("rule", "taking", [
            Line("when build, move, place:", (), (Line("take tiles from adjacent(here)"),)),
            Line("when move, remove:", (), (Line("lose tiles from board - adjacent(mine)"),)),
        ]),
        declared("rule", "ending", [
            Line(f"when turn_start if round >= {rounds}:", (), (Line("last round"),)),
        ]),
    ]  # fmt: skip


def box_of(seed: int) -> RandomBox:
    """The box of a seed."""
    random = Random(seed, "box")
    manifest = manifest_of(random)
    author = Author(random, manifest)
    lines: list[Line] = []
    for make in (author.option, author.memory, author.memory, author.define, author.named_steps):
        lines += [make() for _ in range(random.below(3))]
    lines += course_of_play(author)
    for id in manifest["tiles"]:
        lines.append(author.rule(manifest["tiles"][id]["kind"], id))
    lines += [author.rule("card", id) for id in manifest["cards"]]
    lines += [author.rule("task", id) for id in manifest["tasks"]]
    lines += [author.rule("rule", author.name("rule")) for _ in range(1 + random.below(5))]
    turned = tuple(name for name in author.options if random.below(3) == 0)
    return RandomBox(seed, manifest, tuple(lines), 2 + random.below(4), turned)
