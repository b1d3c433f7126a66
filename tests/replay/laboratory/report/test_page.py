"""The page of a report: whole, closed, spoken, printable, and the command that makes it."""

import base64
import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from phaseledger.domain.cards import parse
from phaseledger.domain.rulesets import GAMES, preset
from phaseledger.replay.laboratory.analysis.odds import odds
from phaseledger.replay.laboratory.analysis.odds_check import holds, sampled_hand
from phaseledger.replay.laboratory.report.page import page
from phaseledger.replay.pages.charts import (
    Mark,
    columns,
    heat,
    ranges,
)
from tests.support.browser import driven, opened
from tests.support.replay.html_outline import Outline
from tests.support.replay.processes import run
from tests.support.replay.report_games import PLANS, games, only, studied

GOLDEN = Path(__file__).parent / "report.html"
NASTY = ("</title></svg><script>alert(1)</script>", "\u05d3\u05d5\u05d3 & \"co\" 'x'", "M" * 40)


def nested(text: str) -> Outline:
    nesting = Outline(text)
    assert nesting.open == []
    assert not {"script", "link", "img", "iframe", "object", "image", "use", "style"} & (
        {*nesting.tags} - {"style"}
    )
    return nesting


def renamed(lines: tuple[bytes, ...]) -> list[bytes]:
    """The game with names that a page might obey."""
    made = []
    for line in lines:
        tree: dict[str, Any] = json.loads(line)
        if tree["type"] == "SeatTaken/1":
            nasty = NASTY[tree["data"]["seat"] % 3]
            tree["data"]["name"] = tree["data"]["act"]["command"]["name"] = nasty
            tree["data"]["bot"] = tree["data"]["act"]["command"]["bot"] = nasty
        made.append(json.dumps(tree, separators=(",", ":"), sort_keys=True).encode())
    return made


@cache
def page_of(name: str, count: int) -> str:
    """The page of so many games of a rule set."""
    return page(studied(*games(name, count)), ["games.ndjson"])


def test_golden() -> None:
    """Read the difference, and then write the file anew with ``GOLDEN=write``."""
    made = page_of("express", 3)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(made)
    assert made == GOLDEN.read_text()


def test_the_page_is_whole_and_asks_nobody() -> None:
    made = page_of_all()
    nesting = nested(made)

    assert not re.search(r'"[^"]*\b(nan|inf)\b[^"]*"', made)  # nothing has no place in a drawing
    assert not re.search(r"https?:|url\(|@import|javascript:", made)
    links = [value for key, value in nesting.attributes if key in ("href", "src", "xlink:href")]
    assert {*links} == {f"#c{number}" for number in range(1, 1 + len(GAMES))}
    assert not [key for key, _ in nesting.attributes if key.startswith("on") or key == "style"]
    (style,) = re.findall("<style>(.*?)</style>", made, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in made
    places = [value for key, value in nesting.attributes if key == "id"]
    assert len({*places}) == len(places)
    # The charts are told to those who do not see them.
    ids = {value for key, value in nesting.attributes if key == "id"}
    spoken = [str(value).split() for key, value in nesting.attributes if key == "aria-labelledby"]

    assert nesting.tags.count("svg") - 1 == len(spoken) >= 8  # beside the mark of the product
    assert all({*names} <= ids for names in spoken)
    assert nesting.tags.count("table") == nesting.tags.count("caption") >= len(spoken)
    assert nesting.tags.count("h1") == 1
    assert not re.search("&lt;/?(bdi|td|p)&gt;", made)


def test_the_odds_stand_beside_the_hands_of_the_games() -> None:
    """Exactly, of hands drawn, and of the hands that were dealt, in this order."""
    rules, hands = preset("express"), []
    for lines in games("express", 3):
        for tree in map(json.loads, lines):
            if tree["type"] == "RoundDealt/1":
                dealt = [tree["hidden"][str(seat)]["hand"] for seat in tree["data"]["players"]]
                hands += [parse(hand) for hand in dealt]
    chapter = only(studied(*games("express", 3)))
    made = page_of("express", 3)
    body = made.partition("Odds of a dealt hand</caption>")[2].partition("</table>")[0]
    cells = [re.findall("<td[^>]*>(.*?)</td>", row) for row in body.split("<tr>")[2:]]

    assert {*chapter.hands} <= {*hands}
    assert len(cells) == 10
    for phase, row in zip(rules.phases, cells, strict=True):
        holding = sum(holds(hand, phase.needs, rules) for hand in chapter.hands)
        assert row[1].startswith(f"{odds(rules, phase.needs).chance * 100:.4f}")
        assert row[4].startswith(f"{holding / len(chapter.hands) * 100:.2f}")
        drew = sum(holds(dealt_hand("report", n), phase.needs, rules) for n in range(1, 2_001))
        assert row[2].startswith(f"{drew / 20:.2f}")


def dealt_hand(seed: str, index: int) -> bytes:
    return sampled_hand(preset("express"), seed, index)


@cache
def page_of_all() -> str:
    """The page of two games of each rule set."""
    return page(studied(*(game for name in PLANS for game in games(name, 2))), ["x"])


def test_each_rule_set_and_number_of_seats_has_its_chapter() -> None:
    made = page_of_all()
    assert re.findall(r'<h2 id="c\d">(.*?), \d seats: 2 games</h2>', made) == sorted(
        (preset(name).title for name in GAMES),
        key=lambda title: next(preset(n).id for n in GAMES if preset(n).title == title),
    )
    assert "Rule set standard-deck@1, with style=ten_rounds_free." in made


def test_nothing_in_a_game_leaves_its_text() -> None:
    made = page(studied(renamed(games("classic", 1)[0])), [NASTY[0]])
    nesting = nested(made)
    assert "<script" not in made
    assert "script" not in nesting.tags
    assert "&lt;script&gt;" in made


# --- charts ---------------------------------------------------------------------------------------


def test_marks_stand_where_their_values_are() -> None:
    made = ranges("k", "t", "w", [Mark("a", 0.0, 0.0, 0.5), Mark("b", 1.0), Mark("c", None)])
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', made)]
    (span,) = re.findall(r'x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)" y2="[\d.]+" class="span"', made)
    assert len(dots) == 2
    assert float(span[0]) == dots[0]
    assert float(span[1]) == pytest.approx(sum(dots) / 2, abs=0.11)
    bars = columns("k", "t", "w", [("1", 2.0), ("2", 4.0), ("3", 0.0)], "n")
    high = [float(h) for h in re.findall(r'height="([\d.]+)" class="bar"', bars)]
    assert high == [pytest.approx(high[1] / 2, abs=0.2), high[1], 0]
    for empty in (columns("k", "t", "w", [], "n"), heat("k", "t", "w", [], [])):
        assert nested(empty)


def test_tenths_are_apart_alike_on_a_logarithmic_axis() -> None:
    marks = [Mark("", value) for value in (0.001, 0.01, 0.1, 0.0)]
    made = ranges("k", "t", "w", marks, logarithmic=True)
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', made)]
    assert dots[2] - dots[1] == pytest.approx(dots[1] - dots[0], abs=0.11)
    assert dots[3] == dots[0]


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("games")
    (home / "deep").mkdir()
    (home / "a.ndjson").write_bytes(b"\n".join(games("classic", 2)[0]) + b"\n")
    (home / "deep" / "b.ndjson").write_bytes(b"\n".join(games("express", 1)[0]) + b"\n")
    return home


def test_a_folder_on_one_process_or_two(folder: Path, tmp_path: Path) -> None:
    serial = run("report", folder, "-o", tmp_path / "one.html", "--jobs", 1)
    parallel = run("report", folder, "--out", tmp_path / "two.html", "--jobs", 2, "--timelines", 3)
    given = (folder / "a.ndjson").read_bytes()
    none = run("report", "-", "--timelines", 0, "--jobs", 1, given=given)
    assert (serial.returncode, parallel.returncode, none.returncode) == (0, 0, 0)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert b"Games: 2 in" in serial.stderr
    assert none.stdout.startswith(b"<!doctype html>")
    assert b"Phase 10, 3 seats: 1 game<" in none.stdout
    assert b"<h3>Game " in (tmp_path / "one.html").read_bytes()
    assert b"<h3>Game " not in none.stdout


def test_damage_and_wrong_usage_are_told(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "a.ndjson").read_bytes().splitlines(keepends=True)
    other = [line + b"\n" for line in games("classic", 2)[1]]
    out, bad = tmp_path / "page.html", tmp_path / "bad.ndjson"
    bad.write_bytes(b"".join(other[:20] + other[21:]))
    done = run("report", folder, bad, "--jobs", 1)
    german = run("report", folder, bad, "--jobs", 2, "-o", out, "--lang", "de")
    alone = run("report", bad, "--jobs", 1)
    (tmp_path / "cut.ndjson").write_bytes(b"".join(lines)[:-9])
    (tmp_path / "empty").mkdir()
    game = json.loads(other[0])["game"]
    fault = f"Damaged: game {game}: event 21 is missing"

    assert (done.returncode, german.returncode) == (1, 1)
    assert b"Left out: 1 damaged." in done.stdout
    assert fault in done.stdout.decode()
    assert done.stderr.decode().splitlines() == [
        fault,
        "Games: 2 in the page, 1 left out (1 damaged).",
    ]
    assert german.stderr.decode().splitlines() == [
        f"Beschädigt: Spiel {game}: Ereignis 21 fehlt",
        f"Spiele: 2 in {out}, 1 nicht mitgezählt (1 beschädigt).",
    ]
    assert (alone.returncode, alone.stdout) == (4, b"")
    assert fault in alone.stderr.decode()
    for words, code, message in (
        ((tmp_path / "cut.ndjson", "--jobs", 1), 5, ""),
        ((tmp_path / "empty",), 5, "no file whose name ends in .ndjson"),
        ((), 2, "Say which games"),
        (("x.ndjson", "--timelines", "-1"), 2, "--timelines takes"),
    ):
        refused = run("report", *words)
        assert refused.returncode == code
        assert message in refused.stderr.decode()


def test_a_browser_shows_it_without_a_word_to_anybody(
    started_browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    file.write_text(page_of_all())
    with driven(started_browser) as browser, opened(browser, file) as shown:
        tab = shown.page
        for media, scheme, wide in (
            ("screen", "light", 1280), ("screen", "dark", 400), ("print", "light", 800)
        ):  # fmt: skip
            tab.set_viewport_size({"width": wide, "height": 900})
            tab.emulate_media(media=media, color_scheme=scheme)
            assert tab.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            cut = tab.evaluate(
                "[...document.querySelectorAll('svg')].filter(s => [...s.querySelectorAll('text')]"
                ".some(t => { const b = t.getBBox(), v = s.viewBox.baseVal; return b.x < -1 ||"
                " b.x + b.width > v.width + 1 })).map(s => s.querySelector('title').textContent)"
            )
            assert cut == []
        assert tab.get_by_role("img", name="Wins by seat").first.is_visible()
