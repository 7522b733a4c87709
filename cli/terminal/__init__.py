"""What all commands write and read: findings, reports, colours, progress."""
