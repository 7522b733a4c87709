"""Moments to look at, and a whole game as one page: the board once, then what changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from markupsafe import Markup

from kbrules import diagnostics, hooks
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import Log, Replay
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import MatchMove
from kbrules.engine.scoring import counts
from kbrules.game import events as game_events
from kbrules.game.board import NONE, Board, Catalog
from kbrules.game.moves import CHANCE, Move, read_move
from kbrules.game.state import FRESH, READY, USED, State
from kbrules.hex.sets import Mask, bits
from kbrules.lang.syntax import tree
from kbrules.library.boards.positions import NOBODY, DrawnBoard, draw_framed
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.scenario import example_lines, reader, running
from kbrules.scenario.position import build_start
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.scenario.setup import MARKED
from kbrules.tools.narration import (
    Narrator,
    ScoreHistory,
    legend,
    marks_text,
    players_text,
    sheet_text,
)
from kbrules.tools.pictures.board import (
    Badge,
    Picture,
    badge_svg,
    board_values,
    piece_label,
    player_label,
)
from kbrules.tools.pictures.drawings import MARGIN, box_of, centre, piece_svg
from kbrules.tools.reports.page import fill_template, html_page, source

# Moments to look at: where a scenario or an example begins, and any moment of a game.


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture, and the same as text."""

    picture: Picture
    text: str


def scene_of_item(item: running.Case) -> tuple[Scene | None, list[diagnostics.Diagnostic]]:
    """The beginning of a scenario or example, or what is wrong with how it is written."""
    if isinstance(item.definition, reader.Scenario):
        prepared, findings = build_start(item.definition, item.cache)
        if prepared is None:
            return None, findings
        marks = {MARKED: prepared.marked} if prepared.marked else {}
        return _scene(prepared.game, prepared.state, item.title, marks), []
    catalog, written = item.cache.ruleset.catalog, item.definition
    position, findings = _position_of(catalog, written.rule.id, written.example)
    if position is None:
        return None, findings
    board = position.board
    board_text = draw_framed(board, position.pieces, position.marks)
    return Scene(_picture(position, item.title), f"{item.title}\n\n{board_text}"), []


def example_picture(
    catalog: Catalog, rule: str, example: tree.Example, title: str = ""
) -> Picture | None:
    """The picture of a rule's example; None if it draws nothing, or nothing that can be read."""
    position, _ = _position_of(catalog, rule, example)
    return None if position is None else _picture(position, title)


def _picture(position: DrawnBoard, title: str) -> Picture:
    return Picture(position.board, position.pieces, position.marks, title, position.open)


def _position_of(
    catalog: Catalog, rule: str, example: tree.Example
) -> tuple[DrawnBoard | None, list[diagnostics.Diagnostic]]:
    """What an example draws; nothing, and no finding, if it draws nothing."""
    if example.drawing is None:
        return None, []
    lines, findings = example_lines.read_lines(example, catalog)
    position, more = example_lines.read_drawing(example, rule, lines, catalog)
    return position, findings + more


def scene_of_game(game: Game, state: State, title: str) -> Scene:
    """A moment of a game, its text with the score sheet of that moment."""
    scene = _scene(game, state, title, {})
    sheet = sheet_text(game, game.score(state))
    return Scene(scene.picture, f"{scene.text}\n\n{sheet}")


def game_title(game: Game, state: State) -> str:
    """A game as people speak of it: its first box, how many play, and who has won."""
    names = [player_name(player) for player in game.score(state).winners] if state.is_over else []
    ended = f", won by {' and '.join(names)}" if names else ""
    title = game.ruleset.parts.box_titles[game.ruleset.boxes[0]]
    return f"{title} for {game.players}{ended}"


def _scene(game: Game, state: State, title: str, signs: Mapping[str, Mask]) -> Scene:
    board, pieces = game.board, visible_pieces(state)
    board_text = draw_framed(board, pieces, signs)
    parts = [marks_text(game, state), players_text(game, state), legend(game, state)]
    text = "\n".join([title, "", board_text, *filter(None, parts)])
    return Scene(picture_of_state(game, state, title, signs), text)


def picture_of_state(
    game: Game, state: State, title: str, signs: Mapping[str, Mask] = MappingProxyType({})
) -> Picture:
    """A moment of a game: its pieces, the marks of its boxes, and signs of one's own."""
    badges = tuple(badges_of(game, state))
    return Picture(game.board, visible_pieces(state), signs, title, badges=badges)


def badges_of(game: Game, state: State) -> Iterator[Badge]:
    """The marks of the boxes as they are for the player whose turn it is."""
    icons = game.ruleset.parts.mark_icons
    for id, (title, hexes) in zip(game.ruleset.marks, marked_hexes(game, state), strict=True):
        yield Badge(title, icons.get(id, ""), hexes)


# A game in plain sentences: who did what, where, by which rule, in the titles of the boxes.


_PREPOSITIONS = {
    "across",
    "along",
    "around",
    "by",
    "from",
    "over",
    "through",
    "under",
    "via",
    "with",
}
"""A title that begins with one of these goes on a sentence as it is."""
_VERBS = {
    "build": "builds", "choose": "chooses", "lift": "lifts", "mark": "marks", "stop": "stops",
    "use": "uses", "remove": "removes", "store": "stores", "place": "places", "swap": "swaps",
    "move": "moves", "end": "ends",
}  # fmt: skip
_END_VERB = "end"
_EMPTY_TURN = "A turn without a choice."


class _MoveSentence(NamedTuple):
    """A sentence in three parts: what is done, where, and how. Equal ones are joined."""

    what: str
    where: str = ""
    how: str = ""

    @property
    def is_lift(self) -> bool:
        """Whether a piece was lifted that goes elsewhere next."""
        return self.what.endswith(f" {_VERBS['lift']}")


class SentenceWriter:
    """Writes a sentence for each move; those of a turn are joined until it ends."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._narrator = Narrator(game)
        self._turn: list[_MoveSentence] = []
        self._outcomes: list[_MoveSentence] = []

    def add(self, played: MatchMove) -> tuple[str, str, bool]:
        """Return the sentence of a move, those of its turn, and whether the turn ended with it."""
        events = played.transition.events
        decisions = list(self._decision(played))
        texts = (text for event in events for text in self._narrator.event_texts(event))
        outcomes = [*map(_MoveSentence, texts)]
        if played.player != CHANCE:
            if decisions and self._turn and self._turn[-1].is_lift:
                self._turn.pop()  # a piece that goes somewhere was lifted: that need not be told
            self._turn += decisions
        self._outcomes += outcomes
        move = _joined([*decisions, *outcomes])
        turn = _joined(self._turn + self._outcomes) or move
        ended = any(
            isinstance(event, game_events.TurnEnded | game_events.GameOver) for event in events
        )
        if ended:
            self._turn, self._outcomes = [], []
        return move, turn or _EMPTY_TURN, ended

    def _decision(self, played: MatchMove) -> Iterator[_MoveSentence]:
        """What was decided: by what came of it, or else by the move itself."""
        move = played.move
        if played.player == CHANCE:
            yield _MoveSentence(f"{self._game.board.catalog.card_title(move.hex)} is drawn")
            return
        changes = [sentence for e in played.transition.events for sentence in self._change(e, move)]
        who = player_name(played.player)
        if changes:
            yield from changes
        elif move.verb != _END_VERB:
            yield _MoveSentence(f"{who} {self._choice(move)}", *self._place(move))

    def _change(self, event: game_events.Event, move: Move) -> Iterator[_MoveSentence]:
        """Yield the sentence of a change of the board."""
        how = self._how(move.rule)
        who = player_name(player) if (player := getattr(event, "player", -1)) >= 0 else "nobody"
        match event:
            case game_events.Built(piece=piece, hex=hex) | game_events.Placed(piece=piece, hex=hex):
                yield _MoveSentence(f"{who} builds{self._piece(piece)} on", self._name(hex), how)
            case game_events.Moved(piece=piece, origin=origin, hex=hex):
                places = f"{self._name(origin)} to {self._name(hex)}"
                yield _MoveSentence(f"{who} moves{self._piece(piece)}", places, how)
            case game_events.Swapped(origin=origin, hex=hex):
                places = f"{self._name(origin)} and {self._name(hex)}"
                yield _MoveSentence(f"{who} swaps", places, how)
            case (
                game_events.Removed(piece=piece, hex=hex) | game_events.Stored(piece=piece, hex=hex)
            ):
                taken = self._piece(piece) or " a piece"
                yield _MoveSentence(f"{who} takes{taken} from", self._name(hex), how)

    def _piece(self, piece: int) -> str:
        """A piece by its title, if it is none of the first kind, of which most are."""
        return f" a {self._game.board.catalog.pieces[piece].title}" if piece else ""

    def _choice(self, move: Move) -> str:
        """What was chosen without a change of the board."""
        verb = _VERBS.get(move.verb, f"{move.verb}s")
        return verb if move.hex != NONE else f"{verb} {self._title(move.rule)}"

    def _place(self, move: Move) -> tuple[str, str]:
        return (self._name(move.hex), self._how(move.rule)) if move.hex != NONE else ("", "")

    def _how(self, id: str) -> str:
        """By which rule: a tile by its title, a rule whose title says a way by that."""
        rule, title = self._game.ruleset.rule(id), self._title(id)
        if rule is not None and rule.kind in TILE_KINDS:
            return f"with {title}"
        word = title.split(" ")[0].lower()
        return word + title[len(word) :] if word in _PREPOSITIONS else ""

    def _title(self, id: str) -> str:
        """What players call a rule, a terrain or a tile; an id that is none of these as words."""
        rule = self._game.ruleset.rule(id)
        if rule is not None:
            return rule.title or rule.id
        catalog = self._game.board.catalog
        titles = {kind.id: kind.title for kind in catalog.hexes}
        titles |= {tile.id: tile.title for tile in catalog.tiles}
        return titles.get(id, id.replace("_", " "))

    def _name(self, hex: int) -> str:
        return self._game.board.grid.name(hex)


def _joined(sentences: list[_MoveSentence]) -> str:
    """Sentences in a row; those that differ in the place alone are one."""
    groups: list[tuple[_MoveSentence, list[str]]] = []
    for each in sentences:
        if groups and groups[-1][0][::2] == each[::2]:
            groups[-1][1].append(each.where)
        else:
            groups.append((each, [each.where]))
    parts = [_sentence(first, places) for first, places in groups]
    return f"{'; '.join(parts)}." if parts else ""


def _sentence(sentence: _MoveSentence, places: list[str]) -> str:
    """What was done at some places, or so many times at none."""
    times = f"({len(places)} times)" if not sentence.where and len(places) > 1 else ""
    return " ".join(filter(None, (sentence.what, _listed(places), sentence.how, times)))


def _listed(words: list[str]) -> str:
    """Words as a list in a sentence."""
    if len(words) < 2 or not words[0]:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"


# A game move by move: what is seen after each move, written as what has changed since the last.
#
# What is seen is a flat table. Its keys are `h` and the number of a hex for what stands there, `t`
# and the number of a place for the tiles left, `s`, `l`, `n` and `g` and a player for the supply,
# the tiles, the numbers kept and the gold, and words for the rest. A trail is what a move did to
# the board, as a page marks it.


Frame = Mapping[str, Any]
STATUSES = (READY, USED, FRESH)
_STAGES = {"setup": "set-up", "finish": "after the last round", "over": "the end"}


@dataclass(eq=False)
class Timeline:
    """A game from its start, move by move."""

    game: Game
    start: State
    played: Sequence[MatchMove]

    @cached_property
    def states(self) -> list[State]:
        """The state at the start and after each move."""
        return [self.start, *(each.transition.state for each in self.played)]

    @cached_property
    def score_history(self) -> ScoreHistory:
        """The score sheets of all states, each as if the game ended there."""
        return ScoreHistory([self.game.score(state) for state in self.states])

    @cached_property
    def hexes(self) -> list[int]:
        """The hexes by their number in the timeline."""
        return list(bits(self.game.board.grid.full))

    @cached_property
    def piece_kinds(self) -> list[tuple[int, int]]:
        """Everything that can stand on a hex, as (player, piece), by its number in the timeline."""
        pieces = list(enumerate(self.game.board.catalog.pieces))
        players = range(self.game.players)
        owned = [(player, i) for player in players for i, piece in pieces if not piece.neutral]
        return owned + [(NOBODY, i) for i, piece in pieces if piece.neutral]

    @cached_property
    def own_counts(self) -> list[str]:
        """The titles of the numbers that rules keep for each player to see."""
        return [each.title for each in counts(self.game.ruleset, self.start) if not each.is_shared]

    @property
    def mark_titles(self) -> list[str]:
        """What is said below the board: the marks of the boxes, then the numbers of the table."""
        numbers = counts(self.game.ruleset, self.start)
        shared = [each.title for each in numbers if each.is_shared]
        return [*self.game.ruleset.parts.marks.values(), *shared]

    @cached_property
    def sentences(self) -> list[tuple[str, str, bool]]:
        """For each move its sentence, all of its turn so far, and whether the turn ended."""
        writer = SentenceWriter(self.game)
        return [writer.add(each) for each in self.played]

    @property
    def trails(self) -> list[list[list[str | int]]]:
        """What each move did to the board, hexes by their number in the timeline."""
        number = {hex: at for at, hex in enumerate(self.hexes)}
        return [
            [[sign, *(number[hex] for hex in hexes)] for sign, hexes in trail_of(each)]
            for each in self.played
        ]

    def frames(self) -> Iterator[Frame]:
        """What is seen at the start and after each move."""
        columns = self.score_history.columns()
        sentences = [("", "", False), *self.sentences]
        for state, (move, text, _), gold in zip(self.states, sentences, columns, strict=True):
            words = {"text": text, "move": move, "when": self._round(state)}
            sums = {f"g{player}": rows for player, rows in enumerate(gold)}
            yield {**self._board(state), **self._table(state), **sums, **words}

    def turns(self) -> Iterator[tuple[int, str]]:
        """For each turn that was ended its last move and its sentences."""
        for each, (_, text, ended) in zip(self.played, self.sentences, strict=True):
            if ended:
                yield each.number, text

    def _round(self, state: State) -> str:
        stage, number = state.stage
        if stage in _STAGES:
            return _STAGES[stage]
        last = ", the last" if state.ending else ""
        return f"round {number // self.game.players + 1}{last}"

    def _board(self, state: State) -> dict[str, Any]:
        codes = {kind: code for code, kind in enumerate(self.piece_kinds)}
        on = {
            hex: codes[kind] for kind, mask in visible_pieces(state).items() for hex in bits(mask)
        }
        facts = {f"h{number}": on[hex] for number, hex in enumerate(self.hexes) if hex in on}
        return facts | {f"t{number}": len(tiles) for number, tiles in enumerate(state.stock)}

    def _table(self, state: State) -> dict[str, Any]:
        """Whose turn it is, the cards face up, the marks of the boxes, what the players hold."""
        facts: dict[str, Any] = {
            "who": state.active,
            "cards": ", ".join(map(self.game.board.catalog.card_title, state.shown)),
            "won": list(self.game.score(state).winners) if state.is_over else [],
            "marks": [self.game.board.names(mask) for _, mask in marked_hexes(self.game, state)],
        }
        numbers = counts(self.game.ruleset, state)
        facts["marks"] += [[str(each.values[0])] for each in numbers if each.is_shared]
        for player, seat in enumerate(state.seats):
            if self.own_counts:
                own = (each for each in numbers if not each.is_shared)
                facts[f"n{player}"] = [each.values[player] for each in own]
            facts[f"s{player}"] = list(seat.supply)
            facts[f"l{player}"] = [[tile.kind, STATUSES.index(tile.status)] for tile in seat.tiles]
        return facts


def changes(frames: Iterator[Frame]) -> Iterator[dict[str, Any]]:
    """The first frame whole, then of each what is not as in the one before; None if it is gone."""
    before: Frame = {}
    for frame in frames:
        removed = {key: None for key in before if key not in frame}
        yield removed | {
            key: value for key, value in frame.items() if key not in before or before[key] != value
        }
        before = frame


ARRIVED, LEFT, LIFTED, MOVED = "came", "left", "lifted", "went"
Trail = tuple[str, tuple[int, ...]]
"""A sign and its hexes: one, or of `MOVED` two, from where to where."""
_LIFT = "lift"  # the verb of the language by which a piece is chosen that goes elsewhere


def trail_of(played: MatchMove) -> Iterator[Trail]:
    """The marks of one move, in the order of its events."""
    move = played.move
    if move.verb == _LIFT and move.hex >= 0:
        yield LIFTED, (move.hex,)
    for event in played.transition.events:
        match event:
            case game_events.Built(hex=hex):
                yield ARRIVED, (hex,)
            case game_events.Placed(hexes=hexes):
                yield from ((ARRIVED, (hex,)) for hex in bits(hexes))
            case game_events.Moved(origin=origin, hex=hex):
                yield MOVED, (origin, hex)
            case game_events.Swapped(origin=origin, hex=hex):
                yield MOVED, (origin, hex)
                yield MOVED, (hex, origin)
            case game_events.Removed(hexes=hexes) | game_events.Stored(hexes=hexes):
                yield from ((LEFT, (hex,)) for hex in bits(hexes))


_STYLES = "page", "pictures/board", "pictures/replay"
_SCRIPTS = "replay", "replay_marks", "replay_zoom", "replay_start"


def timeline_of(log: Log, played: Replay, on_progress: hooks.OnProgress = hooks.silent) -> Timeline:
    """The timeline of a log as far as its replay went; there must be a start.

    on_progress: told how many moves are done.
    """
    game, states = played.game, played.states
    assert game is not None and states
    words, moves = game.ruleset.move_words, []
    pairs = list(zip(states[:-1], log.moves, strict=False))
    for number, (before, record) in enumerate(hooks.with_progress(pairs, "moves", on_progress), 1):
        legal = game.legal_moves(before)
        move = read_move(record.data["move"], game.board, legal, words)
        moves.append(MatchMove(number, legal.player, before, move, game.play(before, move)))
    return Timeline(game, states[0], moves)


def replay_page(timeline: Timeline, at: int = 0, language: str = "") -> str:
    """The page of a timeline; it opens after `at` moves unless its address says otherwise.

    language: that of the titles and wordings of the boxes, if they are translated.
    """
    title = game_title(timeline.game, timeline.states[-1])
    style = "".join(source(f"{name}.css") for name in _STYLES)
    script = "".join(source(f"pictures/{name}.js") for name in _SCRIPTS)
    values = _values(timeline, title) | {"language": language}
    body = fill_template("pictures/replay.html", title=title, **values)
    return html_page(title, body, style, script, _data(timeline, at))


def _values(timeline: Timeline, title: str) -> dict[str, Any]:
    """What stands on the page before its script runs."""
    game = timeline.game
    cards = (game.ruleset.rule(card) for card in game.cards)
    return {
        **_board(timeline, f"{title}, the board"),
        "badges": list(_badges(timeline)),
        "pieces": [Markup(piece_svg(game.board, *kind)) for kind in timeline.piece_kinds],
        "last": len(timeline.played),
        "players": [_player(game.board, player) for player in range(game.players)],
        "rows": timeline.score_history.titles,
        "cards": [rule for rule in cards if rule is not None],
    }


def _badges(timeline: Timeline) -> Iterator[tuple[int, Markup]]:
    """The drawing of each mark of the boxes that has an icon, with its number."""
    for number, badge in enumerate(badges_of(timeline.game, timeline.start)):
        if badge.icon:
            yield number, Markup(badge_svg(badge.icon))


def _player(board: Board, player: int) -> dict[str, str]:
    piece = Markup(piece_svg(board, player, 0))
    return {"name": player_name(player), "words": player_label(player), "piece": piece}


def _data(timeline: Timeline, at: int) -> dict[str, Any]:
    """What the script is told; see `Timeline` for the frames."""
    board = timeline.game.board
    catalog = board.catalog
    _, top, _, height = box_of(board, board.grid.part(board.grid.parts[0].name))
    places = [timeline.hexes.index(hex) for hex in board.places]
    return {
        "at": at,
        "players": timeline.game.players,
        "hexes": [
            [board.grid.name(hex), *(round(each, 1) for each in centre(board, hex))]
            for hex in timeline.hexes
        ],
        "kinds": [piece_label(board, player, piece) for player, piece in timeline.piece_kinds],
        "pieces": [p.title if p.supply and not p.neutral else "" for p in catalog.pieces],
        "tiles": [tile.title for tile in catalog.tiles],
        "statuses": list(STATUSES),
        "places": places,
        "high": round(top + height + MARGIN, 1),  # with its coordinates
        "trails": timeline.trails,
        "markIcons": [number for number, _ in _badges(timeline)],
        "markTitles": timeline.mark_titles,
        "countTitles": timeline.own_counts,
        "turns": list(timeline.turns()),
        "frames": list(changes(timeline.frames())),
    }


def _board(timeline: Timeline, title: str) -> dict[str, Any]:
    """The bare board, and the key to all that will stand on it."""
    board = timeline.game.board
    badges = tuple(badges_of(timeline.game, timeline.start))
    legend = board_values(Picture(board, badges=badges))["legend"]
    return {**board_values(Picture(board, title=title)), "legend": legend}
