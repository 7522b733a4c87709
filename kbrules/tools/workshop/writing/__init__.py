"""Files as they are typed: their texts, what is wrong with them, their examples."""
