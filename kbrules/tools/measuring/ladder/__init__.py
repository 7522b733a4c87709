"""Ratings of bots that play each other, two at a table."""
