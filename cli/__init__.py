"""The command line: one file per command, each of which asks the engine and prints the answer.

May import all of `kbrules`, always by its full name, and its own siblings, always relatively,
because a wheel carries this folder as `kbrules._cli`. What is slow to load is imported in
`with lazily():`, as modules, so that help and slips in options are told at once. Nothing but
`kbrules.__main__` imports this.
"""
