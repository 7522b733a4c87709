"""Balance: what a card pays beside the others of its kind, with intervals."""
