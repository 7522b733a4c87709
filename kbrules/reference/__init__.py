"""The reference engine: a walk over the rules and a machine of frames, slow and obvious.

It says what the language means. Whatever explains, covers or traces rules watches it.
"""
