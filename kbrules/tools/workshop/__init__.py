"""The workshop: a page on which an author's files are edited, and played as they are typed.

`session` answers the page's requests and knows no network; `serving` carries them.
"""
