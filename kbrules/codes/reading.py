"""KB0xx: reading files and the command line."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_NEAR = 'define near "Hexes next to yours.": adjacent(mine)\n'

_LARGE = Example("none", "It takes a folder of more than 20,000 files.")

ENTRIES = (
    Code(
        "KB001",
        "no-such-file",
        "a file or folder cannot be read",
        "The path names nothing that can be read: it does not exist, is not a plain file, or you "
        "may not open it. Nothing was checked. Look for a slip in the path, and remember that it "
        "counts from the folder you are in.",
        wrong=Example("arguments", "check no-such-folder"),
        right=Example("arguments", "check ."),
    ),
    Code(
        "KB002",
        "not-utf8",
        "a file is not written in UTF-8",
        "Rule and data files are UTF-8 text, so that they read the same on every computer. The "
        "place shown holds bytes that are not. Save the file again with the encoding UTF-8.",
        wrong=Example("bytes", '# \xff\xfe\ndefine near "Hexes next to yours.": adjacent(mine)\n'),
        right=Example("rules", '# \u00e9\ndefine near "Hexes next to yours.": adjacent(mine)\n'),
    ),
    Code(
        "KB003",
        "file-too-large",
        "a file is larger than the limit",
        "Files are limited in size so that a file from a stranger cannot keep the computer busy. "
        "Real rule files are a hundred times smaller than the limit. Split the file, or look "
        "whether the wrong file was given.",
        wrong=Example("rules", "# a line of a very long file\n" * 10_000),
        right=Example("rules", "# a line of a short file\n"),
    ),
    Code(
        "KB004",
        "forbidden-character",
        "an invisible character is not allowed",
        "The text holds a control character or one that changes the direction of writing. Such "
        "characters are not seen, so the file could say something else than it seems to. Delete "
        "the character; it is shown as an escape.",
        wrong=Example("rules", 'define near "Hexes \u202enext to yours.": adjacent(mine)\n'),
        right=Example("rules", 'define near "Hexes next to yours.": adjacent(mine)\n'),
    ),
    Code(
        "KB005",
        "outside-folder",
        "a path leaves the folder of the expansion",
        "Everything that belongs to an expansion lies in its own folder. A path that leads out of "
        "it, directly or through a link, is refused, so that an expansion from a stranger cannot "
        "read your files. Move the file into the folder and name it from there.",
        wrong=Example("link", "../../elsewhere.kb"),
        right=Example("link", "../words/near.kb", (("words/near.kb", _NEAR),)),
    ),
    Code(
        "KB006",
        "unknown-file-kind",
        "the kind of a file is not known",
        "What a file holds is told by how its name ends: `.kb` for rules, `.yaml` for data, "
        "`.scenario.yaml` for scenarios. The name given ends in none of them, or the file looks "
        "like one of ours and lies or is called so that nothing reads it: rule files lie beside "
        "`expansion.yaml` and in `rules/`. Rename or move the file, or give another one.",
        wrong=Example("arguments", "check notes.txt", (("notes.txt", "build more\n"),)),
        right=Example("arguments", "check rules/game.kb"),
    ),
    Code(
        "KB007",
        "nothing-collected",
        "nothing was found to work on",
        "The folder could be read, but holds no file of the kind asked for, or the filter leaves "
        "none over. Saying `all is well` would be misleading, so this is an error. Look at the "
        "path and the filter.",
        wrong=Example("arguments", "test . --only no-scenario-is-called-so"),
        right=Example("arguments", "test ."),
    ),
    Code(
        "KB008",
        "cannot-write",
        "a file cannot be written",
        "The place to write to does not exist, is not a folder, is not yours to write, or holds "
        "something already. Nothing was changed there. Choose another place or make the folder "
        "first.",
        wrong=Example("arguments", "new expansion vale --into no-such-folder"),
        right=Example("arguments", "new expansion vale"),
    ),
    Code(
        "KB009",
        "bad-argument",
        "a value on the command line cannot be used",
        "An argument or option was understood, but its value is not one that can be used here. "
        "The message says what would be. Nothing was started.",
        wrong=Example("arguments", "new expansion Vale!"),
        right=Example("arguments", "new expansion vale"),
    ),
    Code(
        "KB010",
        "folder-too-large",
        "a folder contains too many files",
        "A search below a folder stops after 20,000 files and folders, or when its ignore files "
        "take too long, so that a folder named by accident cannot keep the computer busy. The "
        "rest was not read. Name a smaller folder. Hidden folders, `node_modules`, virtual "
        "environments and what git ignores are not searched and do not count.",
        wrong=_LARGE,
        right=_LARGE,
    ),
    Code(
        "KB011",
        "unreadable-ignore-file",
        "an ignore file of git cannot be read",
        "What `.gitignore` excludes is neither checked nor changed. The file named here is too "
        "large or you may not open it, so kbrules does not know which files it excludes, and read "
        "nothing in its folder. Fix the file, or name the files to be read.",
        wrong=Example("arguments", "check .", ((".gitignore", "# a long line\n" * 20_000),)),
        right=Example("arguments", "check .", ((".gitignore", "drafts/\n"),)),
    ),
)
