"""Many games for one question, and what they say with what certainty."""
