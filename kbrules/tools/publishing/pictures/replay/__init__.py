"""A whole game as one page: its frames, its sentences, its marks on the board."""
