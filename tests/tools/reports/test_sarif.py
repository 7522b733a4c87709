"""SARIF: valid by the published schema, and what services make of it is what was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES
from kbrules.text import Source, Span
from kbrules.tools.reports.formats import FINGERPRINT, sarif
from tests.tools.reports.findings import HOSTILE, TEXT, at, findings, hostile, warning

SCHEMA = json.loads(Path(__file__).with_name("sarif").joinpath("sarif-2.1.0.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)


def run_of(found: list[Diagnostic], exit_code: int = 1) -> dict[str, Any]:
    """The one run of a document that is valid."""
    text = sarif("check", found, exit_code)
    assert text.isascii()
    document = json.loads(text)
    assert list(VALIDATOR.iter_errors(document)) == []
    (run,) = document["runs"]
    return run


def prints(found: list[Diagnostic]) -> list[str]:
    return [each["partialFingerprints"][FINGERPRINT] for each in run_of(found)["results"]]


def test_the_schema_would_notice() -> None:
    document = json.loads(sarif("check", findings(), 1))
    for spoil in (
        lambda run: run["results"][0].pop("message"),
        lambda run: run["results"][0].update(level="bad"),
        lambda run: run.update(columnKind="bytes"),
        lambda run: run["results"][0]["locations"][0].update(line=1),
        lambda run: run["tool"].pop("driver"),
    ):
        spoilt = json.loads(json.dumps(document))
        spoil(spoilt["runs"][0])
        assert list(VALIDATOR.iter_errors(spoilt))


def test_nothing_found_is_a_run_without_results() -> None:
    run = run_of([], 0)
    assert run["results"] == [] and run["tool"]["driver"]["rules"] == []
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]
    assert run_of([], 2)["invocations"][0]["executionSuccessful"] is False


def test_a_result_names_its_rule_and_its_place() -> None:
    run = run_of(findings())
    first, _, labelled, lost = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == [
        each["ruleId"] for each in run["results"]
    ]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "dale/rules/rowers.kb", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {
        "startLine": 4, "startColumn": 23, "endLine": 4, "endColumn": 26,
    }  # fmt: skip
    assert first["message"]["text"].endswith("did you mean `mine`?")
    assert labelled["relatedLocations"][0]["message"]["text"] == "first here"
    assert lost["locations"][0]["physicalLocation"]["region"]["startLine"] == 1
    assert lost["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "no%20such.kb"


def test_columns_count_characters_and_say_so() -> None:
    source = Source("a.kb", TEXT)
    run = run_of([Diagnostic("KB201", at(source, "nothing"), "no")])
    assert run["columnKind"] == "unicodeCodePoints"
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    line = TEXT.split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "nothing"


def test_a_warning_is_one_and_says_how_sure_it_is() -> None:
    run = run_of([warning()])
    assert run["results"][0]["level"] == "warning"
    assert run["results"][0]["message"]["text"] == "unused (sampled 200)"
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"] == {"level": "warning"}


def test_a_fix_says_what_goes_and_what_comes() -> None:
    (fix,) = run_of([warning()])["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"]["uri"] == "dale/rules/rowers.kb"
    text = TEXT
    source = Source("a.kb", TEXT)
    for each in reversed(change["replacements"]):
        region = each["deletedRegion"]
        start = source.offset(region["startLine"], region["startColumn"])
        end = source.offset(region["endLine"], region["endColumn"])
        text = text[:start] + each["insertedContent"]["text"] + text[end:]
    assert text == TEXT.replace("near", "far") + "# \U0001f600\x1b\n"
    assert "fixes" not in run_of(findings())["results"][0]


def test_a_rule_has_its_page_with_it() -> None:
    (rule,) = run_of(findings()[:1])["tool"]["driver"]["rules"]
    assert rule["id"] == "KB201" and rule["name"] == "unknown-word"
    assert CODES["KB201"].explanation in rule["help"]["text"]
    assert "kbrules explain KB201" in rule["help"]["text"]
    assert "Wrong" in rule["help"]["markdown"] and "Right" in rule["help"]["markdown"]


def test_every_code_makes_a_valid_rule() -> None:
    spans = Span.none("x.kb")
    run = run_of([Diagnostic(code, spans, "no") for code in CODES])
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(CODES)


def test_a_fingerprint_is_the_declaration_not_the_line() -> None:
    before = prints(findings())
    assert before == [
        "KB201 card rowers", "KB201 card rowers 2", "KB202 define near", "KB001 file",
    ]  # fmt: skip
    assert prints(findings(text=f"# more\n\n\n{TEXT}")) == before
    assert prints(findings(text=TEXT.replace("define  near   ", "define near "))) == before
    assert prints(findings(text=TEXT.replace("card rowers", "card oars")))[0] == "KB201 card oars"


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b.kb", "a%20b.kb"),
        ("ä:b?.kb", "%C3%A4%3Ab%3F.kb"),
        ("../x.kb", "../x.kb"),
        ("/else where/x.kb", "file:///else%20where/x.kb"),
    ],
)
def test_paths_are_addresses(name: str, uri: str) -> None:
    (result,) = run_of([Diagnostic("KB201", Span.none(name), "no")])["results"]
    where = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert where["uri"] == uri
    assert ("uriBaseId" in where) is (not uri.startswith("file:"))


def test_a_path_below_this_folder_is_relative() -> None:
    name = str(Path.cwd() / "rules" / "x.kb")
    (result,) = run_of([Diagnostic("KB201", Span.none(name), "no")])["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "rules/x.kb"


def test_hostile_texts_are_harmless() -> None:
    run = run_of(hostile())
    text = json.dumps(run, ensure_ascii=False)
    assert all(character.isprintable() for character in text)
    told = run["results"][0]["message"]["text"]
    assert "\x1b" not in told and "\\x1b" in told
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii() and unquote(uri, errors="surrogatepass") == HOSTILE
