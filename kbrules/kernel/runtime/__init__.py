"""The machine of a kernel: what is the same for all rules.

It says what `engine.machine`, `engine.offers` and the events of `game` say, in numbers instead of
tuples, over one memory. The texts of these modules go into every kernel; the names in capitals are
numbers there, and `written` is written from the rules.
"""
