"""The rules of a table lowered to one program for numba that plays whole games by chance.

It is the machine of `engine.machine` over again, with its frames, told in numbers: `floor` is what
is the same for all rules, the other modules write the rest from the typed core. The plain engine
never needs it; tests hold the two together, game by game.
"""
