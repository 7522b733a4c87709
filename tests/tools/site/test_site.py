"""The site: whole, safe, the same each time, and usable by everybody."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from kbrules.lang.syntax.parse import parse
from kbrules.library.box import shipped_boxes
from kbrules.library.load import load
from kbrules.messages import CODES
from kbrules.primitives.vocabulary import vocabulary
from kbrules.text import Source
from kbrules.tools.docs.box_pages import Workshop, is_address
from kbrules.tools.docs.content import (
    SHARED,
    Navigation,
    Page,
    SiteContent,
    SiteCoverage,
    collect_content,
    read_coverage,
)
from kbrules.tools.docs.site import (
    MARKER,
    ForeignFolder,
    guide_pages,
    publish,
    site_files,
    site_pages,
)
from kbrules.tools.reports.charts import NARROW, Chart, ChartLine, ChartMark, charts_svg
from tests.source_tree import DALE, ROOT
from tests.tools.site.site_reader import Found, read_page, read_site, target

TAKE = ROOT / ".ci" / "take-minisearch"
BARE = load("base").catalog
Site = dict[str, str]


@pytest.fixture(scope="module")
def content() -> SiteContent:
    return collect_content([], [])


@pytest.fixture(scope="module")
def site(content: SiteContent) -> Site:
    return site_files(content, [])


@pytest.fixture(scope="module")
def pages(site: Site) -> dict[str, Found]:
    return read_site(site)


@pytest.fixture(scope="module")
def dale() -> Site:
    return site_files(collect_content([], [DALE]), [DALE])


def framed(pages: list[Page]) -> Site:
    """The texts of pages that are all there are."""
    navigation = Navigation(pages)
    return {page.path: navigation.html(page) for page in pages}


def test_every_page_is_well_formed(pages: dict[str, Found]) -> None:
    assert len(pages) > 200
    assert {name: page.wrong for name, page in pages.items() if page.wrong} == {}
    double = {name: sorted(page.ids) for name, page in pages.items()
              if len(set(page.ids)) < len(page.ids)}  # fmt: skip
    assert double == {}


@pytest.mark.parametrize("which", ["site", "dale"])
def test_every_link_leads_somewhere(which: str, request: pytest.FixtureRequest) -> None:
    files: Site = request.getfixturevalue(which)
    pages = read_site(files)
    lost = []
    for name, page in pages.items():
        for to in page.links:
            path, place = target(name, to)
            if path not in pages or (place and place not in pages[path].ids):
                lost.append((name, to))
    assert lost == []
    assert sum(len(page.links) for page in pages.values()) > 1000


def test_nothing_is_loaded_from_elsewhere(site: Site, pages: dict[str, Found]) -> None:
    for name, page in pages.items():
        for to in page.loads:
            assert to == "data:," or target(name, to)[0] in site, (name, to)
    for name, text in site.items():
        plain = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        # Methods of a map of MiniSearch, which load nothing:
        for method in ("this._index.fetch(", "        fetch(key, initial) {"):
            plain = plain.replace(method, "")
        assert not re.search(r"https?:|url\((?!#)|@import|fetch\(|[\"']//", plain), name


def test_every_picture_has_its_patterns(site: Site) -> None:
    for name, text in site.items():
        used = set(re.findall(r"url\(#([^)]*)\)|<use href=\"#([^\"]*)\"", text))
        lost = {one or other for one, other in used} - set(re.findall(r'\bid="([^"]*)"', text))
        assert not name.endswith(".html") or lost == set(), name


def test_every_page_can_be_reached_from_the_first(pages: dict[str, Found]) -> None:
    seen, todo = set(), ["index.html"]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += [target(name, to)[0] for to in pages[name].links]
    assert set(pages) - seen == set()


def test_every_page_is_for_everybody(pages: dict[str, Found]) -> None:
    for name, page in pages.items():
        assert page.headings[0] == "h1" and page.headings.count("h1") == 1, name
        steps = [int(tag[1]) for tag in page.headings]
        assert all(b <= a + 1 for a, b in pairwise(steps)), name
        assert page.tags.count("main") == 1 and "#main" in page.links, name
        assert "search" in page.labelled, name


def test_every_declaration_has_a_page(content: SiteContent, pages: dict[str, Found]) -> None:
    count = 0
    assert {box.id for box in content.boxes} == {*shipped_boxes(), SHARED}
    for box in content.boxes:
        for entry in box.entries:
            text = pages[entry.path].text
            assert entry.wording in text and entry.where in text, entry.path
            count += 1
    assert count > 150
    assert not any("It does not hold." in page.text for page in pages.values())


def test_every_section_and_piece_has_a_page(content: SiteContent, pages: dict[str, Found]) -> None:
    for box in filter(lambda b: b.box is not None, content.boxes):
        assert box.box is not None
        for id, drawn in box.box.model.sections.items():
            if id in box.ruleset.parts.sections:
                text = pages[f"boxes/{box.id}/section-{id}.html"].text
                assert ("stand-in maps" in text) == (drawn.map == "stand-in"), id
        for id in box.box.model.pieces:
            assert f"boxes/{box.id}/piece-{id}.html" in pages


def test_the_language_is_there_in_full(pages: dict[str, Found]) -> None:
    known = vocabulary()
    words = pages["reference/words.html"]
    for table in (known.words, known.folds):
        for name, found in table.items():
            assert name in words.ids
            assert all(str(each) in words.text for each in found)
    assert set(known.steps) <= set(pages["reference/steps.html"].ids)
    for code in CODES.values():
        text = pages[f"reference/{code.code}.html"].text
        assert code.slug in text and code.explanation.split("`")[0] in text
        if code.wrong.files and not code.wrong.commands:
            assert f"[{code.code}]" in text, code.code


def test_the_rule_in_colour_is_the_rule(pages: dict[str, Found]) -> None:
    page = pages["boxes/base/card-fishermen.html"]
    assert "gold 1 per hex in mine & adjacent(water) - water" in page.text
    links = {target("boxes/base/card-fishermen.html", to) for to in page.links}
    assert ("reference/words.html", "adjacent") in links
    assert ("boxes/base/things.html", "water") in links
    assert "svg" in page.tags and "gives 3" in page.text and "It holds." in page.text
    assert "tests/scenarios/cards/fishermen.scenario.yaml" in page.text


def test_the_rule_shown_is_all_of_it_and_no_more(
    content: SiteContent, site: Site, pages: dict[str, Found]
) -> None:
    for box in content.boxes:
        for entry in box.entries:
            shown = site[entry.path].split(">The rule</h2>")[1].split("</pre>")[0]
            text = read_page(shown + "</pre>").text
            assert isinstance(parse(Source("x", text))[0][0], type(entry.declaration))
            alone = parse(Source("x", text))[0]
            assert [each.name.text for each in alone] == [entry.name], entry.path
            assert not text.endswith("\n") and "example" not in text.split()
    assert "# Of a card with two terrains" in pages["boxes/base/rule-redraw.html"].text


def test_what_follows_when_is_an_event(site: Site) -> None:
    page = site["boxes/nomads/card-shepherds.html"]
    for event in ("place", "build"):
        assert f'href="../../reference/events.html#{event}" title="A' in page


def test_a_name_that_leads_somewhere_shows_its_page_when_hovered(site: Site) -> None:
    page = site["boxes/base/location-paddock.html"]
    assert 'title="The hexes exactly that many steps away in a straight line' in page


def test_a_turn_is_no_event(site: Site) -> None:
    pages = read_site({"x.html": site["boxes/base/rule-turn.html"]})
    assert "Who speaks of it" not in pages["x.html"].text


def test_the_rulings_lead_to_what_reads_them(pages: dict[str, Found]) -> None:
    assert "../rulings.html" in pages["boxes/index.html"].links
    links = pages["rulings.html"].links
    assert "boxes/nomads/option-placing_counts.html" in links
    assert "boxes/nomads/card-shepherds.html" in links


def test_the_game_and_its_boxes_are_called_by_their_titles(site: Site) -> None:
    landing = site["index.html"]
    assert "Kingdom Builder" in landing.split("<h1>")[1].split("</h1>")[0]
    assert 'placeholder="Search (press /)"' in landing
    assert re.search(r"Needs <a [^>]*>Kingdom Builder</a>\.", site["boxes/caves/index.html"])


def test_an_option_is_told_where_it_touches(pages: dict[str, Found]) -> None:
    links = pages["boxes/nomads/card-shepherds.html"].links
    assert "../../boxes/nomads/option-placing_counts.html" in links
    assert "card-shepherds.html" in " ".join(pages["boxes/nomads/option-placing_counts.html"].links)
    # Only by a definition that it uses:
    assert "../../boxes/nomads/option-finish_counts.html" in links


def test_your_own_comes_first(dale: Site) -> None:
    pages = read_site(dale)
    text = pages["boxes/index.html"].text
    assert text.index("Yours") < text.index("The Dale") < text.index("Kingdom Builder")
    assert "Rowers" in pages["index.html"].text
    assert "boxes/dale/card-rowers.html" in pages and "boxes/base/card-fishermen.html" in pages
    assert "scenarios/mill.scenario.yaml" in pages["boxes/dale/location-mill.html"].text


def test_a_guide_leads_into_the_site_and_nowhere_else(tmp_path: Path) -> None:
    assert [page.path for page in guide_pages(BARE, tmp_path)] == ["guide/index.html"]
    links = "[words](words.md#x), [more](more.md), [else](http://a.b/c)"
    links += ", ![a bird](http://a.b/c.png), [here](#a-nest), [there](more.md#far)"
    text = f"<!-- a note -->\n\n# Birds\n\nSee {links}, <b>bold</b>.<br>Next."
    (tmp_path / "birds.md").write_text(text + "\n\n## A nest!\n\n```kb\ndefine x: mine\n```\n")
    (tmp_path / "more.md").write_text("# More\n")
    text = framed(list(guide_pages(BARE, tmp_path)))["guide/birds.html"]
    found = read_page(text)
    assert found.headings == ["h1", "h2"] and found.wrong == [] and "a-nest" in found.ids
    assert {"../reference/words.html", "../guide/more.html", "#a-nest"} < set(found.links)
    assert "../guide/more.html#far" in found.links
    assert "http" not in text and "<b>" not in text
    assert "a bird" in found.text and "img" not in found.tags
    assert "a note" not in found.text and "<br>" in text
    assert '<span class="declaration">define</span>' in text


def test_a_written_page_shows_its_pictures_and_boards_of_its_examples(tmp_path: Path) -> None:
    example = "    example:\n        | Ga G\n        gives 1\n"
    rule = '```kb\ncard {} "Herons":\n    gold 1\n' + example + example + "```\n\n"
    (tmp_path / "heron.svg").write_text('<svg id="x"><title>a heron</title></svg>')
    text = "# Birds\n\n" + rule.format("herons") + "Here.\n\n" + rule.format("two")
    text += "![one](heron.svg)\n\n![none](owl.svg), ![far](http://a.b/c.svg)\n"
    text += "\n```kb\n    not a rule\n```\n"
    (tmp_path / "birds.md").write_text(text, encoding="utf-8")
    made = framed(list(guide_pages(BARE, tmp_path)))["guide/birds.html"]
    found = read_page(made)
    assert found.wrong == [] and made.count("<figure") == 2 and made.count("<p><figure") == 0
    first, rest = made.split("Here.")
    assert (
        first.count('class="board"') == 2 and first.lower().count("red settlement of player a") == 2
    )
    assert rest.count('class="board"') == 1 and "<title>a heron</title>" in rest
    assert "none" in found.text and "far" in found.text and "a.b" not in made


def test_chapters_lie_below_the_first_page_of_the_guide_and_others_at_its_level(
    tmp_path: Path,
) -> None:
    (tmp_path / "guide").mkdir()
    (tmp_path / "guide" / "index.md").write_text("# A list\n")
    (tmp_path / "guide" / "2-a-mill.md").write_text("# A mill\n\nSee [all](index.md).\n")
    (tmp_path / "birds.md").write_text("# Birds\n\nSee [a mill](guide/2-a-mill.md).\n")
    files = framed(list(guide_pages(BARE, tmp_path)))
    pages = {path: read_page(text) for path, text in files.items()}
    assert list(pages) == ["guide/index.html", "guide/2-a-mill.html", "guide/birds.html"]
    assert pages["guide/birds.html"].links.count("../guide/2-a-mill.html") == 1
    assert pages["guide/index.html"].text.split() == ["A", "list", "Next", "A", "mill"]
    mill = pages["guide/2-a-mill.html"].links
    assert mill.count("../guide/index.html") == 4  # menu, way, text, previous
    assert "../guide/birds.html" in mill


def test_every_page_of_the_written_guide_is_there(site: Site) -> None:
    written = {path.stem for path in (ROOT / "docs" / "guide").glob("*.md")}
    assert len(written) > 4
    assert {f"guide/{stem}.html" for stem in written} <= set(site)


def test_without_a_measure_the_pages_say_so(dale: Site) -> None:
    pages = read_site(dale)
    assert "It was not measured for these pages." in pages["boxes/dale/card-rowers.html"].text
    assert "Coverage" not in pages["boxes/dale/option-heath_pays.html"].text


def test_without_a_workshop_the_pages_say_what_to_type(dale: Site) -> None:
    text = read_page(dale["boxes/dale/card-rowers.html"]).text
    line = _line_of("card rowers")
    assert "kbrules workshop dale" in text and f"#file=rules/dale.kb&line={line}" in text


def _line_of(begin: str) -> int:
    lines = (DALE / "rules" / "dale.kb").read_text("utf-8").split("\n")
    return next(n for n, text in enumerate(lines, 1) if text.startswith(begin))


@pytest.mark.parametrize(
    ("address", "link"),
    [("../workshop/", "../../../workshop/"), ("https://a.b/w?t=1", "https://a.b/w?t=1")],
)
def test_pages_lead_to_their_place_in_a_workshop(address: str, link: str) -> None:
    files = site_files(collect_content([], [DALE]), [DALE], workshop=Workshop(address))
    place = f"#file=rules/dale.kb&line={_line_of('location mill')}"
    assert f"{link}{place}" in read_page(files["boxes/dale/location-mill.html"]).links


@pytest.mark.parametrize(
    ("text", "good"),
    [("https://a.b/c/?t=x", True), ("http://127.0.0.1:80", True), ("../w/", True), ("w", True),
     ("javascript:alert(1)", False), ("//a.b/", False), ("data:x", False), ("a#b", False),
     ("", False), ("https://a.b/<b>", False), ("a b", False)],
)  # fmt: skip
def test_an_address_is_one_of_the_web_or_a_path(text: str, good: bool) -> None:
    assert is_address(text) == good


def test_coverage_is_told_by_clause(tmp_path: Path) -> None:
    file = DALE / "rules" / "dale.kb"
    lines = file.read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(lines, 1) if "gold" in text)
    end = len(lines[line - 1]) + 1
    place = {"line": line, "column": 5, "end_line": line, "end_column": end}
    clauses = [{**place, "verdict": "never reached"}, {**place, "verdict": "both"}]
    head = next(n for n, text in enumerate(lines, 1) if text.startswith("define landing"))
    clauses.append({**place, "line": head, "end_line": head, "verdict": "reached"})
    measured = {"format": 1, "files": [{"file": str(file), "of": clauses}]}
    path = tmp_path / "cover.json"
    path.write_text(json.dumps(measured))
    files = site_files(collect_content([], [DALE]), [DALE], read_coverage(path))
    pages = read_site(files)
    told = "1 of 2 clauses seen in full, 1 never reached"
    text = pages["boxes/dale/card-rowers.html"].text
    assert told in text and f"{lines[line - 1].strip()}: never reached" in text
    assert "Coverage: 2 of 3 clauses seen in full" in pages["boxes/dale/index.html"].text
    assert "1 of 1 clauses seen in full" in pages["boxes/dale/define-landing.html"].text
    for name in ("location-mill", "rule-keeping", "rule-crossing"):  # around those two
        assert "Nothing in it is counted." in pages[f"boxes/dale/{name}.html"].text


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": 2, "files": []}', "[" * 100_000, '{"format": 1, "files": 3}'],
)
def test_what_is_no_coverage_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cover.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"\w"):
        read_coverage(path)


HOSTILE = """</title></script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;'"""


def test_whatever_an_author_writes_stays_text(tmp_path: Path) -> None:
    folder = tmp_path / "dale"
    (folder / "rules").mkdir(parents=True)
    for name in ("expansion.yaml", "rules/dale.kb"):
        text = (DALE / name).read_text(encoding="utf-8")
        text = text.replace("title: The Dale", f'title: "{HOSTILE}"')
        text = text.replace('"Rowers"', f'"{HOSTILE}"').replace('"One gold', f'"{HOSTILE} One gold')
        text = text.replace("title: Mill}", "title: '<b>Mill</b>'}")
        (folder / name).write_text(text, encoding="utf-8")
    content = collect_content([], [folder])
    assert content.findings == ()
    files = site_files(content, [folder])
    pages = read_site(files)
    assert HOSTILE in pages["boxes/dale/card-rowers.html"].text
    assert HOSTILE in pages["index.html"].text
    for name, page in pages.items():
        assert page.wrong == [] and page.tags.count("img") == (name == "index.html"), name
        assert page.tags.count("script") == 2, name
    assert HOSTILE in [title for title, *_ in _rows(files)] and "<" not in files["index.js"]


def _rows(site: Site) -> list[list[str]]:
    """What the search looks through."""
    data = site["index.js"].removeprefix("const INDEX = ").removesuffix(";\n")
    rows: list[list[str]] = json.loads(data)
    return rows


def test_the_search_has_the_words_of_each_page_and_no_markup(site: Site) -> None:
    rows = {(title, to): text.split() for title, _, to, _, text in _rows(site)}
    assert len(rows) > 500
    words = rows["Fishermen", "boxes/base/card-fishermen.html"]
    assert {"adjacent", "holds", "fishermen"} <= set(words)
    assert words == sorted(set(words)) and not {"span", "href", "svg", "quot"} & set(words)


def test_what_is_not_ours_comes_with_its_licence(site: Site) -> None:
    assert "Permission is hereby granted" in site["vendor/minisearch.LICENSE.txt"]
    version = re.search(r"^version=\$\{1:-(.*)\}$", TAKE.read_text("utf-8"), re.MULTILINE)
    assert version and site["vendor/minisearch.js"].startswith(f"// MiniSearch {version[1]},")


@pytest.mark.parametrize("id", ["reference", "guide", "shared", "boxes", "index"])
def test_no_box_takes_the_place_of_other_pages(tmp_path: Path, id: str) -> None:
    text = f"format: 1\nid: {id}\ntitle: Of That Name\nneeds: [base]\n"
    (tmp_path / "expansion.yaml").write_text(text)
    content = collect_content([], [tmp_path])
    paths = [page.path for page in site_pages(content, [tmp_path], SiteCoverage(), Workshop())]
    assert content.boxes[0].path in paths
    assert len(paths) == len(set(map(str.lower, paths))) > 100


def test_what_lies_among_the_scenarios_is_read_with_care(tmp_path: Path) -> None:
    folder = tmp_path / "dale"
    shutil.copytree(DALE, folder)
    (tmp_path / "secret.scenario.yaml").write_text("title: SECRET\ncards: [rowers]\n")
    (folder / "scenarios" / "out.scenario.yaml").symlink_to(tmp_path / "secret.scenario.yaml")
    os.mkfifo(folder / "scenarios" / "pipe.scenario.yaml")
    (folder / "scenarios" / "bytes.scenario.yaml").write_bytes(b"title: \xff\n")
    files = site_files(collect_content([], [folder]), [folder])
    assert "SECRET" not in "".join(files.values())
    assert "ford.scenario.yaml" in files["boxes/dale/nomad-coin.html"]


def test_two_runs_are_the_same_to_the_letter(dale: Site, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kbrules", "docs", str(DALE), "-o", "pages/of/dale"]
    ran = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "pages/of/dale/index.html" in ran.stdout
    folder = tmp_path / "pages" / "of" / "dale"
    written = {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8")
               for p in folder.rglob("*") if p.is_file() and p.name != MARKER}  # fmt: skip
    assert written == dale
    assert str(ROOT) not in "".join(written.values())


def test_it_is_small(site: Site) -> None:
    assert sum(len(text.encode()) for text in site.values()) < 15_000_000


# Where it is written


def test_a_folder_of_ours_is_written_anew(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish({"a.html": "1", "b/c.html": "2"}, folder)
    publish({"a.html": "3"}, folder)
    assert (folder / "a.html").read_text() == "3"
    assert sorted(p.name for p in folder.iterdir()) == [MARKER, "a.html"]
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("what", ["file", "folder", "link"])
def test_what_is_not_ours_stays(tmp_path: Path, what: str) -> None:
    place = tmp_path / "place"
    if what == "file":
        place.write_text("mine")
    else:
        real = tmp_path / "real" if what == "link" else place
        real.mkdir()
        (real / "mine.txt").write_text("mine")
        if what == "link":
            place.symlink_to(real)
    before = sorted(str(p) for p in tmp_path.rglob("*"))
    with pytest.raises(ForeignFolder):
        publish({"a.html": "1"}, place)
    assert sorted(str(p) for p in tmp_path.rglob("*")) == before


def test_a_failure_leaves_the_old_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "site"
    publish({"a.html": "old"}, folder)
    whole = os.replace

    def fails(source: str, to: str) -> None:
        if Path(to) == folder and Path(source, "a.html").read_text() == "new":
            raise OSError(28, "no space left")
        whole(source, to)

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="no space"):
        publish({"a.html": "new"}, folder)
    assert (folder / "a.html").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["site"]


# Colours


def _themes(site: Site) -> list[dict[str, str]]:
    """The colours of the light and of the dark theme by their names."""
    blocks = re.findall(r":root \{(.*?)\}", site["site.css"], re.DOTALL)
    found = [dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block)) for block in blocks]
    return [found[0] | found[2], found[1] | found[3]]


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_colour_of_text_can_be_read(site: Site) -> None:
    themes = _themes(site)
    assert len(themes) == 2 and themes[0].keys() == themes[1].keys()
    for theme in themes:
        grounds = {"paper", "soft", "note"}
        for ground in grounds:
            for name in theme.keys() - grounds - {"line", "hair"}:
                assert _contrast(theme[name], theme[ground]) >= 4.5, (name, ground)


def test_marks_of_a_chart_can_be_seen_in_both_themes(site: Site) -> None:
    marks = tuple(ChartMark(n, n - 1, n + 1, "a") for n in range(6))
    lines = (ChartLine("a", "A", marks), ChartLine("b", "B", marks, True))
    drawn = charts_svg([Chart("gold", lines, tuple("abcdef"))], "gold")
    colours = set(re.findall(r"#[0-9a-f]{6}", drawn))
    assert len(colours) == 7
    for theme in _themes(site):
        assert all(_contrast(colour, theme["paper"]) >= 3 for colour in colours)


def test_no_line_of_a_narrow_chart_crosses_the_title_of_a_line() -> None:
    lines = tuple(ChartLine(id, id, (ChartMark(3, 2, 4, "a"),)) for id in ("first", "second"))
    drawn = charts_svg([Chart("gold", lines, even_value=3)], "gold", layout=NARROW)
    titles = [float(y) for y in re.findall(r'<text x="8.0" y="([0-9.]+)" >', drawn)]
    strokes = [
        tuple(map(float, ends)) for ends in re.findall(r"M[0-9.]+ ([0-9.]+)V([0-9.]+)", drawn)
    ]
    assert len(titles) == 2 and len(strokes) >= 4
    for baseline in titles:
        assert not any(top < baseline and end > baseline - 10 for top, end in strokes)


def test_the_page_reader_sees_what_is_wrong() -> None:
    assert read_page("<p><b></p>").wrong and read_page("<p>").wrong
    assert read_page('<p onclick="x"></p>').wrong and not read_page("<p>x</p>").wrong
