"""Many games and what they say: simulation, balance of a card, speed."""
