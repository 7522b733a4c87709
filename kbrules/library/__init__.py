"""From files to a rule set: `load.load` and `load.load_all` are the entries.

`yaml` reads data with its places, `boards` makes boards of sections, `boxes` unites the data of
expansions, `rules` puts rules together; `file_cache` keeps what has not changed.
May import text, codes, diagnostics, hex, lang, game and primitives; knows no moves and no play.
"""
