"""From files to a rule set: models of YAML, positions in it, loading, the union of expansions.

May import `primitives` and everything below it; knows files, and no move is made here.
"""
