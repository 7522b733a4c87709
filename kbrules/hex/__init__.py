"""Hexes: geometry as sets of bits, and the one way to draw a board.

A set of hexes is an `int`. Lives here: grids, their neighbours, lines and distances, the names
of hexes, and drawings of boards as text. Knows no game and no language, and imports nothing of
the package but the ground floor (`text`, `messages`, `diagnostics`).
"""
