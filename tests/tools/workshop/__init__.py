"""The workshop without a browser."""
