"""KB1xx: the shape of rule files."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_NEAR = 'define near "Hexes next to yours.": adjacent(mine)\n'

ENTRIES = (
    Code(
        "KB101",
        "unexpected-word",
        "a word stands where it cannot stand",
        "Up to the marked word the sentence can be read, but it cannot go on with this word. The "
        "help names what could follow. Often a sign such as `&` or a comma is missing just before.",
        wrong=Example("rules", 'define near "Hexes next to yours.": adjacent(mine) empty\n'),
        right=Example("rules", 'define near "Hexes next to yours.": adjacent(mine) & empty\n'),
    ),
    Code(
        "KB102",
        "unfinished",
        "a sentence stops before it is complete",
        "The line or the file ends where something must still follow: the other side of a sign, "
        "a closing bracket, or the lines that belong to a heading. Complete the sentence, or "
        "delete its beginning.",
        wrong=Example("rules", 'define near "Hexes next to yours.": adjacent(mine\n'),
        right=Example("rules", _NEAR),
    ),
    Code(
        "KB103",
        "bad-indent",
        "a line is indented wrongly",
        "Lines that belong together begin in the same column, and lines that belong to a heading "
        "begin four blanks further right than it. The marked line fits no heading above it. Move "
        "it left or right.",
        wrong=Example(
            "rules",
            'rule placing:\n    "Build anywhere."\n    permit build on empty\n'
            "  forbid build on mine\n",
        ),
        right=Example(
            "rules",
            'rule placing:\n    "Build anywhere."\n    permit build on empty\n'
            "    forbid build on mine\n",
        ),
    ),
    Code(
        "KB104",
        "tab",
        "a tab is used where blanks are needed",
        "How wide a tab is depends on the editor, so lines that look aligned might not be. Rule "
        "files are therefore indented with blanks. Replace each tab by four blanks; most editors "
        "do it for you.",
        wrong=Example("rules", 'rule placing:\n\t"Build anywhere."\n\tpermit build on empty\n'),
        right=Example("rules", 'rule placing:\n    "Build anywhere."\n    permit build on empty\n'),
    ),
    Code(
        "KB105",
        "unexpected-character",
        "a character has no meaning here",
        "Outside of quoted text and comments the language uses small letters, digits and few "
        "signs. The marked character is not one of them. Delete it, or put the text into quotes.",
        wrong=Example("rules", 'define near "Hexes next to yours.": adjacent(mine) ; empty\n'),
        right=Example("rules", 'define near "Hexes next to yours.": adjacent(mine) & empty\n'),
    ),
    Code(
        "KB106",
        "too-deep",
        "brackets or blocks are nested too deeply",
        "Nesting is limited, far above what a readable rule needs, so that every rule can be "
        "checked quickly. Give a part of the rule a name with `define` and use the name.",
        wrong=Example(
            "rules",
            'define near "Hexes next to yours.": ' + "(" * 99 + "adjacent(mine)" + ")" * 99 + "\n",
        ),
        right=Example("rules", 'define near "Hexes next to yours.": (adjacent(mine))\n'),
    ),
    Code(
        "KB107",
        "missing-colon",
        "a heading lacks its colon",
        "A line that has lines of its own below it ends with a colon: declarations, `when`, "
        "`for`, `if`, `action` and their like. Put a colon at the end of the marked line.",
        wrong=Example("rules", 'rule placing\n    "Build anywhere."\n    permit build on empty\n'),
        right=Example("rules", 'rule placing:\n    "Build anywhere."\n    permit build on empty\n'),
    ),
    Code(
        "KB108",
        "unknown-declaration",
        "a line at the left edge declares nothing known",
        "A line that begins in the first column begins a declaration, and its first word says of "
        "which kind: `rule`, `define`, `option`, `card` and so on. The marked word is not a kind "
        "of declaration. If the line belongs to the declaration above, indent it.",
        wrong=Example("rules", 'defin near "Hexes next to yours.": adjacent(mine)\n'),
        right=Example("rules", _NEAR),
    ),
    Code(
        "KB109",
        "unclosed-text",
        "a quoted text has no end",
        "Text stands between two double quotes on one line. The marked text is opened but not "
        "closed before the line ends. Add the closing quote; write a long text as several texts "
        "on lines of their own.",
        wrong=Example("rules", 'rule placing:\n    "Build anywhere.\n    permit build on empty\n'),
        right=Example("rules", 'rule placing:\n    "Build anywhere."\n    permit build on empty\n'),
    ),
    Code(
        "KB110",
        "bad-drawing",
        "a drawing of a board cannot be read",
        "In a drawing every line begins with `|`, every hex is one letter or sign, and every "
        "second line begins half a hex further right, as on the table. The marked line breaks "
        "this pattern. Count the hexes of the line and look at its first blank.",
        wrong=Example(
            "rules",
            'rule placing:\n    "Build anywhere."\n    permit build on empty\n    example:\n'
            "        | .+ .+ .+\n        | .+ .+ .+\n        offers\n",
        ),
        right=Example(
            "rules",
            'rule placing:\n    "Build anywhere."\n    permit build on empty\n    example:\n'
            "        | .+ .+ .+\n        |  .+ .+ .+\n        offers\n",
        ),
    ),
    Code(
        "KB111",
        "bad-table",
        "a table below a declaration does not fit what is said",
        "What is alike but for a word or two is said once, with columns such as `{place}` in "
        "names, texts, sentences and drawings. The first row of the table below it names the "
        "columns; each further row fills them in. Every row has a cell for each column, every "
        "column is spoken of, and in a sentence a cell is a name or a number.",
        wrong=Example(
            "rules",
            'rule no_{place} "Nobody lives there":\n    "Nobody builds there."\n'
            "    forbid build on {plce}\n    table:\n        | place |\n        | edge  |\n"
            "        | mine  |\n",
        ),
        right=Example(
            "rules",
            'rule no_{place} "Nobody lives there":\n    "Nobody builds there."\n'
            "    forbid build on {place}\n    table:\n        | place |\n        | edge  |\n"
            "        | mine  |\n",
        ),
    ),
)
