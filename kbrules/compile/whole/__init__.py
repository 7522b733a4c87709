"""From the rules of one configuration to a program that plays whole random games at a stretch.

Here rules call each other as Python functions do, and a table is changed in place: there are no
frames, no states and no events. What the machine of `engine` does one decision at a time is
written out once, in the same order, so that the same chance leads to the same game.
"""
