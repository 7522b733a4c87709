"""The words of the language in Python: the one room where hexes, table and language meet.

May import: `hex`, `game`, `lang`. Adding a word is adding one decorated function: its
annotations are the signature, its docstring the page, its example a test, its body the code.
`vocabulary.py` harvests them all.
"""
