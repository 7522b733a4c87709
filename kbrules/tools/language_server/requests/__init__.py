"""The requests of an editor, each a function from a question to an answer of the protocol."""
