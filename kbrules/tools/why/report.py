"""The answer to a question, its picture, and its report for people and programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import groupby, islice
from operator import or_
from typing import Any, Literal

from kbrules.engine.derivation import MoveDerivation, StepDerivation, Verdict
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import gains_of
from kbrules.engine.scoring import cut_off
from kbrules.game.board import Board as Grid
from kbrules.game.moves import OWN_VERBS, write_move
from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.lang.typed import Rule, Sort
from kbrules.library.reading import place_of
from kbrules.scenario.report import EARNED, board_text, visible_pieces
from kbrules.text import Span, visible
from kbrules.tools.pictures.board import Picture, board_svg
from kbrules.tools.positions import Events
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Board, Lines, Report, Style
from kbrules.tools.why import evaluation, moves, questions
from kbrules.tools.why.moves import ChangesData

# Answers to questions: moves explained, or gold by clause.


@dataclass(frozen=True, slots=True)
class MovesAnswer:
    """Moves explained, the likeliest first, and the smallest change that makes the first legal.

    `changes` is None if the first is legal, or no change can make it so.
    """

    game: Game
    question: questions.AboutMoves
    explained: tuple[moves.ExplainedMove, ...]
    changes: ChangesData | None


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """What rules and cards pay a player, and the player's number on the score sheet for it.

    gained: the gold got in play, by the rule in question or by all. gains: what each rule gave of
    it; None where it is not known what happened before the position.
    """

    game: Game
    state: State
    question: questions.AboutGold
    points: tuple[evaluation.Points, ...]
    gained: int
    gains: Mapping[str, int] | None

    @property
    def total(self) -> int:
        """All that is in question, added up."""
        return sum(each.gold for each in self.points) + self.gained


def answer(
    game: Game, state: State, question: questions.Question, events: Events | None = None
) -> MovesAnswer | GoldAnswer:
    """The answer to a question about a position; events: returns what happened before it."""
    if isinstance(question, questions.AboutGold):
        gains = None if events is None else gains_of(events(), question.player)
        return _gold_answer(game, state, question, gains)
    explained = [moves.explain_move(game, question.state, move) for move in question.moves]
    explained.sort(key=lambda each: not each.derivation.legal)
    first = explained[0].derivation
    needs_hex = first.hex < 0 and first.move.verb not in OWN_VERBS
    is_settled = first.legal or first.move.verb == "draw" or needs_hex
    search = None if is_settled else moves.smallest_change(game, question.state, first.move)
    return MovesAnswer(game, question, tuple(explained), search)


def _gold_answer(
    game: Game, state: State, question: questions.AboutGold, gains: Mapping[str, int] | None
) -> GoldAnswer:
    player, rule = question.player, question.rule
    if rule is None:
        points = evaluation.sheet_of(game, state, player)
        return GoldAnswer(game, state, question, tuple(points), state.seats[player].gold, gains)
    own = None if gains is None else {id: gold for id, gold in gains.items() if id == rule.id}
    gained = sum(own.values()) if own else 0
    of_rule = evaluation.points_of(game, state, player, rule)
    return GoldAnswer(game, state, question, (of_rule,), gained, own)


# The board of an answer: the hexes that pay, or the hex in question, are marked.


QUESTIONED, LEGAL = "?", "+"


def _board(answer: MovesAnswer | GoldAnswer) -> Board:
    """Return the board with what the answer speaks of marked; a terminal has that of one card."""
    if not isinstance(answer, GoldAnswer):
        return _drawn(answer, answer.question.state, _signs(answer), "What is legal")
    hexes = reduce(or_, (points.hexes for points in answer.points), 0)
    board = _drawn(answer, answer.state, {EARNED: hexes}, "What pays")
    if answer.question.rule is None:
        return board
    lines = board_text(answer.game, answer.state, {EARNED: hexes}).split("\n")
    return replace(board, lines=tuple(lines))


def _signs(answer: MovesAnswer) -> dict[str, Mask]:
    first = next(iter(answer.explained), None)
    if first is None or first.derivation.hex < 0:
        return {}
    derivation = first.derivation
    asked, (verb, rule, _) = 1 << derivation.hex, derivation.move
    groups = derivation.moves.groups
    legal = reduce(or_, (g.hexes for g in groups if (g.verb, g.rule) == (verb, rule)), 0)
    return {QUESTIONED: asked, LEGAL: legal & ~asked}


def _drawn(
    answer: MovesAnswer | GoldAnswer, state: State, signs: Mapping[str, Mask], title: str
) -> Board:
    picture = Picture(answer.game.board, visible_pieces(state), signs, title)
    return Board((), partial(board_svg, picture))


# Why a move is legal or not, in lines: the sentences that decide, clause by clause.
#
# Lines that speak for a move begin with `+`, those against it with `x`.


FOR, AGAINST, IDLE = "+", "x", " "
_MARKS = {"for": FOR, "against": AGAINST, "": IDLE}
_STYLES = {FOR: Style.good, AGAINST: Style.bad, IDLE: Style.plain}

Line = tuple[str, Style]


def _plain(lines: Iterable[str]) -> list[Line]:
    return [(line, Style.plain) for line in lines]


def _marked(mark: str, text: str) -> Line:
    return f"{mark} {text}", _STYLES[mark]


def concise_lines(answer: MovesAnswer) -> list[Line]:
    """Whether the first of the moves is legal, and after what."""
    board = answer.game.board
    before = [f"after `{write_move(move, board)}`:" for move in answer.question.before]
    if not answer.explained:
        return _plain([*before, "nothing can be decided now"])
    derivation = answer.explained[0].derivation
    verdict = "is legal" if derivation.legal else "is not legal"
    player = derivation.player
    for_player = f" for {questions.player_text(player)}" if player >= 0 else ""
    text = f"`{write_move(derivation.move, board)}` {verdict}{for_player}"
    return [*_plain(before), (text, Style.strong)]


def moves_lines(answer: MovesAnswer) -> list[Line]:
    """Why moves are legal or not: the first of them in full, a line for each other."""
    if not answer.explained:
        return concise_lines(answer)
    first, *others = answer.explained
    derivation = first.derivation
    *before, verdict = concise_lines(answer)
    cut = _plain(f"cut off before: {sentence}" for sentence in cut_off(derivation.state))
    lines = [*before, *cut, verdict]
    if derivation.hex >= 0:
        lines += _plain([hex_text(derivation)])
    lines += _plain(_sentences(derivation))
    if derivation.step is not None and derivation.hex >= 0:
        lines += [("", Style.plain), *_step_lines(first, derivation.step)]
    nearest = derivation.refusal().nearest_text
    more = [nearest.split("\n")] if nearest else []
    more += [_changes(answer.changes)] if answer.changes is not None else []
    more += [list(_others(others))] if others else []
    return [*lines, *_plain(line for block in more for line in ("", *block))]


def hex_text(derivation: MoveDerivation) -> str:
    """What a hex is and who stands there."""
    board, hex, state = derivation.game.board, derivation.hex, derivation.state
    kind = board.catalog.hexes[board.kind_at(hex)].title
    occupant = "free"
    for player, seat in enumerate(state.seats):
        for piece, mask in enumerate(seat.pieces):
            if mask >> hex & 1:
                owner = questions.player_text(player)
                occupant = f"a {board.catalog.pieces[piece].title.lower()} of {owner}"
    if occupant == "free" and state.occupied >> hex & 1:
        occupant = "a piece of nobody"
    return f"{board.grid.name(hex)} is {kind.lower()}, {occupant}"


# Sentences


def _sentences(derivation: MoveDerivation) -> Iterator[str]:
    """The sentences that decide: of a refusal each clause of it, of a legal move its rule."""
    ruleset = derivation.game.ruleset
    if derivation.legal:
        rule = ruleset.rule(derivation.move.rule)
        if rule is not None and derivation.step is not None:
            yield ""
            yield from sentence_lines(rule, derivation.step.step.span)
    for verdict in derivation.verdicts:
        yield ""
        yield f"{verdict.rule}: {verdict.text}"
        if verdict.span is not None:
            rule = ruleset.rule(verdict.rule)
            yield from _lines_of("" if rule is None else rule.wording, verdict.span)


def sentence_lines(rule: Rule, span: Span) -> Iterator[str]:
    """A rule's title, wording, and a line of its text with the place."""
    yield f"{rule.title or rule.id}"
    yield from _lines_of(rule.wording, span)


def _lines_of(wording: str, span: Span) -> Iterator[str]:
    if wording:
        yield f'  "{visible(wording)}"'
    if span.source.text:
        yield f"  {span.line:>4} | {visible(span.source.line_text(span.line).strip())}"
        yield f"       {place_of(span)}"


# Clauses


def _step_lines(move: moves.ExplainedMove, step: StepDerivation) -> Iterator[Line]:
    hex, own = move.derivation.hex, move.own_set
    yield f"clause by clause at {step.view.board.grid.name(hex)}:", Style.plain
    if own is not None:
        place = place_of(step.step.span)
        yield _marked(FOR if own.holds else AGAINST, f"{step.verb} on   {place}")
        yield from clause_lines(own, hex, 2)
    for obstacle in move.obstacles:
        yield _marked(AGAINST, obstacle)
    for norm in move.norms:
        if norm.applies:
            yield from _norm_lines(norm, hex)
    for norm in move.norms:
        if not norm.applies:
            what = f"{norm.verdict.cause} of {norm.verdict.rule}"
            yield _marked(IDLE, f"{what}: {norm.note}   {_place_text(norm.verdict)}")


def _place_text(verdict: Verdict) -> str:
    return "" if verdict.span is None else place_of(verdict.span)


def _norm_lines(norm: moves.ExplainedNorm, hex: int) -> Iterator[Line]:
    verdict = norm.verdict
    note = f" ({norm.note})" if norm.note else ""
    text = f"{verdict.cause} of {verdict.rule}{note}   {_place_text(verdict)}"
    yield _marked(_MARKS[verdict.speaks], text)
    for clause, at, head in ((norm.target, hex, ""), (norm.guard, -1, "if ")):
        if clause is not None:
            parts = clause_lines(clause, at, 2, head)
            yield from parts if verdict.speaks else islice(parts, 1)


def clause_lines(
    clause: evaluation.EvaluatedClause, hex: int, depth: int, head: str = ""
) -> Iterator[Line]:
    """A clause and its parts, each a line: how it is written, in or out, and its value."""
    result = _result_text(clause, hex)
    mark = AGAINST if clause.is_wrong else IDLE
    text = f"{head}{visible(clause.text)}"
    if clause.item is not None:
        text = f"{evaluation.bound_text(clause.view.board, *clause.item)}: {text}"
    yield f"{mark}{' ' * (2 * depth - 1)}{text}   {result}", _STYLES[mark]
    if clause.definition is not None:
        words = f'"{visible(clause.definition.wording)}"   {place_of(clause.definition.span)}'
        yield f"{' ' * (2 * depth + 2)}{words}", Style.plain
    for part in clause.parts:
        if not part.text.isdigit():
            inner = hex if part.holds is not None else -1
            yield from clause_lines(part, inner, depth + 1)


def _result_text(clause: evaluation.EvaluatedClause, hex: int) -> str:
    parts = []
    if clause.holds is not None and hex >= 0 and clause.expr.sort == "hexes":
        parts.append("in" if clause.holds else "out")
    near = evaluation.nearest_text(clause, hex)
    parts.append(near or evaluation.value_text(clause))
    return ", ".join(parts)


# Changes and other moves


def _changes(search: ChangesData) -> list[str]:
    if not search.tried:
        return ["no change was looked for, as nobody decides now"]
    if search.found:
        head = "the smallest change that makes it legal:"
        if search.size > 1:
            head = "no single change makes it legal; together these do:"
        return [head, *(f"  {', and '.join(texts)}" for texts in search.found)]
    tried = f"{search.tried} positions were tried"
    if not search.size:
        return [f"no change that makes it legal was found in time; {tried}"]
    if search.size == 1:
        return [f"no single change makes it legal; {tried}"]
    return [f"no change makes it legal, nor any {search.size} together that were tried; {tried}"]


def _others(others: list[moves.ExplainedMove]) -> Iterator[str]:
    yield "also there:"
    for derivation in (each.derivation for each in others):
        text = write_move(derivation.move, derivation.game.board)
        if derivation.legal:
            yield f"  `{text}` is legal"
            continue
        verdict = derivation.verdicts[0]
        yield f"  `{text}` is not: {verdict.rule}: {verdict.text}"


# Gold for people: item by item and clause by clause, added up, and the board that shows it.


RoundWriter = Callable[[Grid, evaluation.Round], Iterator[str]]
MAX_PARTS = 40
"""Lines of parts of one award; the rest is summed up."""


def gold_lines(answer: GoldAnswer) -> list[str]:
    """What a player is paid: of one card everything, of the whole sheet card by card."""
    board = answer.game.board
    who = questions.player_text(answer.question.player)
    if answer.question.rule is not None:
        return _gold_of_rule(answer, answer.points[0], who)
    lines = [f"{who} has {answer.total} gold"]
    for points in answer.points:
        lines += ["", f"{points.rule.title or points.rule.id}: {points.gold}"]
        lines += _points(board, points, _short_round)
    lines += ["", *_gained(answer)] if answer.gained or answer.gains else []
    sums = [points.gold for points in answer.points] + ([answer.gained] if answer.gained else [])
    lines += ["", f"{' + '.join(map(str, sums)) or '0'} = {answer.total}"]
    lines += [f"cut off: {sentence}" for sentence in cut_off(answer.state)]
    return lines


def _gold_of_rule(answer: GoldAnswer, points: evaluation.Points, who: str) -> list[str]:
    board, rule, steps = answer.game.board, points.rule, questions.gold_steps(points.rule)
    span = rule.awards[0].span if rule.awards else steps[0].span
    lines = [f"{rule.title or rule.id} pays {who} {answer.total} gold", ""]
    lines += [*sentence_lines(rule, span), ""]
    lines += _points(board, points, _full_round) if rule.awards else []
    if answer.gains is not None and (steps or answer.gained):
        lines.append(f"  gained in play: {answer.gained}")
    elif steps:
        lines.append("  what it paid in play is not known here: the position has no history")
    return lines


def _gained(answer: GoldAnswer) -> Iterator[str]:
    """The gold gained in play, by rule where that is known."""
    yield f"gained in play: {answer.gained}"
    gains = answer.gains or {}
    for rule, gold in gains.items():
        yield f"  {_title(answer.game, rule)}: {gold}"
    before = answer.gained - sum(gains.values())
    if gains and before:
        yield f"  before the first move: {before}"


def _title(game: Game, rule: str) -> str:
    found = game.ruleset.rule(rule)
    return rule if found is None else found.title or rule


def _points(board: Grid, points: evaluation.Points, writer: RoundWriter) -> Iterator[str]:
    """Every award of a rule, round by round, and the sum."""
    for award, rounds in groupby(points.rounds, key=lambda each: each.award):
        yield f"  {visible(award.span.one_line)}   {place_of(award.span)}"
        for each in rounds:
            yield from writer(board, each)
    sums = [each.gold for each in points.rounds if each.gold]
    if len(sums) > 1:
        yield f"  {' + '.join(map(str, sums))} = {points.gold}"
    if not points.rounds:
        yield "  there is nothing to count"


def _head(board: Grid, round: evaluation.Round) -> str:
    items = [evaluation.bound_text(board, *item) for item in round.items]
    return f"    {', '.join(items) or 'pays'}: {round.gold}"


def _short_round(board: Grid, round: evaluation.Round) -> Iterator[str]:
    """What an award paid, without its clauses; hexes that pay alike share a line."""
    if round.items and round.gold:
        yield _head(board, round)
    for gold, group in groupby(round.parts, key=lambda part: part.gold):
        parts = list(group)
        if len(parts) == 1 or any(part.sort is not Sort.HEXES for part in parts):
            yield from (f"    {part.gold:>4}  {_part_text(board, part)}" for part in parts)
        else:
            hexes = reduce(or_, (part.hexes for part in parts))
            where = evaluation.short_list(board, hexes, MAX_PARTS)
            yield f"    {gold * len(parts):>4}  {gold} each: {where}"


def _full_round(board: Grid, round: evaluation.Round) -> Iterator[str]:
    yield _head(board, round)
    if not round.gold and round.items:
        yield f"      {_why_nothing(round)}"
    else:
        for name, clause in round.clauses:
            if not (name == "gold" and not clause.parts):
                yield from _clause_texts(clause, f"{name} ")
    for place in round.places:
        at = f" ({evaluation.short_list(board, place.hexes)})" if place.hexes else ""
        yield f"      {questions.player_text(place.player)}: {place.value}, place {place.place}{at}"
    yield from _parts(board, round)
    for clause in round.failed_conditions:
        yield from _clause_texts(clause, "if ")
    for clause, hexes in round.excluded:
        count = hexes.bit_count()
        subject = "1 piece is" if count == 1 else f"{count} pieces are"
        names = evaluation.short_list(board, hexes, 12)
        yield f"      {subject} kept out by `{visible(clause.text)}` alone: {names}"


def _clause_texts(clause: evaluation.EvaluatedClause, head: str) -> Iterator[str]:
    return (text for text, _ in clause_lines(clause, -1, 3, head))


def _why_nothing(round: evaluation.Round) -> str:
    """Why a round of a loop paid nothing, in a few words."""
    for name, clause in round.clauses:
        if name == "if" and not clause.value:
            return f"`{visible(clause.text)}` does not hold"
    if round.places:
        return f"this pays for place {round.award.rank}"
    return "there is nothing to count"


def _parts(board: Grid, round: evaluation.Round) -> Iterator[str]:
    for part in round.parts[:MAX_PARTS]:
        yield f"    {part.gold:>4}  {_part_text(board, part)}"
    if rest := round.parts[MAX_PARTS:]:
        yield f"    {sum(part.gold for part in rest):>4}  {len(rest)} more"


def _part_text(board: Grid, part: evaluation.AwardPart) -> str:
    items = ", ".join(evaluation.item_text(board, part.sort, item) for item in part.items)
    if part.sort is not Sort.HEXES or not part.hexes:
        return items or "as a whole"
    hexes = evaluation.short_list(board, part.hexes, 12)
    is_plain = items == hexes or all(item.bit_count() <= 1 for item in part.items)
    return hexes if is_plain else f"{items}: {hexes}"


# The report of an answer: lines for people with what speaks for a move in colour, and its data.


def why_report(answer: MovesAnswer | GoldAnswer, position: str) -> Report:
    """The report about a position, named unless the reader is in it."""
    if isinstance(answer, GoldAnswer):
        lines = _plain(gold_lines(answer))
        concise = lines[:1]
    else:
        lines, concise = moves_lines(answer), concise_lines(answer)
    texts, styles = zip(*lines, strict=True)
    shown = Lines(texts, styles, f"{position}:" if position else "")
    concise_texts = [text for text, _ in concise]
    return Report(position, [shown, _board(answer)], why_data(answer, position), concise_texts)


# The data of an answer.


class PlaceData(Part):
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int


class ClauseData(Part):
    """A clause of a rule, evaluated at a hex or for an item."""

    text: str
    item: str | None
    """The item of a loop for which it is evaluated."""
    at: PlaceData | None
    sort: str
    value: Any
    """Names of hexes, lists of them, a number, true or false, or a text."""
    holds: bool | None
    """Whether it is true, or the hex in question is in it; null for other values."""
    wrong: bool
    """Whether it speaks against the move."""
    taken_away: bool
    """Whether it is subtracted from the rest."""
    define: str | None
    """The define that it names."""
    parts: tuple[ClauseData, ...]


class ReasonData(Part):
    """A reason why a move is refused."""

    rule: str
    text: str
    at: PlaceData | None


class NormData(Part):
    """A norm, and what it does to a move."""

    kind: str
    """`permit`, `forbid`, `prefer`, `waive` or `deny`."""
    rule: str
    applies: bool
    speaks: str
    """`for` or `against` the move; empty if it does neither."""
    note: str
    at: PlaceData | None
    on: ClauseData | None
    """Its hexes."""
    if_: ClauseData | None
    """Its condition."""


class MoveData(Part):
    """Whether a move is legal, and why."""

    move: str
    legal: bool
    reasons: tuple[ReasonData, ...]
    nearest: tuple[str, ...]
    """The nearest hexes where it would be legal."""
    obstacles: tuple[str, ...]
    """What else is in its way."""
    on: ClauseData | None
    """The hexes that the step names."""
    norms: tuple[NormData, ...]


class WhyMovesData(Data):
    """What `kbrules why` says of moves."""

    position: str
    about: Literal["moves"] = "moves"
    before: tuple[str, ...]
    """Moves made before those in question."""
    moves: tuple[MoveData, ...]
    changes: ChangesData | None
    """Null if nothing was looked for."""


class AwardPartData(Part):
    """What one thing pays."""

    gold: int
    hexes: tuple[str, ...]
    items: tuple[str, ...]


class RankData(Part):
    """The rank of a player."""

    player: str
    value: int
    place: int
    hexes: tuple[str, ...]


class RoundData(Part):
    """What an award pays for one item of its loops."""

    text: str
    at: PlaceData | None
    for_: Mapping[str, str]
    """The items by the names of the loops."""
    gold: int
    parts: tuple[AwardPartData, ...]
    places: tuple[RankData, ...]
    clauses: Mapping[str, ClauseData]
    passed_over: tuple[ClauseData, ...]
    """Conditions that are false."""
    kept_out: Mapping[str, tuple[str, ...]]
    """Hexes that one clause alone excludes, by its text."""


class RulePointsData(Part):
    """What a rule pays at the end of the game."""

    rule: str
    title: str
    gold: int
    hexes: tuple[str, ...]
    """Hexes that pay."""
    rounds: tuple[RoundData, ...]


class WhyGoldData(Data):
    """What `kbrules why` says of gold."""

    position: str
    about: Literal["gold"] = "gold"
    player: str
    gold: int
    gained: int
    """Gold gained in play."""
    gains: Mapping[str, int] | None
    """Gold gained in play by rule; null if it is not known what happened before the position."""
    rules: tuple[RulePointsData, ...]


WhyData = WhyMovesData | WhyGoldData


def why_data(answer: MovesAnswer | GoldAnswer, position: str) -> WhyData:
    """Return an answer as data; hexes have names."""
    board = answer.game.board
    if isinstance(answer, GoldAnswer):
        return WhyGoldData.from_value(
            answer,
            position=position,
            player=player_name(answer.question.player),
            gold=answer.total,
            rules=tuple(_points_data(board, each) for each in answer.points),
        )
    return WhyMovesData(
        position=position,
        before=tuple(write_move(move, board) for move in answer.question.before),
        moves=tuple(_move_data(board, each) for each in answer.explained),
        changes=answer.changes,
    )


def _place(span: Span | None) -> PlaceData | None:
    if span is None or not span.source.text:
        return None
    return PlaceData.from_value(span, file=span.source.name)


def _move_data(board: Grid, move: moves.ExplainedMove) -> MoveData:
    derivation = move.derivation
    return MoveData.from_value(
        derivation,
        move=write_move(derivation.move, board),
        reasons=tuple(
            ReasonData.from_value(each, at=_place(each.span)) for each in derivation.verdicts
        ),
        obstacles=move.obstacles,
        on=_clause(board, move.own_set),
        norms=tuple(_norm_data(board, norm) for norm in move.norms),
    )


def _norm_data(board: Grid, norm: moves.ExplainedNorm) -> NormData:
    verdict = norm.verdict
    return NormData.from_value(
        verdict,
        kind=str(verdict.cause),
        applies=norm.applies,
        note=norm.note,
        at=_place(verdict.span),
        on=_clause(board, norm.target),
        if_=_clause(board, norm.guard),
    )


def _clause(board: Grid, clause: evaluation.EvaluatedClause | None) -> ClauseData | None:
    """Return a clause with its parts; of a set the names of its hexes."""
    if clause is None:
        return None
    return ClauseData.from_value(
        clause,
        item=None if clause.item is None else evaluation.item_text(board, *clause.item[1:]),
        at=_place(clause.span),
        sort=str(clause.expr.sort),
        value=_value(board, clause),
        wrong=clause.is_wrong,
        taken_away=clause.is_taken_away,
        define=None if clause.definition is None else clause.definition.name,
        parts=tuple(_clause(board, part) for part in clause.parts),
    )


def _value(board: Grid, clause: evaluation.EvaluatedClause) -> Any:
    match clause.expr.sort:
        case Sort.HEXES:
            return board.names(clause.value)
        case Sort.GROUPS:
            return [board.names(group) for group in clause.value]
        case Sort.NUMBER | Sort.TRUTH:
            return clause.value
        case _:
            return evaluation.value_text(clause)


def _points_data(board: Grid, points: evaluation.Points) -> RulePointsData:
    return RulePointsData.from_value(
        points,
        rule=points.rule.id,
        title=points.rule.title or points.rule.id,
        hexes=tuple(board.names(points.hexes)),
        rounds=tuple(_round_data(board, each) for each in points.rounds),
    )


def _round_data(board: Grid, round: evaluation.Round) -> RoundData:
    return RoundData.from_value(
        round,
        text=round.award.span.one_line,
        at=_place(round.award.span),
        for_={name: evaluation.item_text(board, sort, item) for name, sort, item in round.items},
        parts=tuple(_part_data(board, part) for part in round.parts),
        places=tuple(
            RankData.from_value(
                each, player=player_name(each.player), hexes=board.names(each.hexes)
            )
            for each in round.places
        ),
        clauses={name: _clause(board, clause) for name, clause in round.clauses},
        passed_over=tuple(_clause(board, clause) for clause in round.failed_conditions),
        kept_out={clause.text: tuple(board.names(hexes)) for clause, hexes in round.excluded},
    )


def _part_data(board: Grid, part: evaluation.AwardPart) -> AwardPartData:
    items = tuple(evaluation.item_text(board, part.sort, item) for item in part.items)
    return AwardPartData.from_value(part, hexes=board.names(part.hexes), items=items)
