"""The game at the terminal: what is shown, what a person types, and what is done with it."""
