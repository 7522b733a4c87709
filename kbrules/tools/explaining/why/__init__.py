"""Why a move is legal or not, and why a card pays what it pays: the sentences, watched."""
