"""Text of rules to syntax trees: grammar, declarations of a file, parser, and its findings."""
