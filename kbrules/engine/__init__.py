"""Play: set-up, the machine of decisions, legality, refusals, scoring, logs and replay.

May import: everything up to `compile`. `game.py` is the door.
"""
