"""How bots decide: by the score after a move, with a margin of safety, by games played on."""
