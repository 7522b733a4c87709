"""The command line: one file per command, each of which asks the engine and prints the answer.

May import all of `kbrules`, always by its full name, and its own siblings, always relatively,
because a wheel carries this folder as `kbrules._cli`. Nothing but `kbrules.__main__` imports it.
"""
