"""A game by the rules as they are typed."""
