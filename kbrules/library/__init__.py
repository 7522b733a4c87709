"""From files to a rule set: reading, the YAML data with its places, models, loading, union.

May import text, codes, diagnostics, hex, lang, game and primitives; knows no moves and no play.
"""
