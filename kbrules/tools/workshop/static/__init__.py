"""The workshop as files for any web host, with Python in the page."""
