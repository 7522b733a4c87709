"""Rules of all files joined: replacements carried out, entries and rules matched by name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, quoted, suggest
from kbrules.game.board import Catalog
from kbrules.lang.checker.expressions import Cost, CostModel, Scope, infer_as
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Call, Expr, Lit, Norm, QuantityChange, Rule, Sort, all_in
from kbrules.library.boards.tables import BoardParts
from kbrules.library.vocabulary import tables_of, taken_names, too_large_sets
from kbrules.primitives.vocabulary import CARD_KINDS, KINDS, TILE_KINDS
from kbrules.text import Span

# Marks: words of the rules by which data says what hexes a board has to show.


def marks_of(parts: BoardParts, scope: Scope) -> tuple[dict[str, Expr], list[Diagnostic]]:
    """What each mark means, in the order of the boxes, and the marks that do not mean hexes."""
    found: list[Diagnostic] = []
    here = replace(scope, findings=found)
    names = [tree.Name(id, parts.spans["marks", id]) for id in parts.marks]
    return {name.text: infer_as(name, Sort.HEXES, here, "a mark") for name in names}, found


# Names that an author gives to things or words, though files loaded before use them already.
#
# The later one is reported, at the line where the name is given; what came first keeps its
# meaning, so that nothing is found in files that are in order.

_TEXT_OR_COMMENT = re.compile(r'"[^"\n]*"|#.*')
_LOOP = re.compile(r"\b(?:for|per(?:\s+[0-9]+)?)\s+([a-z_][a-z0-9_]*)\s+in\b")


@dataclass(frozen=True, slots=True)
class Clashes:
    """The findings, the things that are no words for it, and the declarations that count.

    `ambiguous` are words that could mean either of two things.
    """

    findings: list[Diagnostic] = field(default_factory=list)
    excluded_words: set[str] = field(default_factory=set)
    ambiguous: set[str] = field(default_factory=set)
    declarations: list[tree.Declaration] = field(default_factory=list)


def clashes(
    catalog: Catalog,
    parts: BoardParts,
    declarations: Sequence[tree.Declaration],
    folder_numbers: Mapping[str, int],
) -> Clashes:
    """Return what clashes with a word of the language, or with a name of files loaded before.

    folder_numbers: for the name of each source which of the folders it lies in, in their order;
    shipped files are in the first.
    """

    def number_of(span: Span) -> int:
        return folder_numbers.get(span.source.name, 0)

    found, earlier = Clashes(), _Earlier()
    for id, finding in taken_names(catalog, parts, folder_numbers):
        found.findings.append(finding)
        found.excluded_words.add(id)
        if finding.labels:
            found.ambiguous.add(id)
    keys = [(table, id) for table, ids in tables_of(catalog) for id in ids]
    things = [(id, parts.spans[table, id]) for table, id in keys if (table, id) in parts.spans]
    for number in range(max(folder_numbers.values(), default=0) + 1):
        for id, span in things:
            label = earlier.label(id) if number_of(span) == number else None
            if label is not None and id not in found.excluded_words:
                found.findings.append(_clash(id, span, label, False))
                found.excluded_words.add(id)
        own = [each for each in declarations if number_of(each.name.span) == number]
        for each in own:
            is_word = isinstance(each, tree.WordDeclaration)
            label = earlier.label(each.name.text) if is_word else None
            if label is None:
                found.declarations.append(each)
            else:
                found.findings.append(_clash(each.name.text, each.name.span, label, True))
        earlier.add(own)
    return found


def _clash(name: str, span: Span, label: Label, is_word: bool) -> Diagnostic:
    is_twice = is_word and label.text == _DECLARED
    what = "is declared twice" if is_twice else "means something in other rules"
    return Diagnostic("KB202", span, f"`{name}` {what}", "choose another name", (label,))


_DECLARED = "first declared here"


@dataclass(frozen=True, slots=True)
class _Earlier:
    """Where names got their meanings, in the files of the folders before one."""

    names: dict[str, Label] = field(default_factory=dict)
    loops: dict[str, Label] = field(default_factory=dict)

    def label(self, name: str) -> Label | None:
        """Return where a name got its meaning, if it has one."""
        return self.names.get(name) or self.loops.get(name)

    def add(self, declarations: Sequence[tree.Declaration]) -> None:
        """Add what names mean in the files of a folder."""
        for each in declarations:
            if isinstance(each, tree.Define | tree.Steps):
                for name, _ in each.parameters:
                    label = Label(name.span, "this parameter has the name")
                    self.names.setdefault(name.text, label)
            if isinstance(each, tree.WordDeclaration):
                self.names[each.name.text] = Label(each.name.span, _DECLARED)
        for source in dict.fromkeys(each.name.span.source for each in declarations):
            text = _TEXT_OR_COMMENT.sub(lambda match: " " * len(match[0]), source.text)
            for match in _LOOP.finditer(text):
                span = source.span(match.start(1), match.end(1))
                self.loops.setdefault(match[1], Label(span, "this loop has the name"))


# Which rules have to be left out so that the other things of a folder can be used.

MAX_ROUNDS = 8
"""How often rules are left out: a card may need a word that needs another that is wrong."""
_NO_RULE = "KB409"


@dataclass(frozen=True, slots=True)
class Omission:
    """Declarations that are left out, and the names of things that thereby have no rule."""

    declarations: tuple[tree.Declaration, ...] = ()
    names: frozenset[str] = frozenset()

    def __or__(self, other: Omission) -> Omission:
        return Omission(self.declarations + other.declarations, self.names | other.names)


def omission(
    findings: Sequence[Diagnostic], declarations: Sequence[tree.Declaration], catalog: Catalog
) -> Omission | None:
    """Return the declarations that all findings are in; None if one is elsewhere, or there is none.

    Only what a card or a tile does, and definitions, can be left out: every other rule changes
    what the rest means.
    """
    things = {*catalog.cards, *(tile.id for tile in catalog.tiles)}
    without_rule = {each.span.text for each in findings if each.code == _NO_RULE}
    found = [*_owners((each for each in findings if each.code != _NO_RULE), declarations)]
    if not findings or any(each is None or not _can_be_omitted(each, things) for each in found):
        return None
    own = {id(each): each for each in found if each is not None}.values()
    return Omission(tuple(own), frozenset({*without_rule, *(each.name.text for each in own)}))


def _can_be_omitted(declaration: tree.Declaration, things: set[str]) -> bool:
    """Whether nothing but the thing itself, and what names it, needs a declaration."""
    if isinstance(declaration, tree.Rule | tree.Broken):
        kind = declaration.kind.text
        return kind in CARD_KINDS | TILE_KINDS or declaration.name.text in things
    return isinstance(declaration, tree.Define)


def _owners(
    findings: Iterable[Diagnostic], declarations: Iterable[tree.Declaration]
) -> Iterator[tree.Declaration | None]:
    """Yield the declarations that the findings lie in; None for a finding that lies in none.

    That is the last one that begins before a finding: of a table the one of its row, or those of
    all rows.
    """
    by_line: dict[str, dict[int, list[tree.Declaration]]] = {}
    derived: dict[str, list[tree.Declaration]] = {}
    nothing: list[tree.Declaration | None] = [None]
    for each in sorted(declarations, key=lambda each: each.span.start):
        name = each.span.source.name
        by_line.setdefault(name, {}).setdefault(each.span.line, []).append(each)
        if each.span.is_derived:
            derived.setdefault(name, []).append(each)
    for place in (finding.span for finding in findings):
        lines, of_tables = by_line.get(place.source.name, {}), derived.get(place.source.name, [])
        if place.is_derived:
            before = bisect_right(of_tables, place.start, key=lambda each: each.span.start)
            yield from of_tables[max(before - 1, 0) : before] or nothing
        else:
            line = max((line for line in lines if line <= place.line), default=0)
            yield from lines.get(line) or nothing


# Norms and quantities may ask what other norms and quantities decide, as by `open(build)`. What
# each asks is known here, before anything is played: nothing may depend on itself.

MAX_NORMS = 100
"""Norms of all rules that are loaded together; those of all boxes have 16."""
MAX_CHANGES = 100
"""Changes of quantities of all rules that are loaded together; those of all boxes have 3."""
MAX_ASKED = 20_000
"""Steps that what one sentence asks of norms and quantities may take; in all boxes it is 846."""
FORBIDDEN = "forbidden(verb)"
_TOO_LONG = "this could take too long"


def compose(
    rules: Sequence[Rule],
    catalog: Catalog,
    parts: BoardParts,
    silent: Set[str] | None = frozenset(),
) -> tuple[tuple[Rule, ...], list[Diagnostic]]:
    """Return the rules in force, ordered by kind and name, and what does not fit together.

    `silent` names may have an entry or a rule that could not be read; None if any may.
    """
    findings: list[Diagnostic] = []
    replaced = _replacements(rules, findings)
    remaining = [rule for rule in rules if rule.replaces is not None or _key(rule) not in replaced]
    findings += _too_many(remaining) or _dependent(remaining)
    findings += too_large_sets(remaining)
    wins = [win for rule in remaining for win in rule.wins]
    for win in wins[1:]:  # none of them can be preferred
        labels = (Label(wins[0].span, "said here too"),)
        help_ = "keep one, or let its rule replace the other's"
        findings.append(Diagnostic("KB304", win.span, "two rules say who wins", help_, labels))
    if silent is not None:
        findings += _Matching(remaining, catalog, parts, silent).findings()
    return tuple(sorted(remaining, key=_key)), findings


def _too_many(rules: Sequence[Rule]) -> list[Diagnostic]:
    """Return findings about the first norm and the first change above the limits: each step is
    judged by all norms about its verb, each quantity by all its changes."""
    norms = [norm.span for rule in rules for norm in rule.norms][MAX_NORMS:][:1]
    changes = [change.span for rule in rules for change in rule.changes][MAX_CHANGES:][:1]
    of_norms = f"{MAX_NORMS} norms; join sets by `|` or `&`"
    of_changes = f"{MAX_CHANGES} changes of quantities; add up what changes one"
    found = [(span, of_norms) for span in norms] + [(span, of_changes) for span in changes]
    start = "all rules together have at most"
    return [Diagnostic("KB303", span, _TOO_LONG, f"{start} {limit}") for span, limit in found]


def _key(rule: Rule) -> tuple[str, str]:
    return rule.kind, rule.id


def _replacements(rules: Sequence[Rule], findings: list[Diagnostic]) -> dict[tuple[str, str], Rule]:
    """What each replacing rule replaces; two that replace the same are a conflict."""
    plain = {_key(rule) for rule in rules if rule.replaces is None}
    found: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        if rule.replaces is None:
            continue
        target = (rule.kind, rule.replaces)
        if target not in plain:
            names = [name for kind, name in plain if kind == rule.kind]
            help_ = did_you_mean(rule.replaces, names, "there is nothing to replace")
            message = f"there is no {rule.kind} `{rule.replaces}` to replace"
            findings.append(Diagnostic("KB302", _replaced(rule), message, help_))
        elif target in found:
            labels = (Label(_replaced(found[target]), "replaced here first"),)
            message = f"two rules replace the {rule.kind} `{rule.replaces}`"
            findings.append(Diagnostic("KB301", _replaced(rule), message, "keep one", labels))
        found.setdefault(target, rule)
    return found


def _replaced(rule: Rule) -> Span:
    """The name behind `replaces` in the heading of a rule."""
    source, end, name = rule.span.source, rule.span.end, str(rule.replaces)
    at = source.whole_text.rfind(name, end, source.whole_text.find("\n", end))
    return source.span(at, at + len(name)) if at >= 0 else rule.span


# what depends on what

Question = tuple[str, str]
"""What may be asked of norms and changes: `open` or `forbidden` and a verb, `quantity` and one."""
Decider = Norm | QuantityChange


def _dependent(rules: Sequence[Rule]) -> list[Diagnostic]:
    """What depends on itself; if nothing does, what asks so much that it could take too long."""
    asking = _Asking(rules)
    return list(asking.circles()) or list(asking.too_costly())


def _question(call: Call) -> Question | None:
    """What a word asks of norms and changes, if it does."""
    if call.word == "quantity":
        (name,) = call.arguments
        return ("quantity", name.value) if isinstance(name, Lit) else None
    verbs = [each for each in call.arguments if each.sort is Sort.VERB and isinstance(each, Lit)]
    if not verbs:
        return None
    # Every other word about a verb is about the hexes that are permitted and not forbidden.
    return "forbidden" if call.word == FORBIDDEN else "open", str(verbs[0].value)


def _answered(decider: Decider) -> list[Question]:
    """The questions that a norm or a change helps to answer: preferences and the like none."""
    if isinstance(decider, QuantityChange):
        return [("quantity", decider.quantity)]
    about = {"permit": ("open",), "forbid": ("open", "forbidden")}.get(decider.kind, ())
    return [(what, verb) for what in about for verb in decider.verbs]


class _Asking:
    """Which norms and changes of quantities ask what others of them decide.

    They stand in the order in which their files were loaded.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._pairs: list[tuple[Decider, Rule]] = []
        for rule in rules:
            deciders: tuple[Decider, ...] = (*rule.norms, *rule.changes)
            self._pairs += [(each, rule) for each in deciders if _answered(each)]
        self._answers: dict[Question, list[int]] = {}
        self._asks: list[dict[Question, Call]] = []
        for at, (decider, _) in enumerate(self._pairs):
            for question in _answered(decider):
                self._answers.setdefault(question, []).append(at)
            calls = all_in(decider, Call)
            asked = {found: call for call in reversed(calls) if (found := _question(call))}
            self._asks.append(asked)

    def circles(self) -> Iterator[Diagnostic]:
        """A finding at the last of each circle, as short as there is one; each is met once."""
        left = set(range(len(self._pairs)))
        for last in reversed(range(len(self._pairs))):
            circle = self._circle(last, left)
            if circle:
                yield self._depends_on_itself(circle)
                left.discard(last)

    def _circle(self, start: int, left: Collection[int]) -> list[tuple[int, Question]]:
        """The shortest way from what a decider asks back to it: each with what it asks."""
        asked_by: dict[Question, int] = {}
        reached: dict[int, Question | None] = {start: None}
        ahead = deque([start])
        while ahead:
            at = ahead.popleft()
            for question in self._asks[at].keys() - asked_by.keys():
                asked_by[question] = at
                for answer in self._answers.get(question, ()):
                    if answer == start:
                        return _way(question, asked_by, reached)
                    if answer in left and answer not in reached:
                        reached[answer] = question
                        ahead.append(answer)
        return []

    def _depends_on_itself(self, circle: Sequence[tuple[int, Question]]) -> Diagnostic:
        steps, labels = [], []
        for at, question in circle:
            decider, rule = self._pairs[at]
            word = _written(self._asks[at][question])
            steps += [f"{_name(decider)} in {quoted(rule.id)}", word]
            labels.append(Label(self._asks[at][question].span, f"asks {quoted(word)}"))
        first = self._pairs[circle[0][0]][0]
        message = f"{quoted(_name(first))} depends on itself: {' -> '.join((*steps, steps[0]))}"
        return Diagnostic("KB423", first.span, message, _remedy(circle[0][1]), tuple(labels))

    def too_costly(self) -> Iterator[Diagnostic]:
        """The first that asks others so often, or through so many, that it could take too long."""
        costs, own = _CostsOfAnswers(self._answers, [each for each, _ in self._pairs]), CostModel()
        for decider in self._in_order():
            for expr in _expressions(decider):
                cost = costs.cost_of(expr)
                asked = cost.work - own.cost_of(expr).work
                if asked > MAX_ASKED or cost.exceeds_limit(1):
                    help_ = "ask less of what other norms and quantities decide, or ask it once"
                    yield Diagnostic("KB303", decider.span, _TOO_LONG, help_)
                    return

    def _in_order(self) -> Iterator[Decider]:
        """All, each after those that decide what it asks."""
        left = dict.fromkeys(range(len(self._pairs)))
        while left:
            open_ = {question for at in left for question in _answered(self._pairs[at][0])}
            ready = [at for at in left if open_.isdisjoint(self._asks[at])]
            for at in ready:
                del left[at]
                yield self._pairs[at][0]


def _way(
    question: Question, asked_by: Mapping[Question, int], reached: Mapping[int, Question | None]
) -> list[tuple[int, Question]]:
    """The steps from the start to the last question."""
    way = [(asked_by[question], question)]
    while (before := reached[way[0][0]]) is not None:
        way.insert(0, (asked_by[before], before))
    return way


def _written(call: Call) -> str:
    """A word that asks, as an author writes it."""
    values = [str(each.value) for each in call.arguments if isinstance(each, Lit)]
    return values[0] if call.word == "quantity" else f"{call.word.split('(')[0]}({values[0]})"


def _name(decider: Decider) -> str:
    """What a norm or a change says, without its hexes and numbers."""
    if isinstance(decider, QuantityChange):
        return f"change of {decider.quantity}"
    return f"{decider.kind} {', '.join(decider.verbs)}"


def _remedy(question: Question) -> str:
    kind, name = question
    if kind == "quantity":
        return f"let a change of {quoted(name)} ask numbers that do not depend on it"
    return "name the hexes themselves instead; `prefer`, `waive` and `deny` may ask what is open"


def _expressions(decider: Decider) -> list[Expr]:
    """What a norm or a change evaluates."""
    own = decider.amount if isinstance(decider, QuantityChange) else decider.target
    return [expr for expr in (own, decider.guard) if expr is not None]


class _CostsOfAnswers(CostModel):
    """Costs of expressions in which what words ask of norms and changes is counted."""

    LEVELS = 4
    """How deep the engine's own calls are between a word that asks and what answers it."""
    TERRAINS = 12
    """How often words like `dead(build)` ask the same: for each terrain."""

    def __init__(
        self, answers: Mapping[Question, Sequence[int]], deciders: Sequence[Decider]
    ) -> None:
        super().__init__()
        self._answers, self._deciders = answers, deciders

    def of_call(self, call: Call) -> Cost:
        """What it costs besides its arguments to answer a word."""
        question = _question(call)
        deciders = [self._deciders[at] for at in self._answers.get(question or ("", ""), ())]
        costs = [self.cost_of(expr) for each in deciders for expr in _expressions(each)]
        if not costs:
            return super().of_call(call)
        times = 1 if call.word in ("quantity", "open(verb)", FORBIDDEN) else self.TERRAINS
        work = 1 + times * sum(cost.work for cost in costs)
        return Cost(work, self.LEVELS + max(cost.depth for cost in costs))


# what boxes list, and what rules say


def _table_of(kind: str) -> str:
    """The key of a box under which things of a kind of rule are listed."""
    return "tiles" if kind not in CARD_KINDS else f"{kind}s"


class _Matching:
    """Things that a box lists, and the rules that say what they do."""

    def __init__(
        self, rules: Sequence[Rule], catalog: Catalog, parts: BoardParts, silent: Set[str]
    ) -> None:
        self._parts = parts
        self._silent = silent
        self._tiles = {tile.id: tile.kind for tile in catalog.tiles}
        self._cards = {id: "task" if id in catalog.tasks else "card" for id in catalog.cards}
        self._declared = [rule for rule in rules if rule.kind in TILE_KINDS | CARD_KINDS]
        # A rule of no known kind has been reported; it may be the one that is missing.
        self._known = {rule.id for rule in self._declared} | silent
        self._known |= {rule.id for rule in rules if rule.kind not in KINDS}

    def findings(self) -> Iterator[Diagnostic]:
        """Yield rules without an entry, then entries without a rule; a typo is one error."""
        meant: dict[str, Rule] = {}
        for rule in self._declared:
            if rule.id in self._silent or rule.id in self._entries(rule):
                kind = self._entries(rule).get(rule.id, rule.kind)
                if kind != rule.kind:
                    message = f"`{rule.id}` is a {kind} in its box, but a {rule.kind} here"
                    help_ = "use the same word in both places"
                    yield Diagnostic("KB410", rule.span, message, help_)
                continue
            near = suggest(rule.id, self._entries(rule).keys() - self._known)
            if near is None or meant.setdefault(near, rule) is not rule:
                yield self._no_entry(rule)
        for id, kind in {**self._tiles, **self._cards}.items():
            if id in meant:
                yield self._misspelt(id, kind, meant[id])
            elif id not in self._known:
                yield self._no_rule(id, kind)

    def _entries(self, rule: Rule) -> Mapping[str, str]:
        """The things a rule of such a kind may belong to, and the kind each has in its box."""
        return self._tiles if rule.kind in TILE_KINDS else self._cards

    def _no_entry(self, rule: Rule) -> Diagnostic:
        help_ = f"enter `{rule.id}` under `{_table_of(rule.kind)}:` in the box's YAML file"
        message = f"the {rule.kind} `{rule.id}` is in no box"
        return Diagnostic("KB410", rule.span, message, help_)

    def _misspelt(self, id: str, kind: str, rule: Rule) -> Diagnostic:
        """The finding about an entry without a rule, where the rule of a like name has no entry."""
        labels = (Label(rule.span, "this one is in no box"),)
        help_ = f"did you mean `{rule.id}`?"
        return Diagnostic("KB409", self._entry(id, kind), f"`{id}` has no rule", help_, labels)

    def _entry(self, id: str, kind: str) -> Span:
        return self._parts.spans.get((_table_of(kind), id), Span.none("the boxes"))

    def _no_rule(self, id: str, kind: str) -> Diagnostic:
        span = self._entry(id, kind)
        renamed = next((rule for rule in self._declared if rule.replaces == id), None)
        if renamed is not None:
            message = f"`{id}` has no rule: the one that replaces it has another name"
            labels = (Label(span, "listed here"),)
            help_ = f"say `{kind} {id} ... replaces {id}:`"
            return Diagnostic("KB409", _replaced(renamed), message, help_, labels)
        help_ = f"declare it in a rule file: `{kind} {id}:`"
        return Diagnostic("KB409", span, f"`{id}` has no rule", help_)
