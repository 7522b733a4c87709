"""Passes: from the text of a kernel as an AST to another that means the same."""
