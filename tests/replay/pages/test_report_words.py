"""The report on a verification in German and French: all texts are there, none is English."""

import json
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from phaseledger.domain.words import Language, Phrase, texts
from phaseledger.replay.evidence.verify.evidence import Conclusion, Facets
from tests.support.languages import pseudo_german
from tests.support.replay.bundle_lines import made
from tests.support.replay.bundles import good_files
from tests.support.replay.graded_games import POLICY, graded
from tests.support.replay.html_outline import report
from tests.support.replay.html_texts import texts_of_page
from tests.support.replay.operator_games import Plan, bundled
from tests.support.replay.processes import run
from tests.support.replay.report_pages import SHORT, refuted
from tests.support.replay.tampered_bundles import TAMPERED, tampered
from tests.support.replay.two_stories import story_bundle

UNREAD = Phrase("evidence.line", title="x", seq=3, reason=Phrase("evidence.line.not_utf8"))
BOARD = Plan("board", 3, "report", {"max_turns_per_round": 12}, ("random",), (), (), 400)


def pages(lang: Language) -> dict[str, str]:
    """Reports of all kinds: sound, refuted, cut off, damaged, of two bundles, of two stories."""
    return {
        "sound": report(made(SHORT).lines, lang=lang),
        "board": report(made(BOARD).lines, policy=None, lang=lang),
        "graded": report(bundled(graded("signed")), policy=POLICY, lang=lang),
        "refuted": report(refuted(), lang=lang),
        "running": report(bundled(made(SHORT).stored[:-3], viewer=1), lang=lang),
        "damaged": report(damage=UNREAD, lang=lang),
        "stories": report(
            *(story_bundle(other_move=other).splitlines(keepends=True) for other in (False, True)),
            lang=lang,
        ),
        **{name: report(tampered(name), lang=lang) for name in list(TAMPERED)[:6]},
    }


def test_every_value_of_a_verdict_has_words() -> None:
    due = {f"class.{conclusion}" for conclusion in get_args(Conclusion)}
    for facet, values in get_type_hints(Facets).items():
        due |= {f"facet.{facet}.{value}" for value in get_args(values)}
    assert due <= texts("en", "verdict_page.").keys()


OWN = re.compile(
    r"phaseledger|[a-z-]+@\d+|\w+=\w+|\d\.bundle|\w+\.toml|greedy|random|Seat \d"
    r"|\[[A-Z]-P\d+\]|[0-9a-f]{8}[0-9a-f-]*|[A-Z]\w+/\d|example\.(net|org)\S*"
    r"|data\.[\w.\[\]]+( = .*)?|^(cmd|prev|type|seq|game|hidden|sealed)$"
    r"|[a-z]+_[a-z_]+|equivocation|no more time|finished|voided"
)
"""What is the same in every language: names, codes, hashes, types of events."""


def test_nothing_stays_english() -> None:
    """In a language whose words are dots, only names, codes and numbers have letters."""
    with pseudo_german():
        texts = {name: texts_of_page(page, "bdi") for name, page in pages("de").items()}
    left = {
        (name, text)
        for name, page_texts in texts.items()
        for text in page_texts
        if re.search("[A-Za-z]{3}", OWN.sub("", text))
    }

    assert left == set()
    assert min(map(len, texts.values())) >= 5


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("de", ("FALSCH: das ist kein Spiel", "das Ende von Runde 1 (Ereignis ", "Befunde",
                "Das erste falsche Ereignis: ", "Wer am Tisch saß", "Der Tisch wird eröffnet",
                "nicht bestanden", "Urteil: falsch; Stufe: keine; Exit-Code 1.")),
        ("fr", ("FAUX : ce n'est pas une partie", "la fin de la manche 1 (événement ", "Constats",
                "Le premier événement faux : ", "Qui était à la table", "La table est ouverte",
                "échouée", "Verdict : faux ; degré : aucun ; code de sortie 1.")),
    ],
)  # fmt: skip
def test_the_page_is_of_its_language(lang: Language, expected: tuple[str, ...]) -> None:
    page = report(refuted(), lang=lang)
    spoken = "".join(texts_of_page(page)).replace("\N{NO-BREAK SPACE}", " ")

    assert f'<html lang="{lang}">' in page
    for text in expected:
        assert text in spoken


@pytest.mark.parametrize(
    ("lang", "place"),
    [
        ("en", "the end of round 1 (event {seq}), bad:"),
        ("de", "das Ende von Runde 1 (Ereignis {seq}), bad:"),
        ("fr", "la fin de la manche 1 (événement {seq}), bad:"),
    ],
)
def test_a_finding_speaks_of_the_table(tmp_path: Path, lang: str, place: str) -> None:
    """Of one bundle and of many, and JSON beside a report in another language stays English."""
    (tmp_path / "bad").write_bytes(b"".join(refuted()))
    others = good_files(tmp_path, 8)
    bad, page = "bad", tmp_path / "page.html"
    single = run("verify", tmp_path / bad, "--lang", lang, "--report", page, "--json")
    (judgement,) = json.loads(single.stdout)["bundles"]
    seq = next(finding["seq"] for finding in judgement["problems"] if finding["event"])
    many = run("verify", tmp_path / bad, *others, "--jobs", 1, "--lang", lang)
    few = run("verify", tmp_path / bad, "--lang", lang)
    expected = place.format(seq=seq)

    assert single.returncode == few.returncode == many.returncode == 1
    assert judgement["problems"][0]["event"] == "the end of round 1"
    assert f'<html lang="{lang}">' in page.read_text()
    assert expected.rpartition(", ")[0] in page.read_text().replace("&#x27;", "'")
    for done in (few, many):
        assert expected in done.stdout.decode().replace(f"{tmp_path}/", "")
