"""From steps and frames to generated Python: the straight path of a decision, and of what follows.

The machine of the engine says what a step means. What it does in play is written out here as
functions, one for each place at which a block may stand: one that goes on from a decision, one
that runs up to the next. They leave behind the same states as the machine. Whatever is rare is
not written: there the machine takes over, on the same draft and stack.
"""
