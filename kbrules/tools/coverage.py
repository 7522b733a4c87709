"""Coverage: what of each clause was seen in games, counted by file, and the gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import groupby
from operator import or_
from pathlib import Path

from kbrules import diagnostics, hooks
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.syntax import tree
from kbrules.lang.typed import ELEMENT, Call, Expr, Lit, Norm, Sort, Var
from kbrules.library import discovery, reading, store
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.project.project import Project
from kbrules.text import Span, visible
from kbrules.tools import tracing
from kbrules.tools.lint.boards import expressions_of, is_about_options
from kbrules.tools.reports.checked import ClauseData, CountsData, CoverageData, FileCoverageData
from kbrules.tools.reports.report import Block, Findings, Report, ReportTable

# What the checker made of each expression, found by where it is written.


def is_fixed(expr: Expr) -> bool:
    """Whether the board alone decides an expression."""
    return isinstance(expr, Call) and expr.fixed and not is_about_options(expr)


class CheckedExpressions:
    """The checked expressions of some rule sets by places, and where defined words are used."""

    def __init__(self, rulesets: Sequence[Ruleset]) -> None:
        self._expressions: dict[tracing.Place, Expr] = {}
        self._defined_words: dict[tracing.Place, str] = {}
        self._uses: dict[str, set[tracing.Place]] = {}
        for rule in (rule for ruleset in rulesets for rule in ruleset.rules):
            for expr in expressions_of(rule):
                self._expressions.setdefault(tracing.place_of(expr.span), expr)
        for declaration in (each for ruleset in rulesets for each in ruleset.declarations):
            if isinstance(declaration, tree.Define):
                self._defined_words[tracing.place_of(declaration.body.span)] = declaration.name.text
            for node in _names_in(declaration):
                word = node.text if isinstance(node, tree.Name) else node.name
                self._uses.setdefault(word, set()).add(tracing.place_of(node.span))

    def at(self, span: Span) -> Expr | None:
        """What stands at a place means. What a word is defined as means what its uses mean."""
        uses = self.places(span)
        return next((self._expressions[use] for use in uses if use in self._expressions), None)

    def places(self, span: Span) -> list[tracing.Place]:
        """A place and, if a word is defined there, where that word is used, however far away."""
        places = [tracing.place_of(span)]
        for place in places:
            word = self._defined_words.get(place)
            uses = sorted(self._uses.get(word, ())) if word is not None else ()
            places += [use for use in uses if use not in places]
        return places

    def bits(self, span: Span, recorded: Mapping[tracing.Place, int]) -> int:
        """Return what was seen at a place, or wherever the word that is defined there is used."""
        return reduce(or_, (recorded.get(place, 0) for place in self.places(span)))


def _names_in(item: object) -> Iterator[tree.Name | tree.Call]:
    if isinstance(item, tree.Name | tree.Call):
        yield item
    for _, part in tracing.children(item):
        yield from _names_in(part)


# The clauses of rules: what of a text can be reached, and what can come of it.
#
# They are found in the text as it was written, so that only what is written counts: not how it
# is laid out, nor how the engine puts it together.


STEP, PART, SET, TRUTH = "step", "part", "set", "truth"
_STATEMENTS: dict[type, str] = {tree.Norm: "norm", tree.Award: "award", tree.Step: STEP}


class ClauseVerdict(StrEnum):
    """The coverage of a clause after a run."""

    never = "never reached"
    only_yes = "only true"
    only_no = "only false"
    both = "both"
    reached = "reached"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause. `key` names it by its declaration and its place there, whatever the layout.

    kind: norm, change, award, step, truth, set, part (of a set that several words make up), or
    the sort of an expression. yes, no: the bits of its two outcomes; 0 if it has but one.
    bits: those that were seen.
    """

    key: str
    span: Span
    kind: str
    yes: int = 0
    no: int = 0
    bits: int = 0

    @property
    def is_step(self) -> bool:
        """Whether it is something done."""
        return self.kind == STEP

    @property
    def goes_both_ways(self) -> bool:
        """Whether two things can come of it."""
        return bool(self.yes) and not self.is_step

    @property
    def is_reached(self) -> bool:
        """Whether it was evaluated or done at all."""
        return self.bits != 0

    @property
    def verdict(self) -> ClauseVerdict:
        """Its verdict; that of a step without effect is that it was only false."""
        yes, no = self.bits & self.yes, self.bits & self.no
        if not self.bits:
            return ClauseVerdict.never
        if self.is_step:
            return ClauseVerdict.reached if yes else ClauseVerdict.only_no
        if not self.goes_both_ways:
            return ClauseVerdict.reached
        if yes and no:
            return ClauseVerdict.both
        return ClauseVerdict.only_yes if yes else ClauseVerdict.only_no


def clauses_of(rulesets: Iterable[Ruleset], expressions: CheckedExpressions) -> list[Clause]:
    """Return the clauses of some rule sets, in the order of files and of lines in them."""
    by_place: dict[object, Clause] = {}
    for ruleset in rulesets:
        for declaration in ruleset.declarations:
            place = tracing.place_of(declaration.span)
            if place not in by_place:
                by_place[place] = Clause("", declaration.span, "")
                by_place |= {
                    (place, c.key): c for c in _ClauseWalk(expressions).declaration(declaration)
                }
    clauses = (clause for clause in by_place.values() if clause.key)
    return sorted(clauses, key=lambda c: (c.span.source.name, c.span.start, -c.span.end))


class _ClauseWalk:
    """A walk over one declaration."""

    def __init__(self, expressions: CheckedExpressions) -> None:
        self._expressions = expressions
        self._bound: frozenset[str] = frozenset()
        self._is_define = False
        self._is_of_tile = False

    def declaration(self, node: tree.Declaration) -> Iterator[Clause]:
        """The clauses of a declaration."""
        if isinstance(node, tree.Rule):
            self._is_of_tile = node.kind.text in TILE_KINDS
            yield from self._statements(node.body, f"{node.kind.text}/{node.name.text}")
        elif isinstance(node, tree.Steps):
            self._bound = frozenset(name.text for name, _ in node.parameters)
            yield from self._statements(node.body, f"steps/{node.name.text}")
        elif isinstance(node, tree.Define):
            self._is_define = True
            self._bound = frozenset(name.text for name, _ in node.parameters)
            yield from self._expression(node.body, f"define/{node.name.text}", "")

    def _statements(self, item: object, key: str) -> Iterator[Clause]:
        if isinstance(item, tree.Expression):
            yield from self._expression(item, key, "")
            return
        if isinstance(item, tree.Norm | tree.Award | tree.Step):
            yield Clause(key, item.span, _STATEMENTS[type(item)], tracing.YES, tracing.NO)
        elif isinstance(item, tree.Change):
            # One without a condition, on nothing that could be lost, always applies.
            two_ways = (tracing.YES, tracing.NO) if item.guard or self._is_of_tile else (0, 0)
            yield Clause(key, item.span, "change", *two_ways)
        for name, part in tracing.children(item):
            yield from self._statements(part, f"{key}/{name}")

    def _expression(self, node: tree.Expression, key: str, chain: str) -> Iterator[Clause]:
        """The clauses of an expression; `chain` is the chain of sets that it is a part of."""
        expr = self._expressions.at(node.span)
        if self._is_no_clause(node, expr, chain):
            return
        yield self._clause(node, key, expr, chain)
        if expr is None or not is_fixed(expr):
            yield from self._parts_of(node, key, expr)

    def _is_no_clause(self, node: object, expr: Expr | None, chain: str) -> bool:
        """Whether it is no clause: a literal, a name bound elsewhere, a word of a step."""
        if isinstance(node, tree.Number | tree.Truth | tree.Hole):
            return True
        if isinstance(node, tree.Name) and node.text in self._bound:
            return True
        if expr is None:
            return not self._is_define
        return isinstance(expr, Lit) or (isinstance(expr, Var) and not chain)

    def _clause(self, node: tree.Expression, key: str, expr: Expr | None, chain: str) -> Clause:
        if expr is None:
            return Clause(key, node.span, "word")
        if chain:
            return Clause(key, node.span, PART, tracing.PASSED, tracing.EXCLUDED)
        if expr.sort is Sort.TRUTH:
            kind, two_ways = TRUTH, not is_fixed(expr)
        elif expr.sort in ELEMENT:
            # A set is looked at for being empty if it is made of others, or run through.
            may_be_empty = not isinstance(node, tree.Name) or key.endswith("/domain")
            kind, two_ways = SET, not is_fixed(expr) and may_be_empty
        else:
            kind, two_ways = expr.sort.value, False
        bits = (tracing.YES, tracing.NO) if two_ways else (0, 0)
        return Clause(key, node.span, kind, *bits)

    def _parts_of(self, node: tree.Expression, key: str, expr: Expr | None) -> Iterator[Clause]:
        chain = _kind(expr)
        if isinstance(node, tree.Operator) and chain in (INTERSECTION, UNION):
            yield from self._operands(node, key, chain)
            return
        for name, part in tracing.children(node):
            yield from self._nested(part, f"{key}/{name}")

    def _nested(self, item: object, key: str) -> Iterator[Clause]:
        if isinstance(item, tree.Expression):
            yield from self._expression(item, key, "")
        elif isinstance(item, tuple):
            for name, part in tracing.children(item):
                yield from self._nested(part, f"{key}/{name}")

    def _operands(self, node: tree.Operator, key: str, chain: str) -> Iterator[Clause]:
        """The parts of a chain; one that begins with another of its kind goes on from there."""
        for number, operand in enumerate(node.operands):
            expr = self._expressions.at(operand.span)
            continues = (
                (number == 0 or chain == UNION)
                and expr is not None
                and _kind(expr) == chain
                and not is_fixed(expr)
            )
            if continues and isinstance(operand, tree.Operator):
                yield from self._operands(operand, f"{key}/{number}", chain)
            else:
                yield from self._expression(operand, f"{key}/{number}", chain)


def _kind(expr: Expr | None) -> str:
    """How an expression joins its operands; empty if it does not."""
    return tracing.operator_kind(expr.word) if isinstance(expr, Call) else ""


# Coverage measured: what was seen of each clause, counted by file and in all.


def counts_of(clauses: Iterable[Clause]) -> CountsData:
    """Return how many clauses and steps there are, and how many were reached."""
    steps: list[Clause] = []
    conditions: list[Clause] = []
    for each in clauses:
        (steps if each.is_step else conditions).append(each)
    two_way = [each for each in conditions if each.goes_both_ways]
    reached, fired = (sum(each.is_reached for each in some) for some in (conditions, steps))
    both = sum(each.verdict is ClauseVerdict.both for each in two_way)
    return CountsData(
        clauses=len(conditions),
        reached=reached,
        two_way=len(two_way),
        both=both,
        steps=len(steps),
        fired=fired,
        changed=sum(each.verdict is ClauseVerdict.reached for each in steps),
        reached_percent=percentage(reached + fired, len(conditions) + len(steps)),
        both_percent=percentage(both, len(two_way)),
    )


def percentage(part: int, whole: int) -> float:
    """A percentage with one decimal, rounded down: only all of it is 100."""
    return 100.0 if part == whole else part * 1000 // whole / 10


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was seen of all clauses, in the order of files and of lines in them."""

    clauses: tuple[Clause, ...]

    @property
    def counts(self) -> CountsData:
        """The counts of all."""
        return counts_of(self.clauses)

    def files(self) -> Iterator[tuple[str, Sequence[Clause]]]:
        """The files with clauses, and what was seen of those."""
        for name, group in groupby(self.clauses, lambda each: each.span.source.name):
            yield name, tuple(group)

    def only(self, *verdicts: ClauseVerdict) -> list[Clause]:
        """The clauses with one of these verdicts."""
        return [each for each in self.clauses if each.verdict in verdicts]


def coverage_of(
    rulesets: Sequence[Ruleset],
    recorded: Mapping[tracing.Place, int],
    is_selected: Callable[[str], bool],
) -> Coverage:
    """Return the coverage of the clauses in the files that are selected by name."""
    expressions = CheckedExpressions(rulesets)
    clauses = clauses_of(rulesets, expressions)
    selected = (clause for clause in clauses if is_selected(clause.span.source.name))
    return Coverage(
        tuple(replace(each, bits=expressions.bits(each.span, recorded)) for each in selected)
    )


# The entry of coverage: the trace of games, and the measure of what was seen in them.


class CoverageTrace(tracing.Trace):
    """What was seen of all rules of the games that are traced, of any number of rule sets.

        trace = CoverageTrace()
        game = Game(ruleset, board, 2, linking=trace.linking)
        ...
        seen = trace.take()      # the bits of each place since the last `take`

    Kernels are not traced: the reference evaluates every expression.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rulesets: list[Ruleset] = []
        self._linkers: dict[int, tracing.TracingLinker] = {}

    def linking(self, ruleset: Ruleset) -> tracing.TracingLinker:
        """How the games of a rule set evaluate their expressions while they are traced."""
        if id(ruleset) not in self._linkers:
            self.rulesets.append(ruleset)
            self._linkers[id(ruleset)] = tracing.TracingLinker(ruleset, self)
        return self._linkers[id(ruleset)]

    def norm(self, kind: str, norm: Norm | None) -> tracing.EvaluationRecord | None:
        """A permit is judged by whether it permits anything, not by what others permit."""
        return None if kind == tracing.PERMITS else super().norm(kind, norm)


class CoverageRun:
    """Projects whose games are watched. Begin once all is collected; what was laid out until
    then does not count. on_progress: told how many files are read."""

    def __init__(self, on_progress: hooks.OnProgress = hooks.silent) -> None:
        self._trace = CoverageTrace()
        self._files = store.Files(on_progress=on_progress)

    def project(
        self, paths: Sequence[Path], boxes: Sequence[str] = (), folders: Sequence[Path] = ()
    ) -> Project:
        """Return the project of some paths, the games of which are watched."""
        linking = self._trace.linking
        return Project.to_test(paths, boxes, folders, linking=linking, files=self._files)

    def begin(self) -> None:
        """Forget what was seen so far."""
        self._trace.take()

    def end(self, paths: Sequence[Path]) -> Coverage:
        """What was seen of the rules that are meant by the paths that were run.

        These are an author's own, where there are such; else the rule files among the paths, and
        where there is none, all that were loaded.
        """
        project = Project(paths) if paths else Project.here()
        own = [file for box in project.boxes() for file in discovery.rule_files(box.folder)]
        counted = own or [file.path for file in project.files("rules") if paths]
        files = {reading.real_path(file) for file in counted}

        def is_selected(name: str) -> bool:
            return not files or reading.real_path(Path(name)) in files

        return coverage_of(self._trace.rulesets, self._trace.take(), is_selected)


# The report of coverage: a table by file, and each gap with its source.


GAPS = (ClauseVerdict.never, ClauseVerdict.only_yes, ClauseVerdict.only_no)
_OUTCOMES: Mapping[tuple[str, ClauseVerdict], str] = {
    (TRUTH, ClauseVerdict.only_yes): "it always held",
    (TRUTH, ClauseVerdict.only_no): "it never held",
    (SET, ClauseVerdict.only_yes): "it was never empty",
    (SET, ClauseVerdict.only_no): "it was always empty",
    (PART, ClauseVerdict.only_yes): "no hex was kept out by it alone",
    (PART, ClauseVerdict.only_no): "it let no hex through",
    ("norm", ClauseVerdict.only_yes): "it made a difference every time",
    ("norm", ClauseVerdict.only_no): "it never made a difference",
    ("change", ClauseVerdict.only_yes): "it applied every time",
    ("change", ClauseVerdict.only_no): "it never applied",
    ("award", ClauseVerdict.only_yes): "it paid every time",
    ("award", ClauseVerdict.only_no): "it never paid",
    (STEP, ClauseVerdict.only_no): "it was done, and nothing came of it",
}
_HEADS = ("clauses", "reached", "both ways", "steps", "fired", "changed")


def coverage_report(coverage: Coverage) -> Report:
    """A table by file, and each gap with its source."""
    blocks: list[Block] = [_table(coverage)]
    for verdict in GAPS:
        if gaps := coverage.only(verdict):
            gaps_shown = _outermost(gaps) if verdict is ClauseVerdict.never else gaps
            texts = ("\n".join([_line(gap), *diagnostics.excerpt(gap.span)]) for gap in gaps_shown)
            blocks.append(Findings(tuple(texts), f"{verdict.value}: {len(gaps)}"))
    lines = [*map(_line, coverage.only(*GAPS))]
    return Report("Coverage", blocks, coverage_data(coverage), lines, _summary(coverage))


def _outermost(gaps: Sequence[Clause]) -> list[Clause]:
    """Those that lie in no other: what was not reached has parts that were not, either."""
    outermost: list[Clause] = []
    for each in gaps:
        span = each.span
        last = outermost[-1].span if outermost else None
        if last is None or last.source.name != span.source.name or last.end < span.end:
            outermost.append(each)
    return outermost


def _summary(coverage: Coverage) -> str:
    """How much was reached, and how much of what can go both ways did."""
    counts = coverage.counts
    return (
        f"{counts.reached_percent} % of {counts.clauses + counts.steps} clauses reached, "
        f"{counts.both_percent} % of {counts.two_way} both ways"
    )


def _table(coverage: Coverage) -> ReportTable:
    """A row for each file, and one for all."""
    rows = [(visible(name), *_cells(counts_of(clauses))) for name, clauses in coverage.files()]
    return ReportTable(("", *_HEADS), (*rows, ("all", *_cells(coverage.counts))))


def _cells(counts: CountsData) -> tuple[str, ...]:
    both = f"{counts.both}/{counts.two_way}"
    numbers = (counts.clauses, counts.reached, both, counts.steps, counts.fired, counts.changed)
    return tuple(map(str, numbers))


def _line(each: Clause) -> str:
    """The place of a gap, and what is missing there."""
    span = each.span
    outcome = _OUTCOMES.get((each.kind, each.verdict))
    text = f"{each.verdict.value}: {outcome}" if outcome else each.verdict.value
    if span.row is not None:
        text += f" (for the row in line {span.row.line})"
    return f"{visible(span.source.name)}:{span.line}:{span.column}: {text}"


def coverage_data(coverage: Coverage) -> CoverageData:
    """Return the counts of all and of each file, and what was seen of each clause."""
    files = (
        FileCoverageData(file=name, **vars(counts_of(clauses)), of=tuple(_clauses(clauses)))
        for name, clauses in coverage.files()
    )
    return CoverageData(**vars(coverage.counts), files=tuple(files))


def _clauses(clauses: Sequence[Clause]) -> Iterator[ClauseData]:
    for each in clauses:
        two_way = each.goes_both_ways
        yield ClauseData.from_value(
            each.span,
            key=each.key,
            kind=each.kind,
            verdict=each.verdict.value,
            reached=each.is_reached,
            yes=bool(each.bits & each.yes) if two_way or each.is_step else None,
            no=bool(each.bits & each.no) if two_way else None,
        )
