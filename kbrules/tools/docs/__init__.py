"""The site: boxes, an author's folder and the language as pages that work from a folder."""
