"""What the page says of a game in words of the table: who played, what a move was, who won."""

from playwright.sync_api import Browser

from phaseledger.domain.events import EVENTS
from tests.support.browser import Verifier, checked, opened
from tests.support.cases import looped
from tests.support.replay.bundle_variety import bundle
from tests.support.replay.tampering_tools import apart, events


@looped("name", ["standard-deck", "board", "voided"])
def test_it_says_who_played_and_who_won(browser: Browser, name: str) -> None:
    parts = apart(bundle(name))
    seats = {event["data"]["seat"]: event["data"]["name"] for event in events(parts, "SeatTaken")}
    rounds = events(parts, "RoundEnded")
    totals = [result["total"] for result in rounds[-1]["data"]["results"]] if rounds else [0, 0, 0]
    ended = events(parts, "GameEnded")
    winners = ended[0]["data"]["winners"] if ended else []
    with opened(browser) as verifier:
        checked(verifier, bundle(name))
        caption = verifier.page.inner_text("#game caption")
        rows = [row.split("\t") for row in verifier.page.inner_text("#game tbody").splitlines()]
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        (str(seat), player, "yes" if seat in winners else "no") for seat, player in seats.items()
    ]
    if name != "board":
        assert [int(row[2]) for row in rows] == totals
    assert all(f'"{seats[seat]}"' in caption for seat in winners)
    assert ("broken off" in caption) == (not winners)


def test_what_is_not_sound_has_no_result(browser: Browser) -> None:
    with opened(browser) as verifier:
        checked(verifier, bundle("small").replace(b"Seat 1", b"Seat 2"))
        assert verifier.page.inner_text("#game") == ""


def test_every_event_of_play_has_words(page: Verifier) -> None:
    words = """async (text) => {
      const bundle = await parse(text, () => {});
      return bundle.events.map(({ value: { type, seq } }) =>
        [type, spoken(moveText(bundle, seq), "en")]);
    }"""
    for name in ("board", "express", "covered", "voided"):
        for kind, text in page.ask(words, bundle(name).decode()):
            assert text, kind
            assert "undefined" not in text
    assert set(page.ask("() => Object.keys(MOVES)")) == {name.partition("/")[0] for name in EVENTS}
