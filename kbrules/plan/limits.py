"""Where play is cut off, whatever the rules say, so that every game ends; and what is too large."""

from kbrules.game.turn_order import MAX_FURTHER
from kbrules.lang.typed.core import MAX_ROUNDS

MAX_TURNS = 3000
"""A game that has gone on for so many turns is ended after the round."""

MAX_NESTING = 60
"""How deep running blocks may lie upon one another; then no trigger begins a further one."""

MAX_FIRINGS = 200
"""How often rules that act `whenever` do so in one turn; then they rest."""

MAX_TRIALS = 2
"""How deep trials of actions may lie within one another; then no more actions are tried."""

MAX_TRIED_BLOCKS = 8
"""How deep trials of blocks may lie within one another; what lies deeper cannot be begun."""

CUT_OFF = {
    "firings": f"rules that act `whenever` rest after {MAX_FIRINGS} times in a turn",
    "rounds": f"a block is repeated at most {MAX_ROUNDS} times",
    "nesting": f"nothing follows what {MAX_NESTING} blocks within one another have led to",
    "turns": f"the game ends after {MAX_TURNS} turns",
    "further": f"a player takes at most {MAX_FURTHER} further turns in a row, and as often "
    "a game is finished again",
    "redraw": "a card stays, as no card of the deck or the discards could take its place",
}
"""What happens when a limit is met, by its name in `kbrules.game.state.LIMITS`."""

MAX_BITS = 4095
"""So many bits a set of hexes may have in native code; sets of twice as many never compiled."""
