"""Why a move is legal or not, and why a card pays: clauses evaluated by the reference."""
