"""Questions read: about a hex or a move, or about the gold of a player, at a position."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted, suggest
from kbrules.engine.derivation import derive
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.game.moves import (
    CHANCE,
    ENDS,
    AmbiguousMove,
    InvalidMove,
    Move,
    move_text_errors,
    move_words,
    read_move,
)
from kbrules.game.state import State
from kbrules.lang.typed import Rule, Step
from kbrules.text import Span

# Players as people call them: by the letter on the board, by colour, by the number of the seat.


COLOURS = ("red", "blue", "white", "black", "orange", "purple")
"""The colours in which players are painted, in the order of their letters."""


def parse_player(word: str, players: int) -> int | None:
    """The seat that a word names among so many players; None if it names none."""
    for player in range(players):
        if word in (player_name(player), str(player + 1), COLOURS[player % len(COLOURS)]):
            return player
    return None


def player_text(player: int) -> str:
    """A player's letter and colour."""
    colour = COLOURS[player] if player < len(COLOURS) else ""
    return f"{player_name(player)} ({colour})" if colour else player_name(player)


# What a question about a hex may mean now: every move that could be made there.


def moves_at(game: Game, state: State, hex: int, names: Iterable[str] = ()) -> list[Move]:
    """All moves with a hex that might be made now, legal or not: what can be begun comes first.

    Those of actions of the table and of tiles in the player's hands; `names` are verbs or rules
    that all of them must have.
    """
    if state.is_over or game.legal_moves(state).player == CHANCE:
        return []
    required = list(names)
    moves = dict.fromkeys([*_offered(game, state, hex), *_unavailable(game, state, hex, required)])
    matching = [m for m in moves if all(name in (m.verb, m.rule) for name in required)]
    return sorted(matching, key=lambda move: _rank(game, state, move))


def _rank(game: Game, state: State, move: Move) -> tuple[bool, bool, bool]:
    """A key that puts what was probably meant first: what can be begun, and must be."""
    moves = game.legal_moves(state)
    chooses = any(group.verb == "choose" for group in moves.groups)
    offers = [o for o in game.plan.offers.values() if o.owner.rule.id == move.rule]
    needs_card = chooses and any(offer.path in game.plan.offers_needing_card for offer in offers)
    offered = needs_card or any((g.verb, g.rule) == (move.verb, move.rule) for g in moves.groups)
    first = next(iter(derive(game, state, move).steps), None)
    asks = first.linked.word.asks if first is not None else ()
    lifts_first = bool(asks) and not asks[0].verb
    is_idle = lifts_first and move not in moves
    return is_idle, not offered, not any(offer.action.required for offer in offers)


def _offered(game: Game, state: State, hex: int) -> Iterator[Move]:
    for group in game.legal_moves(state).groups:
        if group.hexes:
            yield Move(group.verb, group.rule, hex)


def _unavailable(game: Game, state: State, hex: int, required: Collection[str]) -> Iterator[Move]:
    """Moves of actions that the player has, or names, though they cannot be begun now."""
    moves = game.legal_moves(state)
    if any(not g.path and g.verb not in ("end", "choose") for g in moves.groups):
        return  # one step is asking; nothing else can be done now
    held = {tile.kind for tile in state.seats[moves.player].tiles}
    for offer in game.plan.offers.values():
        rule = offer.owner.rule.id
        if offer.owner.tile < 0 or offer.owner.tile in held or rule in required:
            yield from _first_moves(game, state, Move("", rule, hex), rule in required)


def _first_moves(game: Game, state: State, move: Move, is_named: bool) -> Iterator[Move]:
    """How an action is begun at a hex; a piece is taken up only where one stands."""
    for step in derive(game, state, move).steps:
        linked = step.linked
        lifts_first = bool(linked.word.asks) and not linked.word.asks[0].verb
        if linked.move_verbs and (is_named or not lifts_first or state.occupied >> move.hex & 1):
            yield Move(linked.move_verbs[0], move.rule, move.hex)


# why not f7            what could be done at f7, and why not
# why build f7          only what has this verb (or is of this rule)
# why not move c3 f7    the piece on c3 put down on f7
# why red rowers       what a card pays red; `why red`: the whole sheet


FILLERS = ("why", "not", "can", "cannot")
_QUESTION = Span.none("question")


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
    # A card or rule that does nothing but pay, without the player it pays.
    text, rules = " ".join(question_words), game.ruleset.rules
    paying_rules = (rule for rule in rules if rule.awards and not rule.acts_in_play)
    if name := next((rule.id for rule in paying_rules if text in _names(rule)), ""):
        help = f"say whose gold: `why {COLOURS[0]} {name}`, or `why {COLOURS[0]}` for all of it"
        return _unclear("", help, f"{quoted(name)} pays, and does nothing else")
    return _about_moves(game, state, question_words)


def _unclear(text: str, help: str, message: str = "") -> Diagnostic:
    message = message or (f"{quoted(text)} is no question" if text else "there is no question")
    return Diagnostic("KB021", _QUESTION, message, help)


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
        names = ", ".join(f"`{player_name(p)}` or `{COLOURS[p]}`" for p in range(game.players))
        message = f"there is no player {quoted(words[0])}"
        help = did_you_mean(words[0], COLOURS[: game.players], f"the players are {names}")
        return Diagnostic("KB022", _QUESTION, message, help)
    if len(words) == 1:
        return AboutGold(player, None)
    name = " ".join(words[1:])
    scoring_rules = [rule for rule in game.ruleset.rules if rule.awards]
    gaining_rules = [rule for rule in game.ruleset.rules if gold_steps(rule) and not rule.awards]
    paying_rules = (*scoring_rules, *gaining_rules)
    rule = next((rule for rule in paying_rules if name in _names(rule)), None)
    if rule is None:
        return _unknown_rule(game, name, scoring_rules)
    if any(owner.rule is rule for owner in game.scoring.owners):
        return AboutGold(player, rule)
    played = ", ".join(map(quoted, game.cards)) or "none"
    message = f"the card {quoted(rule.id)} is not in play"
    return Diagnostic("KB023", _QUESTION, message, f"the cards in play are {played}")


_GOLD_STEPS = ("gain", "pay_gold")


def gold_steps(rule: Rule) -> list[Step]:
    """Return the steps by which a rule gives or takes gold in play."""
    steps = (step for block in rule.blocks() for step in block.steps if isinstance(step, Step))
    return [step for step in steps if step.name in _GOLD_STEPS]


def _names(rule: Rule) -> tuple[str, ...]:
    return rule.id, rule.id.replace("_", " "), rule.title.lower()


def _unknown_rule(game: Game, name: str, scoring_rules: Sequence[Rule]) -> Diagnostic:
    played = ", ".join(quoted(rule.id) for rule in scoring_rules if rule in game.scoring.rules)
    ids = [rule.id for rule in scoring_rules]
    help = did_you_mean(name, ids, f"what pays here is {played or 'nothing'}")
    message = f"there is no card or rule {quoted(name)} that pays gold at the end"
    return Diagnostic("KB023", _QUESTION, message, help)


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
        return Diagnostic(error.code, _QUESTION, error.message, error.help)
    return None


def _about_whole_move(game: Game, state: State, text: str) -> Question | Diagnostic:
    """A question that names one whole move, as a player would type it."""
    try:
        move = read_move(text, game.board, game.legal_moves(state), game.ruleset.move_words)
    except InvalidMove as error:
        return Diagnostic(error.code, _QUESTION, str(error), _USAGE)
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
