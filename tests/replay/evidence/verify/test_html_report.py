"""The report of a verification: what it says, and that nothing in a bundle gets out of its text."""

import base64
import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from playwright.sync_api import Browser

from phaseledger.domain.explain.wording import cards_words
from phaseledger.replay.evidence.verify.difference import side_by_side
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.timeline_events import when
from phaseledger.replay.evidence.verify.verdict_words import VerdictPageWords
from phaseledger.replay.formats.bundle.writer import bundle_lines
from phaseledger.replay.pages.page import POLICY as CONTENT_POLICY
from phaseledger.replay.pages.page import STYLE
from tests.support.browser import driven, opened
from tests.support.cases import looped
from tests.support.replay.bundle_lines import Lines, made, places, rewrite, tree_of
from tests.support.replay.graded_games import POLICY as PLAYERS
from tests.support.replay.graded_games import graded
from tests.support.replay.html_outline import outline, report
from tests.support.replay.log_edits import encode, rechained
from tests.support.replay.operator_games import OPERATOR, STRANGER, Plan, bundled

GOLDEN = Path(__file__).parent / "report.html"
NASTY = ("<script>alert(1)</script>", "\u05d3\u05d5\u05d3 & \"co\" 'x'", "M" * 40)
SHORT = Plan("classic", 3, "report", {"variant": "n_phases(1)"}, ("greedy",), (0,), (1,))
UNSIGNED = replace(SHORT, signing=())
BOARD = Plan("board", 3, "report", {"max_turns_per_round": 12}, ("random",), (), (), 400)


Trees = list[dict[str, Any]]


def forged(plan: Plan, change: Callable[[Trees], object]) -> Lines:
    """The bundle of the game after a change of its events, chained and signed anew."""
    trees: Trees = [msgspec.json.decode(record) for record in made(plan).stored]
    change(trees)
    return bundled([encode(tree) for tree in rechained(trees)])


def named(trees: Trees) -> None:
    """Players with names that a page might obey."""
    for tree in trees:
        if tree["type"] == "SeatTaken/1":
            name = NASTY[tree["data"]["seat"]]
            tree["data"]["name"] = tree["data"]["act"]["command"]["name"] = name


def overpaid(trees: Trees) -> None:
    """Other points at the end of the round, and nasty names before."""
    named(trees)
    ended = next(tree for tree in trees if tree["type"] == "RoundEnded/1")
    ended["data"]["results"][0]["points"] += 25


def test_golden() -> None:
    """Read the difference, and then write the file anew with ``GOLDEN=write``."""
    page = report(forged(UNSIGNED, overpaid))
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(page)

    assert page == GOLDEN.read_text()


def test_the_verdict_comes_first() -> None:
    page = report(made(SHORT).lines)
    bad = report(forged(UNSIGNED, overpaid))

    assert '<p class="verdict fair">SOUND, grade recorded: the game is over' in page
    assert "Class: sound; grade: recorded; exit code 0. Under the policy policy.toml." in page
    assert '<p class="verdict bad">WRONG: this is no game' in bad
    assert "exit code 1." in bad
    assert "nobody vouches for the operator" in report(made(SHORT).lines, policy=None)


def test_only_what_players_vouch_for_is_green() -> None:
    for policy, kind in ((PLAYERS, "good"), (None, "fair")):
        page = report(bundled(graded("signed")), policy=policy)
        assert f'<p class="verdict {kind}">SOUND, grade ' in page


def test_of_several_bundles_the_weakest_grade_comes_first() -> None:
    keys = [OPERATOR.public]
    signed, other = (
        list(bundle_lines(stored, keys=keys, signer=OPERATOR))
        for stored in (graded("signed"), made(SHORT).stored)
    )
    for bundles in ((signed, other), (other, signed)):
        page = report(*bundles, policy=PLAYERS)
        assert '<p class="verdict fair">SOUND, grade recorded' in page


def test_nothing_in_a_bundle_leaves_its_text() -> None:
    page = report(forged(UNSIGNED, named))

    assert outline(page).tags.count("bdi") > 3
    assert "<script>" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert NASTY[2] in page


@looped("bad", [f"</{tag}>" for tag in ("td", "style", "title", "details")])
def test_no_value_can_close_an_element(bad: str) -> None:
    lines = list(made(SHORT).lines)
    place = places(lines, "event")[9]
    rewrite(lines, place, lambda tree: tree["data"].update(seat=bad, cards=bad, **{bad: bad}))
    rewrite(lines, 0, lambda tree: tree.update(head="0" * 64))
    page = report(lines, damage=bad)

    assert bad.replace("<", "&lt;").replace(">", "&gt;") in page
    assert outline(page)


def test_a_key_that_nobody_trusts_makes_no_event_bad() -> None:
    strangers = Policy("policy.toml", (STRANGER.public,))
    page = report(made(SHORT).lines, policy=strangers)
    assert "the first bad event" not in page
    assert "the first bad event" in report(forged(SHORT, overpaid), policy=strangers)


def test_the_first_bad_event_stands_beside_what_must_stand_there() -> None:
    rows = outline(report(forged(UNSIGNED, overpaid))).cells
    (row,) = [row for row in rows if row[0] == "data.results"]
    seq = next(
        t["seq"] for t in map(tree_of, made(UNSIGNED).lines) if t.get("type") == "RoundEnded/1"
    )

    _, expected, recorded, differs = row
    due, stored = msgspec.json.decode(expected), msgspec.json.decode(recorded)
    assert stored[0]["points"] == due[0]["points"] + 25
    assert differs == "differs"
    assert [f"{seq}: the first bad event"] == [row[0] for row in rows if "first bad" in row[0]]
    assert ["type", '"RoundEnded/1"', '"RoundEnded/1"', ""] in rows


def test_only_lines_that_differ_are_marked() -> None:
    left, right = b'{"data":{"a":[1,2,3]},"seq":7}', b'{"data":{"a":[1,5,3]},"seq":7}'
    page = side_by_side(left, right, VerdictPageWords())

    assert re.findall("<mark>(.*?)</mark>", page) == ["  2,", "  5,"]
    assert side_by_side(left, left, VerdictPageWords()).count("mark") == 0
    assert "absent" in side_by_side(None, right, VerdictPageWords())
    assert "No event follows here" in side_by_side(None, right, VerdictPageWords())


def test_a_long_value_is_cut_and_not_compared_line_by_line() -> None:
    left = encode({"data": {"a": list(range(100_000))}})
    right = encode({"data": {"a": list(range(1, 100_000))}})
    page = side_by_side(left, right, VerdictPageWords())

    assert len(page) < 80_000
    assert "characters)" in page


def test_seats_say_who_vouches_for_their_moves() -> None:
    rows = outline(report(made(SHORT).lines)).cells
    key = next(
        t["data"]["key"] for t in map(tree_of, made(SHORT).lines) if "key" in t.get("data", "")
    )

    assert [row[1:3] + row[4:] for row in rows if row[0] in "012" and len(row) == 6] == [
        [
            '"Seat 0"',
            "a client",
            "authenticated, repudiable",
            "a secret that it is said to have brought",
        ],
        [
            '"Seat 1"',
            "a client",
            f"signed by the seat with {key}, nobody vouches for it",
            "made by the server",
        ],
        ['"Seat 2"', "bot (greedy)", "a bot's, whose program makes the same", "made by the server"],
    ]


def test_rounds_have_points_and_phases() -> None:
    stored = [msgspec.json.decode(record) for record in made(SHORT).stored]
    (ended,) = [tree["data"] for tree in stored if tree["type"] == "RoundEnded/1"]
    rows = outline(report(made(SHORT).lines)).cells
    first = rows.index(["round", '"Seat 0"', '"Seat 1"', '"Seat 2"'])

    assert rows[first + 1] == ["1", *(_gain(ended, seat) for seat in range(3))]
    assert rows[first + 2] == ["total", *(str(result["total"]) for result in ended["results"])]
    assert rows[first + 3].count("wins") == 1


def _gain(ended: dict[str, Any], seat: int) -> str:
    result = ended["results"][seat]
    laid = f", laid phase {result['laid']} [C-P01]" if result["laid"] else ""
    return f"{result['points']}{laid}{', went out' * (ended['out'] == seat)}"


def test_rounds_of_the_board_game_have_markers() -> None:
    page = report(made(BOARD).lines)
    rows = outline(page).cells
    first = rows.index(["round", '"Seat 0"', '"Seat 1"', '"Seat 2"'])

    assert "Where each marker stands" in page
    assert re.fullmatch("phase [12](, laid phase 1)?(, went out)?", rows[first + 1][1])
    assert not any(row[0] == "total" for row in rows)


def test_the_timeline_has_every_event_by_round() -> None:
    page = outline(report(made(BOARD).lines))
    events = len(made(BOARD).stored)
    rounds = sum(b'"RoundDealt/1"' in record for record in made(BOARD).stored)

    assert [row[0] for row in page.cells if len(row) == 4 and row[0].isdecimal()][-events:] == [
        str(number) for number in range(1, events + 1)
    ]
    assert page.tags.count("details") == rounds + 1


def test_of_a_running_game_only_what_the_viewer_knows_is_told() -> None:
    stored = made(SHORT).stored[:-3]
    hands = [
        msgspec.json.decode(record).get("hidden", {})
        for record in stored
        if b"RoundDealt/1" in record
    ]
    mine, other = (hands[0][str(seat)]["hand"] for seat in (1, 2))
    page = report(bundled(stored, viewer=1))

    assert "NOTHING WRONG SO FAR, grade recorded" in page
    assert "what seat &quot;Seat 1&quot; may see" in page
    assert cards_words(mine) in page
    assert cards_words(other) not in page
    assert len(outline(page).cells) > len(stored)


@looped(
    ("name", "value", "kind"),
    [
        ("hands", [2**40] * 3, "RoundDealt/1"),
        ("phases", [2**40] * 3, "RoundDealt/1"),
        ("hands", "many", "RoundDealt/1"),
    ],
)
def test_what_does_not_follow_is_told_as_it_is_called(name: str, value: object, kind: str) -> None:
    """Where folding breaks down, or would take the memory, the story goes on without words."""
    lines = list(made(SHORT).lines)
    place = next(n for n in places(lines, "event") if f'"{kind}"'.encode() in lines[n])
    rewrite(lines, place, lambda tree: tree["data"].update({name: value}))
    page = report(lines)

    assert f"{kind}, which does not follow from the events before" in page
    assert "GameEnded/1, which does not follow from the events before" in page
    assert "The table is sealed" in page


def test_a_damaged_file_has_a_report_too() -> None:
    page = report(damage="x.bundle:3: the line is not JSON.")

    assert '<p class="verdict bad">DAMAGED: this cannot be judged. x.bundle:3:' in page
    assert "exit code 5" in page
    assert outline(page).headings == ["Verdict of phaseledger verify"]


def test_two_bundles_in_one_report() -> None:
    page = outline(report(made(SHORT).lines, made(BOARD).lines))

    assert [heading for heading in page.headings if heading.startswith("Bundle 2")] == [
        f"Bundle 2: {what}"
        # Both games are in a log of their own under one name.
        for what in ("What was checked", "Findings", "Seats", "Rounds", "Events")
    ]


def test_the_page_can_be_read_by_machines_that_read_aloud() -> None:
    page = report(forged(UNSIGNED, overpaid))
    parsed = outline(page)

    assert '<html lang="en">' in page
    assert parsed.tags.count("h1") == 1
    assert parsed.tags.count("table") == parsed.tags.count("caption")
    assert re.findall(r"<th(?! scope=\"(?:row|col)\")[ >]", page) == []
    ids = re.findall(r' id="([^"]*)"', page)
    assert sorted(re.findall(r'aria-labelledby="([^"]*)"', page)) == sorted(ids)
    assert len({*ids}) == len(ids)


def test_the_policy_of_the_page_allows_its_own_style_and_nothing_else() -> None:
    page = report(made(SHORT).lines)
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()

    assert CONTENT_POLICY in page
    assert CONTENT_POLICY.startswith("default-src 'none'; style-src 'sha256-" + digest)
    assert not re.search("url|@import|http", STYLE)


@looped(
    ("at", "text"),
    [
        (1_790_000_000_000, "2026-09-21 14:13:20"),
        (0, "1970-01-01 00:00:00"),
        (2**53 - 1, "9007199254740991 ms"),
    ],
)
def test_times_that_no_calendar_has_stay_numbers(at: int, text: str) -> None:
    assert when(at) == text


def test_a_browser_shows_it_without_a_word_to_anybody(
    started_browser: Browser, tmp_path: Path
) -> None:
    """No request, no complaint on the console; closed rounds open up on paper."""
    file = tmp_path / "report.html"
    file.write_text(report(forged(UNSIGNED, overpaid)))
    with driven(started_browser) as browser, opened(browser, file) as shown:
        page = shown.page
        page.get_by_text("WRONG: this is no game").wait_for(state="visible")
        assert page.get_by_text(NASTY[0]).first.is_visible()
        assert page.get_by_role("table", name="Who sat at the table").is_visible()
        first = page.get_by_text("The table opens")
        assert not first.is_visible()
        page.emulate_media(media="print")
        assert first.evaluate("e => e.checkVisibility({contentVisibilityAuto: true})")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
