"""The worker pool, and the message where an extra is missing."""
