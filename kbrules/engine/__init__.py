"""Play: set-up, states by an engine that is named, refusals, scoring, logs, replay, games in place.

May import: everything up to `reference` and `kernel`. `game.py` is the door.
"""
