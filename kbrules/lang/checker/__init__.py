"""Syntax trees to typed core: names are resolved, sorts checked, all mistakes reported.

`declarations.check` is the door; expressions, steps and statements have a room each.
"""
