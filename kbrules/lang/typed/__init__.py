"""The typed core and its words: nodes, sorts, signatures, and arguments for parameters."""
