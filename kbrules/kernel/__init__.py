"""The kernel: the rules of a configuration as one program in a small part of Python.

`lowering` writes its text from the plan, and `runtime` is what every kernel shares. `layout` says
where it keeps what, and `states` writes states there. `python` and `native` run it.
"""
