"""The day of a new user on a pseudo terminal, from an empty folder to a box that is published.

Each step is done wrongly twice before it is done rightly; what is said about the mistakes is part
of the step. `writing`, `playing`, `measuring` and `publishing` are the parts of the day.
"""
