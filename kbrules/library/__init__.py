"""From files to a rule set: `load.load` and `load.load_all` are the entries.

`yaml` reads data with its places, `boards` makes boards of sections, `box` reads an expansion,
`union` unites several, `compose` puts rules together; `store` keeps what has not changed.
May import text, messages, diagnostics, hex, lang, game and primitives; knows no moves and no play.
"""
