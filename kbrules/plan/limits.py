"""Where play is cut off, whatever the rules say, so that every game ends; and what is too large."""

MAX_TURNS = 3000
"""A game that has gone on for so many turns is ended after the round."""

MAX_NESTING = 60
"""How deep running blocks may lie upon one another; then no trigger begins a further one."""

MAX_FIRINGS = 200
"""How often rules that act `whenever` do so in one turn; then they rest."""

MAX_BITS = 4095
"""So many bits a set of hexes may have in native code; sets of twice as many never compiled."""
