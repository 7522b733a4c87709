"""From the typed core to generated Python, for expressions that are asked often.

Source is written from validated expressions only, its names are made of numbers, and it is
run in one module. The tree walk of `lang.evaluate` is the reference it is held against.
"""
