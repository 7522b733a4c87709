"""The rules of a table lowered to the text of a kernel: functions in a small part of Python.

It is the machine of `reference` over again, with its frames, in numbers: `runtime` is what is the
same for all rules, these modules write the rest from the plan. Tests hold the two together, game by
game.
"""
