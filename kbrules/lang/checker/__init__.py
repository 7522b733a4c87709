"""Syntax trees to typed core: every name resolved, every sort checked, all mistakes told.

`declarations.check` is the door; expressions, steps and statements have a room each.
"""
