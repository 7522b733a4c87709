"""Record the golden games: `python -m tests.golden.record`. See the package for when to.

It takes a few minutes. The same rules give the same file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from time import process_time
from typing import Any

import kbrules
from kbrules.engine.matches import Bot
from kbrules.game.moves import CHANCE
from kbrules.hex.sets import bits
from kbrules.tools.bots import bot_named
from tests.golden.compare import ending, laid, table_text
from tests.golden.kept import FILE, Record, save
from tests.golden.settings import GAMES, Plan, Setting
from tests.golden.walk import Walk

POSITIONS, REFUSALS = 2_000, 5
LONGEST = 600
"""A game that takes longer is recorded up to so many moves."""

Kind = tuple[Any, ...]


def kinds(
    game: kbrules.Game, state: kbrules.State, moves: kbrules.MoveSet, random: kbrules.Random
) -> kbrules.Move:
    """Any kind of move, all kinds as likely, so that rare ones come up."""
    return random.choice(random.choice(moves.groups).moves())


def _bot(name: str) -> Bot:
    return kinds if name == "kinds" else bot_named(name)


def recorded(setting: Setting, seen: Counter[Kind]) -> Record:
    """The record of a game; `seen` counts the kinds of positions there are already."""
    record: Record = asdict(setting)
    ruleset, table = laid(record)
    game = kbrules.game_at(ruleset, table)
    moves = _played(game, setting)
    walk = Walk(game)
    record |= {"table": table_text(table), "moves": [walk.texts.move(move) for move in moves]}
    chosen = _chosen(game, moves, setting, seen)
    events, offers, positions = [walk.opened()], [], []
    for move in [*moves, None]:
        offers.append(walk.offered())
        if walk.number in chosen:
            illegal = [walk.texts.move(move) for move in _illegal(walk, moves, setting)]
            positions.append({"moves": walk.number, **walk.position(illegal)})
        if move is not None:
            events.append(walk.play(move))
    record |= {"events": "".join(events), "offers": "".join(offers), "positions": positions}
    return record | {"end": ending(walk)}


def _played(game: kbrules.Game, setting: Setting) -> list[kbrules.Move]:
    """The moves of a game between its bots."""
    state, moves = game.start(), []
    chance = kbrules.Random(setting.seed, "deck")
    seats = [(_bot(name), kbrules.Random(setting.seed, f"bot {seat}"))
             for seat, name in enumerate(setting.bots)]  # fmt: skip
    while (offered := game.legal_moves(state)) and len(moves) < LONGEST:
        if offered.player == CHANCE:
            moves.append(offered.sample(chance))
        else:
            bot, random = seats[offered.player]
            moves.append(bot(game, state, offered, random))
        state = game.apply(state, moves[-1])
    return moves


def _chosen(
    game: kbrules.Game, moves: list[kbrules.Move], setting: Setting, seen: Counter[Kind]
) -> set[int]:
    """After how many moves the game is looked at closely: where the rarest kinds of it are."""
    state, found = game.start(), {}
    for number, move in enumerate([*moves, None]):
        found.setdefault(_kind(game, state), []).append(number)
        state = state if move is None else game.apply(state, move)
    random = kbrules.Random(setting.seed, "positions")
    share = POSITIONS // GAMES + (setting.number % GAMES < POSITIONS % GAMES)
    chosen: set[int] = set()
    while found and len(chosen) < share:
        kind = min(found, key=lambda kind: (seen[kind], str(kind)))
        chosen.add(found[kind].pop(random.below(len(found[kind]))))
        seen[kind] += 1
        found = {kind: numbers for kind, numbers in found.items() if numbers}
    return chosen


def _kind(game: kbrules.Game, state: kbrules.State) -> Kind:
    """What a position is like: stage, who decides, how much is half done, what is offered."""
    moves = game.legal_moves(state)
    who = "chance" if moves.player == CHANCE else moves.player == state.active
    offered = tuple((group.verb, group.rule) for group in moves.groups[:2])
    return state.stage[0], min(state.stage[1], 2), who, len(state.stack), offered


def _illegal(walk: Walk, moves: list[kbrules.Move], setting: Setting) -> list[kbrules.Move]:
    """Moves that are not legal now, though they look as if they could be."""
    random = kbrules.Random(setting.seed, f"refusals {walk.number}")
    found: list[kbrules.Move] = []
    for move in _near(walk, moves, random):
        if move not in walk.moves and move not in found:
            found.append(move)
        if len(found) == REFUSALS:
            break
    return found


def _near(walk: Walk, moves: list[kbrules.Move], random: kbrules.Random) -> Iterator[kbrules.Move]:
    """Moves like those that are offered or were made, on hexes next_to those, or anywhere."""
    grid, groups = walk.game.board.grid, walk.moves.groups
    everywhere = list(bits(grid.full))
    for turn in range(200):
        like = random.choice(groups) if groups and turn % 5 < 3 else random.choice(moves)
        verb, rule, hexes = like[:3]
        if verb == "draw":
            cards = len(walk.game.board.catalog.deck)
            yield kbrules.Move(verb, rule, random.below(cards))
            continue
        next_to = grid.neighbours(hexes) & ~hexes if turn % 5 == 0 and groups else 0
        if turn % 5 == 4:
            yield kbrules.Move(verb, rule, like[2] if isinstance(like, kbrules.Move) else -1)
        else:
            yield kbrules.Move(verb, rule, random.choice(list(bits(next_to)) or everywhere))
    for rule in walk.game.ruleset.rules:
        yield kbrules.Move("build", rule.id, random.choice(everywhere))
    yield from (kbrules.Move("build", "", hex) for hex in everywhere)


def main() -> None:
    """Record all games and say what is in them."""
    seen: Counter[Kind] = Counter()
    games = []
    for setting in Plan().settings():
        games.append(recorded(setting, seen))
        if setting.number % 20 == 0:
            print(f"{setting.number} games, {process_time():.0f} s", flush=True)
    size = save(games)
    moves = sum(len(game["moves"]) for game in games)
    positions = sum(len(game["positions"]) for game in games)
    refusals = sum(len(one["refusals"]) for game in games for one in game["positions"])
    over = sum(game["end"]["over"] for game in games)
    options = Counter(name for game in games for name in game["options"])
    print(f"{len(games)} games, {over} of them to their end, {moves} moves")
    print(f"{positions} positions of {len(seen)} kinds, {refusals} refusals")
    print("options:", ", ".join(f"{name} {count}" for name, count in sorted(options.items())))
    print(f"{FILE.name}: {size} bytes, {process_time():.0f} s of CPU time")


if __name__ == "__main__":
    main()
