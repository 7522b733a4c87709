"""Players that need no person: by chance, greedy, careful, and by games played on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt
from operator import itemgetter

from kbrules.diagnostics import CodedError, quoted, suggest
from kbrules.engine.configuration import Table
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import Bot, random_bot
from kbrules.engine.scoring import Sheet
from kbrules.game.board import NONE
from kbrules.game.moves import CHANCE, Move, MoveSet, write_move
from kbrules.game.random import Random
from kbrules.game.state import Seat, State, StateCache, UpToLoop, draft_of
from kbrules.lang.evaluation import WORK, OutOfWork

# The greedy bot: it looks at the score after each of its moves, and no further.


MAX_MOVES = 150  # moves that the greedy bot tries at most
CONTINUATIONS = 5  # ways to go on that it tries after a move that is only half of one
MAX_PARTIAL_MOVES = 12  # and how many such half moves it tries at most
MAX_DEPTH = 3  # parts of one move that it thinks through
MAX_GREEDY_WORK = 300_000  # steps of expressions for its first decision; it takes some thousand
ENDING = ("end", "stop")

# What decides who wins, of which gold is the usual: one's own, and the lead over the best of the
# others; then the same of gold.
Value = tuple[int, int, int, int]


Choose = Callable[[list[tuple[Move, Value]]], Move]
"""Which of some moves with their values a bot makes."""


def greedy(game: Table, state: State, moves: MoveSet, random: Random) -> Move:
    """Return the move after which the bot would have most; ties by lead, then by lot.

    Most of what decides who wins, and of gold if that is level, if the game ended then. It does
    anything that costs it nothing rather than end its turn.
    """

    def choose(valued: list[tuple[Move, Value]]) -> Move:
        return max(valued, key=itemgetter(1))[0]

    return _decide(MAX_GREEDY_WORK, game, state, moves, random, choose)


def _decide(
    work: int, game: Table, state: State, moves: MoveSet, random: Random, choose: Choose
) -> Move:
    """Return the move chosen of those tried; the end of the turn if it is better than each."""

    def decide() -> Move:
        ending = [move for move in moves if move.verb in ENDING]
        choices = moves_to_try(game, state, moves, random)
        if len(choices) + len(ending) == 1:
            return (choices + ending)[0]
        choices = random.sample(choices, min(len(choices), MAX_MOVES))
        valued = _valued(game, state, choices, moves.player, random, 1)
        most = max((value[0] for _, value in valued), default=0)
        if not valued or (ending and most < value_of(game, state, moves.player)[0]):
            return ending[0]
        return choose(valued)

    return decide_within(work, state, moves, random, decide)


def decide_within(
    work: int, state: State, moves: MoveSet, random: Random, decide: Callable[[], Move]
) -> Move:
    """Return the move that `decide` finds, if it does so within so many steps of expressions.

    Otherwise end the turn, or make any move where that is impossible. The more a player has done in
    a turn, the fewer steps there are for one more decision, so that every turn ends soon.
    """
    rounds = sum(frame.loop.done for frame in state.stack if isinstance(frame.loop, UpToLoop))
    try:
        with WORK.limited(work // (1 + len(state.used) + rounds)):
            return decide()
    except OutOfWork:
        ending = [move for move in moves if move.verb in ENDING]
        return ending[0] if ending else moves.sample(random)


def moves_to_try(game: Table, state: State, moves: MoveSet, random: Random) -> list[Move]:
    """Return the moves that are worth a look: of those that are only half a move, a few."""
    found: list[Move] = []
    for group in moves.groups:
        if group.verb not in ENDING:
            each = group.moves()
            is_half = _is_partial(state, game.apply(state, each[0]))
            limit = MAX_PARTIAL_MOVES if is_half else MAX_MOVES
            found += random.sample(each, min(len(each), limit))
    return found


def _valued(
    game: Table, state: State, moves: Sequence[Move], me: int, random: Random, depth: int
) -> list[tuple[Move, Value]]:
    """Return moves with what each is worth; of a half move, with that of the best way to go on."""
    return [(move, _value_after(game, state, move, me, random, depth)) for move in moves]


def _value_after(
    game: Table, state: State, move: Move, me: int, random: Random, depth: int
) -> Value:
    after = game.apply(state, move)
    moves = game.legal_moves(after)
    if depth < MAX_DEPTH and moves.player == me and _is_partial(state, after):
        next_moves = list(moves)
        sample = random.sample(next_moves, min(len(next_moves), CONTINUATIONS))
        return max(value for _, value in _valued(game, after, sample, me, random, depth + 1))
    return value_of(game, after, me)


def _is_partial(before: State, after: State) -> bool:
    """Whether nothing has come to lie otherwise yet: a piece is chosen, its hex is not."""
    return all(one.pieces == two.pieces for one, two in zip(before.seats, after.seats, strict=True))


def value_of(game: Table, state: State, me: int) -> Value:
    """What a player has if the game ends in a state."""
    totals = game.totals(state)
    lead = _own_and_lead(totals, me)
    values = game.scoring.win_values(state, totals) or totals
    return *(lead if values is totals else _own_and_lead(values, me)), *lead


def _own_and_lead(values: Sequence[int], me: int) -> tuple[int, int]:
    others = [value for player, value in enumerate(values) if player != me]
    return values[me], values[me] - max(others, default=0)


# The careful bot: it looks one decision of its own further than the greedy one.
#
# Moves that are worth less than the best one by no more than its margin, in units of what decides
# who wins (gold as a rule), count as equal. Of a few of them it takes the one after which it
# stands best at its own next decision: until then the others choose by chance, then it takes what
# is worth most to it. All are tried with the same luck, so that luck does not choose between them.
#
# It looks at what it could do and hardly at what others may do to it: in a game in which nobody
# can take anything from others, their best replies decide nothing.


EXAMINED_MOVES = 8  # moves that are looked at again
TRIALS = 3  # and how often each is played on to the next decision
NEXT_MOVES = 20  # moves that are tried there
MAX_CAREFUL_WORK = (
    3_000_000  # steps of expressions for its first decision; it takes some ten thousand
)
MAX_DECISIONS = 100  # decisions of others, at most, until then
_SEEDS = 2**32


def careful(margin: int) -> Bot:
    """A bot with this margin."""

    def bot(game: Table, state: State, moves: MoveSet, random: Random) -> Move:
        def choose(valued: list[tuple[Move, Value]]) -> Move:
            best = sorted(valued, key=itemgetter(1), reverse=True)
            level = [move for move, value in best if value[0] >= best[0][1][0] - margin]
            return _safest(game, state, level[:EXAMINED_MOVES], moves.player, random)

        return _decide(MAX_CAREFUL_WORK, game, state, moves, random, choose)

    return bot


def _safest(game: Table, state: State, level: Sequence[Move], me: int, random: Random) -> Move:
    if len(level) == 1:
        return level[0]
    seeds = [random.below(_SEEDS) for _ in range(TRIALS)]
    states = (game.apply(state, move) for move in level)
    leads = [sum(_next_lead(game, each, me, Random(seed, "later")) for seed in seeds)
             for each in states]  # fmt: skip
    return level[leads.index(max(leads))]


def _next_lead(game: Table, state: State, me: int, random: Random) -> int:
    """By how much one leads after the best of a few moves at one's next decision."""
    moves = game.legal_moves(state)
    for _ in range(MAX_DECISIONS):
        if not moves or moves.player == me:
            break
        state = game.apply(state, moves.sample(random))
        moves = game.legal_moves(state)
    if not moves or moves.player != me:
        return value_of(game, state, me)[1]
    tried = moves_to_try(game, state, moves, random)
    sample = random.sample(tried, min(len(tried), NEXT_MOVES))
    current = value_of(game, state, me)
    values = [value for _, value in _valued(game, state, sample, me, random, 2)]
    return max(values, default=current)[1]


# What a player cannot see, dealt anew: a state as likely to that player as the true one.


def redeal_hidden_cards(game: Table, state: State, moves: MoveSet, random: Random) -> State:
    """The state with the cards in the hands of others dealt anew, from these and from the deck.

    moves: what its player can decide, which is what can be decided then. Two states that differ
    only in what that player cannot see are dealt alike.
    """
    others = [player != moves.player for player in range(len(state.seats))]
    deck, *piles = state.piles
    pool = list(deck)
    for seat, is_other in zip(state.seats, others, strict=True):
        for card in _cards(seat) if is_other else ():
            pool[card] += 1
    draft = draft_of(state)
    draft.seats = tuple(
        _redealt_seat(seat, pool, random) if is_other and _cards(seat) else seat
        for seat, is_other in zip(state.seats, others, strict=True)
    )
    draft.piles = (tuple(pool), *piles)
    return draft.seal(StateCache(game, moves))


def _cards(seat: Seat) -> list[int]:
    """The cards of a hand; places without one are none."""
    return [card for card in seat.hand if card != NONE]


def _redealt_seat(seat: Seat, pool: list[int], random: Random) -> Seat:
    """The seat with as many cards of the pool in its hand."""
    hand = []
    for card in seat.hand:
        if card != NONE:
            card = random.weighted(pool)
            pool[card] -= 1
        hand.append(card)
    return seat._replace(hand=tuple(hand))


# The bot that plays on by chance: flat Monte Carlo, with a budget of games for each decision.


MAX_PLAYOUT_WORK = 500_000  # steps of expressions for each game; one takes a tenth of it

Leads = Callable[[Table, State, int, Sequence[Move], int, Random], list[int]]
"""By how much a player leads at the end of so many games, in all, after each of some moves."""


def leads_by_states(
    game: Table, state: State, me: int, moves: Sequence[Move], times: int, random: Random
) -> list[int]:
    """The games are played by the plain engine."""
    return [_total_lead(game, game.apply(state, move), me, times, random) for move in moves]


def leads_by_kernel(
    game: Table, state: State, me: int, moves: Sequence[Move], times: int, random: Random
) -> list[int]:
    """The same games by the native kernel, unless it has no room for the table.

    It needs the extra `fast`.
    """
    from kbrules.engine.simulation.kernels import OutOfRoom
    from kbrules.engine.simulation.playthrough import rollouts_of

    def lead_by_states(move: Move, random: Random) -> int:
        return _total_lead(game, game.apply(state, move), me, 1, random)

    try:
        rollouts = rollouts_of(game)
    except OutOfRoom:
        return leads_by_states(game, state, me, moves, times, random)
    return rollouts.leads(state, me, moves, times, random, lead_by_states)


def monte_carlo(playouts: int, leads: Leads = leads_by_states) -> Bot:
    """A bot that has so many games played on to their end, by chance, before it decides.

    They are divided evenly over its legal moves, at least one for each; of more moves than that
    it looks at so many, drawn by lot. It takes the move after which it leads by most on average,
    in what decides who wins. It sees what lies hidden in the hands of others, but not what chance
    will draw: that is drawn anew in each game. leads: plays these games.
    """

    def bot(game: Table, state: State, moves: MoveSet, random: Random) -> Move:
        def decide() -> Move:
            candidates = random.sample(list(moves), min(len(moves), playouts))
            times = playouts // len(candidates)
            total_leads = leads(game, state, moves.player, candidates, times, random)
            return candidates[total_leads.index(max(total_leads))]

        if len(moves) == 1:
            return next(iter(moves))
        return decide_within(playouts * MAX_PLAYOUT_WORK, state, moves, random, decide)

    return bot


def _total_lead(game: Table, state: State, me: int, times: int, random: Random) -> int:
    """By how much one leads at the end of so many games, in all."""
    return sum(value_of(game, _end(game, state, random), me)[1] for _ in range(times))


def _end(game: Table, state: State, random: Random) -> State:
    moves = game.legal_moves(state)
    while moves:
        state = game.apply(state, moves.sample(random))
        moves = game.legal_moves(state)
    return state


# The bot that searches a tree: Monte Carlo tree search with a budget of games for each decision.
#
# A part of the budget is spent on all moves alike. The moves after which the bot leads by most are
# kept, and the rest grows a tree below them by upper confidence bounds. The decisions in it are
# those of all players, of whom the others want the bot to lead by little. A leaf gets a few moves:
# those that did best when they were tried at once, and others that came up since. From each of
# these a few games are played on by chance, up to their end. Chance draws anew at each visit.
#
# What others hold in their hands is dealt anew for every visit: the bot never looks at it.


FIRST_PHASE_SHARE = 3  # a third of the budget is for all moves alike
KEPT_MOVES = 8  # moves that are kept after that
LEAF_MOVES = 6  # moves of a leaf that are tried
LEAF_PLAYOUTS = 60  # games that are played on from a leaf
DEALS = 8  # deals of hidden cards, at most, for the games of all moves alike
EXPLORATION = 10.0  # gold by which the lead of a game strays: how much doubt is worth


class SearchNode:
    """A place in the tree: games played on from below it, and by how much they were led in all."""

    __slots__ = ("children", "games", "lead")

    def __init__(self) -> None:
        self.games, self.lead = 0, 0
        self.children: dict[Move, SearchNode] = {}

    def add(self, games: int, lead: int) -> None:
        """Take in some games."""
        self.games += games
        self.lead += lead

    @property
    def mean(self) -> float:
        """By how much they were led on average; of none, nothing."""
        return self.lead / self.games if self.games else 0.0

    def best(self, moves: Iterable[Move], sign: int, exploration: float) -> Move:
        """The move with the highest bound; sign: -1 for who wants the lead to be small."""
        exploration *= sqrt(log(1 + self.games))
        bounds = [
            (sign * child.mean + exploration / sqrt(child.games or 1), move)
            for move, child in ((move, self.children[move]) for move in moves)
        ]
        return max(bounds, key=lambda each: each[0])[1]


class TreeSearch:
    """A search for the best of the moves of a player, the one whose lead is meant."""

    def __init__(
        self, game: Table, state: State, moves: MoveSet, leads: Leads, random: Random
    ) -> None:
        self._game, self._state, self._moves = game, state, moves
        self._leads, self._random, self._me = leads, random, moves.player
        self._means: dict[Move, float] = {}

    def best(self, playouts: int) -> Move:
        """The best move after so many games."""
        root = self._first_phase(playouts // FIRST_PHASE_SHARE or 1)
        self._means = {move: child.mean for move, child in root.children.items()}
        kept = sorted(self._means, key=self._means.__getitem__, reverse=True)[:KEPT_MOVES]
        while len(kept) > 1 and root.games + LEAF_PLAYOUTS <= playouts:
            move = root.best(kept, 1, EXPLORATION)
            root.add(*self._visit(root.children[move], self._game.apply(self._deal(), move)))
        return max(kept, key=lambda move: root.children[move].mean)

    def _deal(self) -> State:
        return redeal_hidden_cards(self._game, self._state, self._moves, self._random)

    def _first_phase(self, playouts: int) -> SearchNode:
        """Games played on from all moves alike; of more moves than games, from some."""
        root = SearchNode()
        candidates = self._random.sample([*self._moves], min(len(self._moves), playouts))
        share = playouts // len(candidates)
        deals = min(DEALS, share)
        for deal in range(deals):
            times = share // deals + (deal < share % deals)
            root.add(*self._play_on(root, self._deal(), candidates, times))
        return root

    def _visit(self, node: SearchNode, state: State) -> tuple[int, int]:
        """Down the tree to a leaf: how many games were played on from there, and by what lead."""
        moves, path = self._game.legal_moves(state), [node]
        while moves:
            move = self._choice(node, moves)
            if move is None:
                break
            node = node.children.setdefault(move, SearchNode())
            path.append(node)
            state = self._game.apply(state, move)
            moves = self._game.legal_moves(state)
        games, lead = self._at_leaf(node, state, moves)
        for each in path:
            each.add(games, lead)
        return games, lead

    def _choice(self, node: SearchNode, moves: MoveSet) -> Move | None:
        """What chance draws, or who decides prefers; None where none of the moves was tried."""
        if moves.player == CHANCE:
            return moves.sample(self._random)
        visited = [move for move in node.children if move in moves]
        sign = 1 if moves.player == self._me else -1
        return node.best(visited, sign, EXPLORATION) if visited else None

    def _at_leaf(self, node: SearchNode, state: State, moves: MoveSet) -> tuple[int, int]:
        if not moves:
            return LEAF_PLAYOUTS, LEAF_PLAYOUTS * value_of(self._game, state, self._me)[1]
        candidates = self._promising(moves)
        return self._play_on(node, state, candidates, max(1, LEAF_PLAYOUTS // len(candidates)))

    def _promising(self, moves: MoveSet) -> Sequence[Move]:
        """A few moves of a leaf: half of them those that did well at once, the others by lot."""
        every = self._random.sample([*moves], len(moves))
        if moves.player != self._me:
            return every[:LEAF_MOVES]
        known = sorted((m for m in every if m in self._means), key=lambda m: -self._means[m])
        new = [move for move in every if move not in self._means]
        return [*known[: max(LEAF_MOVES // 2, LEAF_MOVES - len(new))], *new][:LEAF_MOVES]

    def _play_on(
        self, node: SearchNode, state: State, moves: Sequence[Move], times: int
    ) -> tuple[int, int]:
        """So many games from each of some moves, told to these: how many in all, by what lead."""
        leads = self._leads(self._game, state, self._me, moves, times, self._random)
        for move, lead in zip(moves, leads, strict=True):
            node.children.setdefault(move, SearchNode()).add(times, lead)
        return times * len(moves), sum(leads)


def tree_search(playouts: int, leads: Leads = leads_by_states) -> Bot:
    """A bot that has about so many games played on by chance before it decides. leads: plays them.

    With a budget for fewer games than moves it looks at so many moves, drawn by lot.
    """

    def bot(game: Table, state: State, moves: MoveSet, random: Random) -> Move:
        if len(moves) == 1:
            return next(iter(moves))
        search = TreeSearch(game, state, moves, leads, random)
        work = playouts * MAX_PLAYOUT_WORK
        return decide_within(work, state, moves, random, lambda: search.best(playouts))

    return bot


# Players that need no person: each is a function of game, state, moves and chance to a move.
#
# They are asked for by name: `random`, `greedy`, `careful` or `careful:2` with its margin, `mc` or
# `mc:200` and `uct` or `uct:5000` with its games for each decision. A bot draws from the stream
# that it is given and from nothing else, so that a game is a function of its seed.


RANDOM = "random"
_NAME = re.compile(r"(?P<kind>[a-z]+)(?::(?P<number>[0-9]{1,6}))?", re.ASCII)
_MARGIN, _PLAYOUTS, _SEARCHED = 1, 100, 2000
_BOTS_HELP = "; `kbrules play --bots help` tells how each decides, and its strength"


class UnknownBot(CodedError, ValueError):
    """A name that is no bot's; `help` says what could have been meant."""


BOTS: Mapping[str, Bot] = {RANDOM: random_bot, "greedy": greedy}
_FACTORIES: Mapping[str, tuple[Callable[..., Bot], int, int]] = {
    "careful": (careful, _MARGIN, 0),
    "mc": (monte_carlo, _PLAYOUTS, 1),
    "uct": (tree_search, _SEARCHED, 1),
}
"""Bots with a number: how one is made, the usual number, and the least."""
_PLAYING_ON = frozenset({"mc", "uct"})
"""Those that have games played on, by states or by the native kernel."""
NAMES = (*BOTS, *(f"{name}:{usual}" for name, (_, usual, _) in _FACTORIES.items()))
"""The names there are, those of bots with a number with the one that is usual."""

DESCRIPTIONS: Mapping[str, tuple[str, str]] = {
    RANDOM: ("any legal move, all as likely", "the weakest; at once"),
    "greedy": (
        "the most gold after each of its moves, and no further",
        "wins 93 of 100 games against `random`; at once",
    ),
    "careful": (
        "looks one decision of its own further among moves within N gold of the best",
        "wins 63 of 100 games against `greedy`; a second or so a turn",
    ),
    "mc": (
        "plays N games on by chance and takes the move after which it leads by most",
        "stronger with more games, and slower in proportion",
    ),
    "uct": (
        "searches a tree with N games played on, most of them from the moves that look best",
        "wins 81 of 100 games against `greedy` at 2000; with the extra `fast` soon done",
    ),
}
"""How each kind of bot decides, and how strong and quick it is; N is its number."""


def bots_text() -> str:
    """The bots by strength: a line with how each decides, and one with how strong it is."""
    return "\n".join(
        f"{name}{':N' if name in _FACTORIES else '':<{12 - len(name)}}{how}\n{'':12}{strength}"
        for name, (how, strength) in DESCRIPTIONS.items()
    )


@lru_cache(maxsize=64)
def bot_named(name: str) -> Bot:
    """The bot of a name; UnknownBot if there is none."""
    return _named(name, leads_by_states)


@lru_cache(maxsize=64)
def native_bot_named(name: str) -> Bot:
    """The same bot; if it plays games on, it does so by the native kernel.

    It needs the extra `fast`, and says so when it decides: see `Game.playouts`.
    """
    return _named(name, leads_by_kernel)


def has_native_bot(name: str) -> bool:
    """Whether the native kernel makes the bot of a name decide any faster."""
    return name.partition(":")[0] in _PLAYING_ON


def _named(name: str, leads: Leads) -> Bot:
    match = _NAME.fullmatch(name)
    kind, number = (match["kind"], match["number"]) if match else (name, None)
    if kind in BOTS and number is None:
        return BOTS[kind]
    if kind not in _FACTORIES:
        nearest = suggest(kind, [*BOTS, *_FACTORIES])
        guess = f"did you mean {quoted(nearest)}? " if nearest else ""
        help = f"{guess}there are {', '.join(NAMES)}{_BOTS_HELP}"
        raise UnknownBot(f"there is no bot {quoted(name)}", help)
    make, default, minimum = _FACTORIES[kind]
    argument = default if number is None else int(number)
    if argument < minimum:
        raise UnknownBot(f"{quoted(name)} can decide nothing", f"the least is `{kind}:{minimum}`")
    return make(argument, leads) if kind in _PLAYING_ON else make(argument)


# What a bot would do in a position, and why: how it decides, and what the move pays at once.


MAX_COMPARED = 150  # legal moves that a hint compares


def hint_text(game: Game, state: State, name: str) -> str:
    """What the bot of a name would do where somebody must decide; UnknownBot if there is none.

    The bot draws from a stream of its own: who asks for a hint does not change the game.
    """
    bot, moves = bot_named(name), game.legal_moves(state)
    move = bot(game, state, moves, Random(0, "hint"))
    written = write_move(move, game.board)
    how, _ = DESCRIPTIONS[name.partition(":")[0]]
    lines = [f"{name} would do `{written}`. How it decides: {how}."]
    return "\n".join([*lines, *_gold_lines(game, state, moves, move)])


def _gold_lines(game: Game, state: State, moves: MoveSet, move: Move) -> Iterator[str]:
    me = moves.player
    before, after = game.score(state), game.score(game.apply(state, move))
    parts = ", ".join(_changes(before, after, me)) or "no card pays more or less"
    yield f"  {player_name(me)} has {after.totals[me]} gold then, now {before.totals[me]}: {parts}"
    sampled = Random(0, "hint").sample(list(moves), min(len(moves), MAX_COMPARED))
    golds = [game.totals(game.apply(state, each))[me] for each in sampled]
    less, more = (sum(each < after.totals[me] for each in golds),
                  sum(each > after.totals[me] for each in golds))  # fmt: skip
    yield f"  of {len(sampled)} legal moves {less} pay less at once, and {more} more"


def _changes(before: Sheet, after: Sheet, me: int) -> Iterator[str]:
    """By how much each line of a player's sheet changes."""
    gold_before = {row[me].rule: row[me].gold for row in before.rows}
    for row in after.rows:
        if change := row[me].gold - gold_before.get(row[me].rule, 0):
            yield f"{row[me].title} {change:+}"
    if change := after.gained[me] - before.gained[me]:
        yield f"in play {change:+}"
