"""Syntax trees to typed core: names are resolved, sorts checked, all mistakes reported.

`rules.check` is the door; expressions and statements have a room each.
"""
