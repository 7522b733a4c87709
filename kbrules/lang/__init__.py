"""The rule language: text to tree to typed core to value; it knows no game and no hex.

May import: `text`, `messages`, `diagnostics`. Imported by: primitives and everything above.
Grammar knows shapes; which words exist is handed in as a `Vocabulary`.
"""
