"""KB040 and up: pages for readers."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

ENTRIES = (
    Code(
        "KB040",
        "no-coverage",
        "a file is no coverage",
        "The pages of `kbrules docs` tell what scenarios reached if they are given the file that "
        "`kbrules test --coverage-json FILE` writes. The file given cannot be read, or holds "
        "something else. Measure again, or leave the option out: the pages then say that nothing "
        "was measured. Nothing was written.",
        wrong=Example("arguments", "docs . --coverage expansion.yaml"),
        right=Example("arguments", "docs . --output pages"),
    ),
    Code(
        "KB041",
        "no-workshop-address",
        "a text is no address of a workshop",
        "The pages of `kbrules docs` lead into a workshop if they are told where one is: an "
        "address of `http` or `https`, or a path that counts from the first page of the site. "
        "The text given is neither. What follows `#` is written by the pages themselves. Nothing "
        "was written.",
        wrong=Example("arguments", "docs . --workshop javascript:1"),
        right=Example("arguments", "docs . --workshop ../workshop/ --output pages"),
    ),
)
