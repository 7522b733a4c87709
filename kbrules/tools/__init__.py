"""What looks at rules and games from outside: lint, coverage, schemas, perft, simulation, balance.

May import everything below it; nothing but the command line imports it.
"""
