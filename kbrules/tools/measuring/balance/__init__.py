"""Where a card stands among the others of its kind: what it pays, and how sure that is."""
