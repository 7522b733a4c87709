"""Play: tables are set up, games are played by a named engine, scored, explained and logged.

May import: everything up to `reference` and `kernel`. `game.py` is the door.
"""
