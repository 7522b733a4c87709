"""The game table: pieces, boards, state, moves, events, notation and chance.

What can lie on a table and what can happen to it, whatever the rules. Knows hexes, not the rule
language: imports `hex` and the ground floor only.
"""
