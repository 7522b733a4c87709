"""The base game mixed with Nomads, Crossroads, Capitol and Caves once more, slow and obvious.

Written from the printed rules alone, on dictionaries of (row, column); only `bridge` looks at the
engine. `scene` is a position, `scores`, `red_cards` and `targets` say what counts and where a
piece may go, `turn` tells a turn as a story of questions, `scattered` draws random positions.
"""
