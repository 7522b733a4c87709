"""What was found and what came of running it, as text for people and in forms for programs."""
