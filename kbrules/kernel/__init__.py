"""The kernel: the rules of a configuration as one program in a small part of Python.

`lowering` writes its text from the plan, `runtime` is what every kernel shares, `memory` lays
out what it works on, and `native` makes machine code of it.
"""
