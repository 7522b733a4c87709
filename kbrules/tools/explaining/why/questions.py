"""Questions read: about a hex or a move, or about the gold of a player.

why not f7            what could be done at f7, and why not
why build f7          only what has this verb (or is of this rule)
why not move c3 f7    the piece on c3 put down on f7
why red rowers       what a card pays red; `why red`: the whole sheet
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted, suggest
from kbrules.engine.game import Game
from kbrules.game.moves import (
    ENDS,
    AmbiguousMove,
    InvalidMove,
    Move,
    move_text_errors,
    move_words,
    read_move,
)
from kbrules.game.state import State
from kbrules.lang.typed import Rule
from kbrules.text import Span
from kbrules.tools.explaining.why.players import COLOURS, parse_player
from kbrules.tools.explaining.why.possible_moves import moves_at

FILLERS = ("why", "not", "can", "cannot")


@dataclass(frozen=True, slots=True)
class AboutGold:
    """What a player is paid: by one rule or card, or (None) by all of them."""

    player: int
    rule: Rule | None


@dataclass(frozen=True, slots=True)
class AboutMoves:
    """Moves that may be meant, each in the state of the question, the likeliest first."""

    state: State
    moves: tuple[Move, ...]
    before: tuple[Move, ...] = ()


Question = AboutGold | AboutMoves


def read_question(game: Game, state: State, words: Iterable[str]) -> Question | Diagnostic:
    """What a question asks of a position, or why it asks nothing that can be answered."""
    question_words = " ".join(words).lower().split()
    while question_words and question_words[0] in FILLERS:
        question_words = question_words[1:]
    if not question_words:
        return _unclear("", "ask about a hex (`why not f7`) or about gold (`why red`)")
    if _is_about_gold(game, question_words):
        return _about_gold(game, question_words)
    if name := _id_that_only_pays(game, " ".join(question_words)):
        help = f"say whose gold: `why {COLOURS[0]} {name}`, or `why {COLOURS[0]}` for all of it"
        return _unclear("", help, f"{quoted(name)} pays, and does nothing else")
    return _about_moves(game, state, question_words)


def _unclear(text: str, help: str, message: str = "") -> Diagnostic:
    message = message or (f"{quoted(text)} is no question" if text else "there is no question")
    return Diagnostic("KB021", Span.none("question"), message, help)


# Gold


def _is_about_gold(game: Game, words: Sequence[str]) -> bool:
    """Whether a question begins with somebody who may be a player."""
    first = words[0]
    if parse_player(first, game.players) is not None:
        return True
    if first in COLOURS or first.isdigit() or (len(first) == 1 and first.isalpha()):
        return True
    known = [*COLOURS, *(rule.id for rule in game.ruleset.rules)]
    return suggest(first, known) in COLOURS and not move_words(first, game.board.grid).hexes


def _about_gold(game: Game, words: Sequence[str]) -> Question | Diagnostic:
    player = parse_player(words[0], game.players)
    if player is None:
        return _unknown_player(words[0], game.players)
    if len(words) == 1:
        return AboutGold(player, None)
    name = " ".join(words[1:])
    scoring_rules = [rule for rule in game.ruleset.rules if rule.awards]
    rule = next((rule for rule in scoring_rules if name in _names(rule)), None)
    if rule is None:
        return _unknown_rule(game, name, scoring_rules)
    if rule in game.scoring.rules:
        return AboutGold(player, rule)
    return _not_in_play(game, rule)


def _id_that_only_pays(game: Game, text: str) -> str:
    """The id of the card or rule of that name which only pays; empty if there is none."""
    rules = (rule for rule in game.ruleset.rules if rule.awards and not rule.acts_in_play)
    return next((rule.id for rule in rules if text in _names(rule)), "")


def _names(rule: Rule) -> tuple[str, ...]:
    return rule.id, rule.id.replace("_", " "), rule.title.lower()


def _unknown_player(word: str, players: int) -> Diagnostic:
    names = ", ".join(f"`{'abcdef'[p]}` or `{COLOURS[p]}`" for p in range(players))
    help = did_you_mean(word, COLOURS[:players], f"the players are {names}")
    return Diagnostic("KB022", Span.none("question"), f"there is no player {quoted(word)}", help)


def _unknown_rule(game: Game, name: str, scoring_rules: Sequence[Rule]) -> Diagnostic:
    played = ", ".join(quoted(rule.id) for rule in scoring_rules if rule in game.scoring.rules)
    ids = [rule.id for rule in scoring_rules]
    help = did_you_mean(name, ids, f"what pays here is {played or 'nothing'}")
    message = f"there is no card or rule {quoted(name)} that pays gold at the end"
    return Diagnostic("KB023", Span.none("question"), message, help)


def _not_in_play(game: Game, rule: Rule) -> Diagnostic:
    played = ", ".join(map(quoted, game.cards)) or "none"
    message = f"the card {quoted(rule.id)} is not in play"
    return Diagnostic("KB023", Span.none("question"), message, f"the cards in play are {played}")


# Moves


def _about_moves(game: Game, state: State, words: Sequence[str]) -> Question | Diagnostic:
    text = " ".join(words)
    parts = move_words(text, game.board.grid)
    names = [part.text for part in (*parts.rule, *parts.names)]
    hexes = [game.board.grid.index(part.text) for part in parts.hexes]
    if len(hexes) > 2:
        return _unclear(text, "a move has one hex, or two: where from and where to")
    if not hexes or text in ENDS:
        return _about_whole_move(game, state, text)
    error = _word_error(game, text, hexes)
    if error is not None:
        return error
    if len(hexes) == 2:
        return _about_two_hexes(game, state, hexes, names)
    moves = moves_at(game, state, hexes[0], names)
    return AboutMoves(state, tuple(moves)) if moves else _about_whole_move(game, state, text)


def _word_error(game: Game, text: str, hexes: Sequence[int]) -> Diagnostic | None:
    """What is wrong with the words of a question beside its hexes."""
    for error in move_text_errors(text, game.board.grid, game.ruleset.move_words):
        if len(hexes) == 2 and "names two hexes" in error.message:
            continue
        return Diagnostic(error.code, Span.none("question"), error.message, error.help)
    return None


def _about_whole_move(game: Game, state: State, text: str) -> Question | Diagnostic:
    """A question that names one whole move, as a player would type it."""
    try:
        move = read_move(text, game.board, game.legal_moves(state), game.ruleset.move_words)
    except InvalidMove as error:
        return Diagnostic(error.code, Span.none("question"), str(error), _USAGE)
    except AmbiguousMove as error:
        return _unclear(text, str(error))
    return AboutMoves(state, (move,))


_USAGE = "ask about a hex (`why not f7`), a move (`why not build f7`) or gold (`why red`)"


def _about_two_hexes(
    game: Game, state: State, hexes: Sequence[int], names: Sequence[str]
) -> Question | Diagnostic:
    """A piece taken from one hex and put on another; if it can be taken, about the second."""
    rules = [name for name in names if game.ruleset.rule(name) is not None]
    first_moves = moves_at(game, state, hexes[0], rules)
    for first in first_moves:
        if first in game.legal_moves(state):
            next_state = game.apply(state, first)
            moves = [m for m in moves_at(game, next_state, hexes[1]) if m.rule == first.rule]
            if moves:
                return AboutMoves(next_state, tuple(moves), (first,))
    if first_moves:
        return AboutMoves(state, tuple(first_moves))
    return _about_whole_move(game, state, " ".join([*names, game.board.grid.name(hexes[0])]))
