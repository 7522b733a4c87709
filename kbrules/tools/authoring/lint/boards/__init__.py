"""What maps say: places where they should not lie, hexes nobody reaches, sets that are empty."""
