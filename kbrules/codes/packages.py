"""KB416 and following: boxes of packages, versions of boxes, locks."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import BOX

_OTHER = "format: 1\nid: vale\ntitle: The Vale\nversion: '{}'\n"
_NEEDY = BOX + "needs: ['vale >=1.2, <2']\n"
_NOTHING = Example("none", "It depends on the packages that are installed.")


def _beside(version: str) -> tuple[tuple[str, str], ...]:
    return (("expansion.yaml", _NEEDY), ("vale/expansion.yaml", _OTHER.format(version)))


_LOCK = """\
{
  "format": 1,
  "boxes": {
    "dale": {
      "language": 1,
      "digest": "00112233445566778899aabbccddeeff",
      "files": {"rules/game.kb": {"digest": "00112233445566778899aabbccddeeff"}}
    }
  }
}
"""

_SOME = """\
format: 1
title: Das Tal

stamps:
  title: "99265d29"
"""
_ALL = """\
format: 1
title: Das Tal
terrains: {heath: Heide}
pieces: {hut: Hütte}

stamps:
  pieces.hut: "2bd3d16c"
  terrains.heath: "f8abd769"
  title: "99265d29"
"""
_OLD = _ALL.replace("f8abd769", "00000000")
_GERMAN = (("texts/de.yaml", "format: 1\ntitle: Das Tal\n"),)

ENTRIES = (
    Code(
        "KB416",
        "unusable-package",
        "the box of an installed package cannot be used",
        "A package names the folder of its box by an entry point in the group "
        "`kbrules.expansions`. Nothing can be found there: there is no such package or folder, it "
        "lies in an archive, it has no `expansion.yaml`, or that has another id than the entry "
        "point; or the entry points of the package cannot be read at all. The message says which. "
        "`kbrules boxes` lists all boxes and what is wrong.",
        wrong=_NOTHING,
        right=_NOTHING,
    ),
    Code(
        "KB417",
        "box-installed-twice",
        "two packages have a box of one name",
        "A box is loaded by its name, so only one may have it. Two installed packages offer a box "
        "of the same name, or a package offers one that comes with kbrules. Uninstall all "
        "but one. What comes with kbrules is always used, whatever is installed.",
        wrong=_NOTHING,
        right=_NOTHING,
    ),
    Code(
        "KB418",
        "other-version",
        "a box of another version is needed",
        "Behind the id of a box that is needed may stand the versions that will do: conditions "
        "with `>=`, `<` and `==`, with commas between them, all of which must hold. The box that "
        "is loaded has another version; one that says no version counts as 0. Load another "
        "version of that box, or change the range if this one will do.",
        wrong=Example("arguments", "show section --with .,vale", _beside("2.0")),
        right=Example("arguments", "show section --with .,vale", _beside("1.10")),
    ),
    Code(
        "KB419",
        "not-as-locked",
        "the boxes are not those that were locked",
        "`kbrules lock` writes down which boxes there are, in which versions, and digests of "
        "their rules and data. `kbrules check --locked` found something else: the help says which "
        "box, and which file and declaration of it, is new, gone or changed. Bring back what was "
        "locked, or lock what is there now.",
        wrong=Example("arguments", "check --locked", (("kbrules.lock", _LOCK),)),
        right=Example("arguments", "lock\ncheck --locked"),
    ),
    Code(
        "KB420",
        "no-such-language",
        "there are no texts in a language",
        "Titles and wordings of a box can be had in the languages for which its folder `texts` "
        "has a file, called by two or three letters as `de.yaml`, perhaps with a country as "
        "`pt-BR.yaml`. None of the boxes has one for the language that is asked for, or a file is "
        "called by something that is no language.",
        wrong=Example("arguments", "show section --with . --lang fr", _GERMAN),
        right=Example("arguments", "show section --with . --lang de", _GERMAN),
    ),
    Code(
        "KB770",
        "missing-text",
        "a text is not translated",
        "The folder `texts` of the box has a file for this language, but titles or wordings of the "
        "box are missing in it; in games they stay as the box has them. Write them, or delete the "
        "file.",
        wrong=Example("expansion", BOX, (("texts/de.yaml", _SOME),)),
        right=Example("expansion", BOX, (("texts/de.yaml", _ALL),)),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB771",
        "stale-text",
        "a text may no longer say what the box says",
        "For each text a file in `texts` has a stamp, a digest of the title and the wording that "
        "it translates. The box says something else now, or the text has no stamp. See whether "
        "it still fits, change it if not, and then write the stamps with `kbrules texts --stamp`.",
        wrong=Example("expansion", BOX, (("texts/de.yaml", _OLD),)),
        right=Example("expansion", BOX, (("texts/de.yaml", _ALL),)),
        severity="warning",
        claim="exact",
    ),
)
