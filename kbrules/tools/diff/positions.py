"""Two sets of rules, which declarations differ, and positions on which they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from kbrules.diagnostics import RulesError, quoted
from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError, game_at
from kbrules.game.board import NONE, Board
from kbrules.game.moves import CHANCE, Move, MoveSet, write_move
from kbrules.game.random import Random
from kbrules.game.state import READY, State, draft_of
from kbrules.hex.sets import Mask
from kbrules.hooks import OnProgress, silent, with_progress
from kbrules.lang.typed import Call
from kbrules.library import load, store
from kbrules.library.position import Position
from kbrules.library.reading import (
    MANIFEST,
    RULES,
    SLIP,
    file_finding,
    is_shipped,
    real_path,
    shown_name,
)
from kbrules.library.ruleset import Ruleset
from kbrules.project.project import Project
from kbrules.scenario.position import Laid, enter_stage, has_actions, lay
from kbrules.scenario.reader import PLAYERS
from kbrules.scenario.report import drawing_text
from kbrules.scenario.setup import RulesetCache
from kbrules.scenario.writing import Inexact, position_before_end, scenario_text
from kbrules.tools import sampling

# Whether rule sets, or parts of them, mean the same beyond doubt: their typed core is equal.


_IGNORED = ("span", "spans", "examples", "title", "wording")
"""What is no part of the meaning."""
_COMMUTATIVE = ("&", "|", "and", "or", "+", "*", "=", "!=")
"""Operators of which the operands may change places."""


Accepts = Callable[[Any, Any], bool]
"""Whether two nodes may stand for each other though their fields differ."""


def are_equivalent(one: Ruleset, other: Ruleset) -> bool:
    """Whether rules, options, memories and marks say the same, operands in any order."""
    return (
        one.options == other.options
        and one.memories == other.memories
        and are_equal(one.rules, other.rules, _are_swapped)
        and are_equal(tuple(one.marks.values()), tuple(other.marks.values()), _are_swapped)
    )


def are_equal(one: Any, other: Any, accepts: Accepts = lambda one, other: False) -> bool:
    """Whether two values of a rule set or a box are equal but for texts and places."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        keys = one.keys()
        return keys == other.keys() and all(are_equal(one[k], other[k], accepts) for k in keys)
    if isinstance(one, tuple | list):
        items = zip(one, other, strict=False)
        return len(one) == len(other) and all(are_equal(*pair, accepts) for pair in items)
    kind: Any = type(one)  # a type is hashable, whatever its values are
    names = _fields(kind)
    if names is None:
        return bool(one == other)
    pairs = ((getattr(one, name), getattr(other, name)) for name in names)
    return all(are_equal(*pair, accepts) for pair in pairs) or accepts(one, other)


def _are_swapped(one: Any, other: Any) -> bool:
    """Whether two calls differ in the order of two operands only, and that does not matter."""
    if not isinstance(one, Call) or one.word != other.word:
        return False
    if one.word.partition("(")[0] not in _COMMUTATIVE:
        return False
    return are_equal(one.arguments, other.arguments[::-1], _are_swapped)


@cache
def _fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a kind of node that are part of its meaning; None for any other value."""
    if not is_dataclass(kind):
        return None
    return tuple(f.name for f in fields(kind) if f.compare and f.name not in _IGNORED)


# The two rule sets that are compared, loaded from folders or from single files.


@dataclass(frozen=True, slots=True, eq=False)
class RulesVersion:
    """A rule set, what it is called in reports, and a cache for positions laid out by it."""

    name: str
    ruleset: Ruleset
    cache: RulesetCache


@dataclass(frozen=True, eq=False)
class Versions:
    """The old rules and the new ones."""

    old: RulesVersion
    new: RulesVersion

    @cached_property
    def changes(self) -> RuleChanges:
        """What the two do not have in common."""
        return rule_changes(self.old.ruleset, self.new.ruleset)


def load_versions(
    old: Path,
    new: Path,
    boxes: Sequence[str] = (),
    folders: Sequence[Path] = (),
    on_progress: OnProgress = silent,
) -> Versions:
    """The rules of two folders, or of two rule files of which one stands in the other's place.

    boxes, folders: loaded beside each. on_progress: told how many files are read.
    RulesError with all that is wrong with either.
    """
    for path in (old, new):
        if not path.exists():
            raise _unusable("KB001", path, "does not exist", SLIP)
        if path.is_dir() and not (path / MANIFEST).is_file():
            raise _unusable("KB006", path, "is no expansion", f"it has no {quoted(MANIFEST)}")
        if not path.is_dir() and path.suffix != RULES:
            help = f"name two folders of expansions, or two files that end in {quoted(RULES)}"
            raise _unusable("KB006", path, "is of no kind that can be compared", help)
    if old.is_dir() is not new.is_dir():
        help = "name two folders, or two files"
        raise _unusable("KB035", new, f"cannot be compared with {quoted(shown_name(old))}", help)
    project = Project([old, new], boxes, folders, files=store.Files(on_progress=on_progress))
    if old.is_dir():
        before, after = (project.loaded(path / MANIFEST) for path in (old, new))
    else:
        before, after = _of_files(project, old, new)
    return Versions(_version_of(old, before), _version_of(new, after))


def _unusable(code: str, path: Path, why: str, help: str) -> RulesError:
    return RulesError([file_finding(shown_name(path), code, why, help)])


def _of_files(project: Project, old: Path, new: Path) -> tuple[load.Loaded, load.Loaded]:
    """Return what two files mean: each in its own box, or one in the place that the other has."""
    homes = [each.home for each in map(project.file, (old, new)) if each.home is not None]
    replaced = next((p for p in (new, old) if project.file(p).home or is_shipped(p)), None)
    if replaced is None or len({*map(real_path, homes)}) == 2:
        return project.loaded(old), project.loaded(new)
    other = old if replaced is new else new
    source, findings = project.texts.source(other)
    if source is None:
        raise RulesError(findings)
    unchanged = project.edited({other: ""})
    changed = unchanged.edited({replaced: source.text})
    before, after = (changed, unchanged) if replaced is new else (unchanged, changed)
    return before.loaded(replaced), after.loaded(replaced)


def _version_of(path: Path, loaded: load.Loaded) -> RulesVersion:
    if loaded.ruleset is None or loaded.findings:
        raise RulesError(loaded.findings)
    return RulesVersion(shown_name(path), loaded.ruleset, RulesetCache(loaded.ruleset))


# Which declarations mean something else: compared as the rules that come of them, not as text.


@dataclass(frozen=True, slots=True)
class RuleChanges:
    """Rules by kind and name: in both but not the same, only in the new, only in the old.

    ids: the names of the changed ones. cards, tiles: those of them that both have.
    contents_differ: whether anything that boxes contain differs, or an option, or a memory.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    ids: tuple[str, ...]
    cards: tuple[str, ...]
    tiles: tuple[str, ...]
    contents_differ: bool

    @property
    def is_empty(self) -> bool:
        """Whether the two do the same, whatever is played: this is exact, no sampling."""
        return not (self.changed or self.added or self.removed or self.contents_differ)


def rule_changes(old: Ruleset, new: Ruleset) -> RuleChanges:
    """What two rule sets do not have in common."""
    before, after = ({f"{r.kind} {r.id}": r for r in each.rules} for each in (old, new))
    both = [name for name in before if name in after]
    changed = tuple(name for name in both if not are_equal(before[name], after[name]))
    added = tuple(name for name in after if name not in before)
    removed = tuple(name for name in before if name not in after)
    ids = tuple(dict.fromkeys(name.split(" ")[1] for name in changed))
    cards = tuple(id for id in ids if all(id in each.catalog.cards for each in (old, new)))
    tiles = [{tile.id for tile in each.catalog.tiles} for each in (old, new)]
    of_tiles = tuple(id for id in ids if all(id in known for known in tiles))
    is_same = (
        are_equal(old.catalog, new.catalog)
        and are_equal(old.parts, new.parts)
        and dict(old.options) == dict(new.options)
        and dict(old.memories) == dict(new.memories)
    )
    return RuleChanges(changed, added, removed, ids, cards, of_tiles, not is_same)


# What differs between one position under two sets of rules: what is legal, what is paid.
#
# Everything is compared by names, so that it does not matter what else the boxes contain.


OFFERED, SCORE, EFFECT = "offered", "score", "effect"


@dataclass(frozen=True, slots=True, eq=False)
class PositionPair:
    """One position under the old and under the new rules."""

    old: tuple[Game, State]
    new: tuple[Game, State]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise; hexes are sets of the board of the position.

    kind: `OFFERED`, `SCORE` or `EFFECT`. about: the rule, for `EFFECT` the rule of the last move.
    verb: what is offered. player: who decides or is paid, `CHANCE` for what is drawn. before,
    after: what the rules say, in words. old, new: the hexes offered, or that pay.
    """

    kind: str
    about: str
    verb: str
    player: int
    before: str
    after: str
    old: Mask = 0
    new: Mask = 0

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two differences of the same sort."""
        return self.kind, self.about, self.verb


def differences(pair: PositionPair) -> list[Difference]:
    """All that is otherwise in a position: first what is paid, then what is offered."""
    return [*_paid(pair), *_offered(pair)]


def _paid(pair: PositionPair) -> Iterator[Difference]:
    sheets = [game.score(state) for game, state in (pair.old, pair.new)]
    for player in range(pair.old[0].players):
        lines = [{line.rule: line for line in sheet.lines[player]} for sheet in sheets]
        for rule in lines[0].keys() & lines[1].keys():
            old, new = lines[0][rule], lines[1][rule]
            if old.gold != new.gold:
                before, after = f"{old.gold} gold", f"{new.gold} gold"
                yield Difference(SCORE, rule, "", player, before, after, old.hexes, new.hexes)


def _offered(pair: PositionPair) -> Iterator[Difference]:
    old_moves, new_moves = (game.legal_moves(state) for game, state in (pair.old, pair.new))
    if old_moves.player != new_moves.player:
        deciders = _decider_text(old_moves), _decider_text(new_moves)
        yield Difference(OFFERED, "turn", "", old_moves.player, *deciders)
        return
    offers = _hexes_by_offer(old_moves), _hexes_by_offer(new_moves)
    for rule, verb in sorted(offers[0].keys() | offers[1].keys()):
        old, new = (hexes.get((rule, verb)) for hexes in offers)
        if old != new:
            texts = _offer_text(old), _offer_text(new)
            yield Difference(OFFERED, rule, verb, old_moves.player, *texts, old or 0, new or 0)


def _decider_text(moves: MoveSet) -> str:
    if not moves:
        return "the game is over"
    return "a card is drawn" if moves.player == CHANCE else f"{PLAYERS[moves.player]} decides"


def _hexes_by_offer(moves: MoveSet) -> Mapping[tuple[str, str], Mask]:
    """The hexes of each rule and verb."""
    by_offer: dict[tuple[str, str], Mask] = {}
    for verb, rule, hexes, _ in moves.groups:
        by_offer[rule, verb] = by_offer.get((rule, verb), 0) | hexes
    return by_offer


def _offer_text(hexes: Mask | None) -> str:
    if hexes is None:
        return "not offered"
    count = hexes.bit_count()
    return f"{count} {'hex' if count == 1 else 'hexes'}" if hexes else "offered"


def common_moves(pair: PositionPair) -> list[Move]:
    """The moves that both rules allow."""
    old, new = (game.legal_moves(state) for game, state in (pair.old, pair.new))
    if old.weights or new.weights:
        return []
    return [move for move in old if move in new]


def after_move(pair: PositionPair, move: Move) -> tuple[PositionPair, list[Difference]]:
    """The position after a move that both allow, and whether the move did the same."""
    sides = pair.old, pair.new
    after = PositionPair(*((game, game.apply(state, move)) for game, state in sides))
    old, new = (table_contents(game, state) for game, state in (after.old, after.new))
    if old == new:
        return after, []
    parts = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    rule = move.rule or move.verb
    words = f"changes {', '.join(parts)}"
    player = pair.old[0].legal_moves(pair.old[1]).player
    hexes = (1 << move.hex) if move.hex >= 0 else 0
    difference = Difference(
        EFFECT, rule, move.verb, player, words, words + " otherwise", hexes, hexes
    )
    return after, [difference]


def table_contents(game: Game, state: State) -> Mapping[str, Any]:
    """What lies on the table, by names: pieces, tiles, cards, gold."""
    catalog = game.ruleset.catalog
    contents: dict[str, Any] = {}
    for player, seat in enumerate(state.seats):
        who = PLAYERS[player]
        kinds = zip(catalog.pieces, seat.pieces, seat.supply, strict=True)
        pieces = {kind.id: (mask, left) for kind, mask, left in kinds}
        tiles = sorted((catalog.tiles[t.kind].id, t.origin, t.status) for t in seat.tiles)
        hand = sorted(catalog.card_name(card) for card in seat.hand if card != NONE)
        contents |= {f"{who}'s pieces": pieces, f"{who}'s tiles": tiles}
        contents |= {f"{who}'s hand": hand, f"{who}'s gold": seat.gold}
    neutral = zip(catalog.pieces, state.neutral, strict=True)
    contents["nobody's pieces"] = {piece.id: mask for piece, mask in neutral}
    contents["the tiles left"] = [[catalog.tiles[kind].id for kind in s] for s in state.stock]
    contents["the cards face up"] = [catalog.card_name(card) for card in state.shown]
    contents["whether the end has begun"] = state.ending, state.is_over
    return contents


# Looking for differences: on sampled positions, and a few moves further from each.


CONTINUATIONS = 3  # ways to go on from a position
MAX_MOVES = 3  # moves on each
MAX_CASES = 4  # positions kept for each sort of difference, the least crowded first


@dataclass(frozen=True, slots=True, eq=False)
class DifferenceCase:
    """A position, perhaps with moves, and what differs there."""

    position: Position
    difference: Difference


@dataclass(slots=True, eq=False)
class DifferenceSearch:
    """How many positions were looked at, on how many each sort of difference showed, and where.

    skipped: positions that only one of the rule sets can be brought to.
    """

    positions: int = 0
    skipped: int = 0
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    cases: list[DifferenceCase] = field(default_factory=list)

    def note(self, position: Position | Inexact, differing: list[Difference]) -> None:
        """Take note of what differs in a position; only one that is exact is kept as a case."""
        for key, difference in {each.key: each for each in reversed(differing)}.items():
            self.counts[key] += 1
            if isinstance(position, Inexact):
                continue
            self.cases.append(DifferenceCase(position, difference))
            same_kind = [case for case in self.cases if case.difference.key == key]
            if len(same_kind) > MAX_CASES:
                self.cases.remove(max(same_kind, key=lambda case: sampling.size_of(case.position)))


def find_differences(
    versions: Versions, count: int, seed: int, on_progress: OnProgress = silent
) -> DifferenceSearch:
    """What differs on `count` positions of the tables that both rule sets can lay."""
    search, changes, old = DifferenceSearch(), versions.changes, versions.old.ruleset
    for sample in sampling.samples(old, count, seed, changes.cards, tiles=changes.tiles):
        on_progress(search.positions, count, "positions")
        search.positions += 1
        pair = _pair(versions, sample)
        if pair is None:
            search.skipped += 1
            continue
        differing = differences(pair)
        ways = [*_continuations(pair, Random(sample.seed, "ways"), changes.ids)]
        if differing or ways:
            position = position_before_end(*pair.old)
            search.note(position, differing)
            for moves, differing in ways:
                if not isinstance(position, Inexact):
                    position = replace(position, moves=moves)
                search.note(position, differing)
    on_progress(search.positions, count, "positions")
    return search


def _pair(versions: Versions, sample: sampling.Sample) -> PositionPair | None:
    """A sampled position under both rules, somebody being at their actions."""
    old = versions.old.ruleset
    if (sample.state.is_over and sample.kind == sampling.PLAYED) or not has_actions(old):
        state = sample.state
    else:
        draft = draft_of(sample.state)
        enter_stage(draft, old, "actions", max(0, sample.state.active))
        state = sample.game.run_to_decision(draft)
    if versions.changes.contents_differ:
        position = position_before_end(sample.game, state)
        return None if isinstance(position, Inexact) else pair_of(position, versions)
    try:
        game = game_at(versions.new.ruleset, sample.table)
    except (SetupError, KeyError):
        return None
    return PositionPair((sample.game, state), (game, _under_rules(game, state)))


def _under_rules(game: Game, state: State) -> State:
    """The same position under other rules about the same things."""
    draft = draft_of(state)
    if has_actions(game.ruleset) and not state.is_over:
        enter_stage(draft, game.ruleset, "actions", max(0, state.active))
        draft.used = tuple(path for path in state.used if path in game.plan.offers)
    return game.run_to_decision(draft)


def laid_by(position: Position, version: RulesVersion) -> Laid | None:
    """A position laid by a rule set, which remembers only what it has a memory for."""
    known = version.ruleset.memories
    seats = {
        player: replace(seat, memory={k: v for k, v in seat.memory.items() if k in known})
        for player, seat in position.seats.items()
    }
    memory = {id: value for id, value in position.memory.items() if id in known}
    return lay(replace(position, seats=seats, memory=memory), version.cache)[0]


def pair_of(position: Position, versions: Versions) -> PositionPair | None:
    """A position set up by both rule sets, its moves made; None if one of them cannot."""
    before, after = laid_by(position, versions.old), laid_by(position, versions.new)
    if before is None or after is None or before.game.board.kinds != after.game.board.kinds:
        return None
    pair = PositionPair((before.game, before.state), (after.game, after.state))
    for move in before.moves:
        if move not in common_moves(pair):
            return None
        pair = after_move(pair, move)[0]
    return pair


def _continuations(
    pair: PositionPair, random: Random, preferred: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], list[Difference]]]:
    """A few ways to go on, each up to where the two part; by changed rules if they offer any."""
    if differences(pair):
        return
    for _ in range(CONTINUATIONS):
        current, made = pair, tuple[str, ...]()
        for _ in range(MAX_MOVES):
            moves = common_moves(current)
            if not moves:
                break
            move = random.choice([m for m in moves if m.rule in preferred] or moves)
            made = (*made, write_move(move, current.old[0].board))
            current, differing = after_move(current, move)
            differing = differing or differences(current)
            if differing:
                yield made, differing
                break


# The smallest boards that show what differs, each as a picture and as a ready scenario.


MAX_EXAMPLES = 3
MAX_CANDIDATES = 6  # sorts of difference that are shrunk to find them
SECONDS = 3.0

IN_BOTH, ONLY_NEW, ONLY_OLD = "+", "!", "?"
_WHAT = {OFFERED: "offered", SCORE: "pays", EFFECT: "here"}
_WHEN = {IN_BOTH: "before and now", ONLY_NEW: "only now", ONLY_OLD: "only before"}


@dataclass(frozen=True, slots=True, eq=False)
class MinimalExample:
    """A small board, what differs on it, and the scenario that holds under the new rules."""

    difference: Difference
    moves: tuple[str, ...]
    picture: str
    scenario: str


def minimal_examples(
    search: DifferenceSearch, versions: Versions, on_progress: OnProgress = silent
) -> list[MinimalExample]:
    """At most `BOARDS` boards, of different sorts of difference if there are as many."""
    candidates = with_progress(_candidates(search), "boards", on_progress)
    shrunk = [_shrink_case(case, versions) for case in candidates]
    found = (case for case in shrunk if case is not None)
    sorted_cases = sorted(found, key=lambda case: sampling.size_of(case.position))
    first = {case.difference.key: case for case in reversed(sorted_cases)}
    chosen = sorted(first.values(), key=lambda case: sampling.size_of(case.position))
    rest = [case for case in sorted_cases if case not in chosen]
    return [_example_of(case, versions) for case in [*chosen, *rest][:MAX_EXAMPLES]]


def _candidates(search: DifferenceSearch) -> list[DifferenceCase]:
    """A few positions to begin with: of each sort the least crowded, then the next."""
    by_key: dict[tuple[str, str, str], list[DifferenceCase]] = {}
    for case in sorted(search.cases, key=lambda case: sampling.size_of(case.position)):
        by_key.setdefault(case.difference.key, []).append(case)
    rounds = [
        [cases[i] for cases in by_key.values() if i < len(cases)] for i in range(MAX_EXAMPLES)
    ]
    return [case for each in rounds for case in each][:MAX_CANDIDATES]


def _shrink_case(case: DifferenceCase, versions: Versions) -> DifferenceCase | None:
    """The smallest position with a difference of this sort; None if laid out it has none."""
    key = case.difference.key

    def difference_in(position: Position) -> Difference | None:
        found = _differences_at_end(position, versions)
        return next((each for each in found if each.key == key), None)

    if difference_in(case.position) is None:
        return None
    position = sampling.shrink(case.position, lambda p: difference_in(p) is not None, SECONDS)
    difference = difference_in(position)
    return None if difference is None else DifferenceCase(position, difference)


def _differences_at_end(position: Position, versions: Versions) -> list[Difference]:
    """What differs at the end of a position's moves."""
    pair, move = _before_last_move(position, versions)
    if pair is None:
        return []
    if move is None:
        return differences(pair)
    if move not in common_moves(pair):
        return []
    after, otherwise = after_move(pair, move)
    return [*otherwise, *differences(after)]


def _before_last_move(
    position: Position, versions: Versions
) -> tuple[PositionPair | None, Move | None]:
    """Return a position before its last move, if both rule sets can lay it, and that move."""
    pair = pair_of(replace(position, moves=position.moves[:-1]), versions)
    laid = laid_by(position, versions.new) if position.moves and pair is not None else None
    return pair, None if laid is None else laid.moves[-1]


def _example_of(case: DifferenceCase, versions: Versions) -> MinimalExample:
    position, difference = case.position, case.difference
    pair, move = _before_last_move(position, versions)
    assert pair is not None, "it was laid a moment ago"
    game, before = pair.new
    state = before if move is None else game.apply(before, move)
    shown = before if difference.kind == EFFECT else state
    drawn = "\n".join([_picture(game.board, shown, difference), *_state_lines(position)])
    claim = dict(_expectation(difference, game, state))
    title = f"{difference.about}: as the rules are now"[:120]
    text = scenario_text(position, game.board, title, claim)
    return MinimalExample(difference, position.moves, drawn, text)


def _picture(board: Board, state: State, difference: Difference) -> str:
    """The board with what is only so under the old rules, only under the new, or under both."""
    one, two = difference.old, difference.new
    signs = {IN_BOTH: one & two, ONLY_NEW: two & ~one, ONLY_OLD: one & ~two}
    words = {sign: f"{_WHAT[difference.kind]} {_WHEN[sign]}" for sign in signs}
    return drawing_text(board, state, signs, words)


def _state_lines(position: Position) -> Iterator[str]:
    """Whose turn it is, and what cannot be seen on the board."""
    shown = position.turn.played
    played = f", with {' and '.join(shown)} face up" if shown else ""
    yield f"turn of {position.turn.player}{played}"
    for player, seat in sorted(position.seats.items()):
        if seat.tiles:
            tiles = (t.tile + ("" if t.status == READY else f" ({t.status})") for t in seat.tiles)
            yield f"{player} holds {', '.join(tiles)}"


def _expectation(difference: Difference, game: Game, state: State) -> Iterator[tuple[str, Any]]:
    """What holds under the new rules at the end of the moves, and did not under the old."""
    if difference.kind == SCORE:
        gold = int(difference.after.split(" ")[0])
        yield "gold", {PLAYERS[difference.player]: {difference.about: gold}}
    elif difference.kind == EFFECT:
        yield from _outcome(difference.player, game, state)
    elif difference.verb:
        yield "offered", {difference.about: game.board.names(difference.new) or "none"}
    elif difference.after == "the game is over":
        yield "over", True
    else:  # who decides next, as a difference names them
        decides = difference.after.endswith("decides")
        yield "turn", difference.after[0] if decides else "chance"


def _outcome(player: int, game: Game, state: State) -> Iterator[tuple[str, Any]]:
    """What the moves leave on the table, of the player who made the last one."""
    pieces, seat = game.ruleset.catalog.pieces, state.seats[player]
    masks = zip(pieces, seat.pieces, strict=True)
    yield "pieces", {PLAYERS[player]: {p.id: game.board.names(mask) for p, mask in masks if mask}}
    supply = zip(pieces, seat.supply, strict=True)
    yield "supply", {PLAYERS[player]: {p.id: n for p, n in supply if not p.neutral}}
    yield "last_round", state.ending
