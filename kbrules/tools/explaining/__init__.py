"""Why a move is legal or not and what a card pays, and what boxes and words mean."""
