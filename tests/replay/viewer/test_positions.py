"""What the viewer draws is what `phaseledger replay --json --at` tells, for every viewer."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from phaseledger.replay.text import Viewer as Chair
from phaseledger.replay.transcript.frames import position
from phaseledger.replay.web.joiner import offline_page
from tests.support.campaigns import sampled
from tests.support.replay.golden_steps import golden_steps, viewers
from tests.support.replay.viewer_pages import modules, viewing
from tests.support.replay.viewer_samples import chair, document, golden_frames

GAMES = ("classic-3-twist", "standard-deck-4-ten-rounds-free", "express-3", "board-4")
SAMPLES = 6
DRAWN = """() => {
  const texts = (home, what) => [...home.querySelectorAll(what)].map((e) => e.textContent.trim());
  const cards = (home) => [...home.querySelectorAll(".card[data-card]")].map((e) => e.dataset.card);
  const all = (what) => [...document.querySelectorAll(what)];
  return {
    stock: document.querySelector('.pile[data-place="stock"] b').textContent,
    discards: document.querySelector('.pile[data-place="discard"] b').textContent,
    discard: cards(document.querySelector('.pile[data-place="discard"]')),
    groups: all(".group").map((e) => [cards(e).join(" "), texts(e, ".kind")[0],
      texts(e, ".owner")[0], texts(e, ".run-end"),
      [...e.querySelectorAll(".note")].map((note) => note.dataset.note)]),
    hands: all(".seat, .own").map((e) => {
      const hand = e.querySelector('[data-place^="hand:"]');
      const fan = e.querySelector(".fan .count");
      return [hand.dataset.place, fan ? Number(fan.textContent) : cards(hand).join(" ")];
    }),
    seats: all(".seat, .own").map((e) => [texts(e, ".name")[0], texts(e, ".phase")[0]]),
    turn: all(".seat.turn .name, .own.turn .name").map((e) => e.textContent),
    pawns: all(".pawn").length,
    where: document.querySelector(".now .where").textContent,
    sentence: document.querySelector(".now .sentence").textContent,
  };
}"""


def expected(name: str, seq: int, viewer: Chair) -> dict[str, Any]:
    """What the data says that should be drawn."""
    steps = golden_steps(name)
    shown: Any = msgspec.to_builtins(position(steps[seq - 1].state, viewer))
    table = shown["table"]
    seats = [seat for seat in table["seats"] if seat]
    you = table["you"]
    order = seats if you is None else seats[you + 1 :] + seats[:you] + [seats[you]]
    hands: list[Any] = [seat["cards"] for seat in seats]
    if viewer == "all":
        hands = [hand or "" for hand in shown["hands"]]
    elif you is not None:
        hands[you] = table["hand"] or ""
    legend = shown["legend"]["groups"]
    active = table["active"] if table["stage"] == "playing" else None
    return {
        "stock": str(table["stock"]),
        "discards": str(table["discards"]),
        "discard": [table["discard"]] if table["discard"] else [],
        "groups": [
            [
                group["cards"],
                meaning["words"],
                seats[group["owner"]]["name"],
                [*meaning.get("ends", {}).values()],
                [wild["stands_for"] for wild in meaning["wilds"]],
            ]
            for group, meaning in zip(table["groups"], legend, strict=True)
        ],
        "hands": [[f"hand:{seat['seat']}", hands[seat["seat"]]] for seat in order],
        "turn": [] if active is None else [seats[active]["name"]],
        "pawns": sum(seat["pawn"] is not None for seat in seats),
    }


def samples(name: str) -> list[int]:
    """Events over the whole game, those from which on everybody sits at the table. Every other one
    is shown to each viewer: what the positions hold for each, the test of all frames says.
    """
    events = len(golden_steps(name))
    return [20 + (events - 20) * n // (SAMPLES - 1) for n in range(SAMPLES)]


@pytest.mark.parametrize("name", sampled(GAMES, "board-4"))
def test_every_viewer_sees_what_the_data_says(browser: Browser, tmp_path: Path, name: str) -> None:
    file = tmp_path / "game.html"
    file.write_text(offline_page(msgspec.json.encode(document(name)), name))
    seats = len(golden_steps(name)[-1].state.seats)
    with viewing(browser, file) as viewer:
        for turn, seen_by in enumerate(viewers(seats)):
            viewer.seated(chair(seen_by))
            for seq in samples(name)[turn % 2 :: 2]:
                viewer.go(seq)
                drawn = viewer.page.evaluate(DRAWN)
                due = expected(name, seq, seen_by)

                assert {key: drawn[key] for key in due} == due, (name, seen_by, seq)
                assert drawn["where"].startswith(f"event {seq:,} of ")


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with modules(browser, tmp_path_factory.mktemp("entry"), "feed/frames.js") as page:
        yield page


@pytest.mark.parametrize("name", sampled(GAMES, "express-3", "board-4"))
def test_the_positions_of_all_frames_are_those_of_the_data(page: Page, name: str) -> None:
    """Asked for backwards, so that most are made from a position that was kept."""
    steps = golden_steps(name)
    for seen_by in viewers(len(steps[-1].state.seats)):
        lines = golden_frames(name, seen_by).decode()
        events = [*range(len(steps), 0, -23)]
        shown = page.evaluate(
            """([lines, events]) => {
              const recording = new web.Recording(web.readFrames(lines));
              return events.map((seq) => recording.position(seq));
            }""",
            [lines, events],
        )
        data = [position(steps[seq - 1].state, seen_by) for seq in events]

        assert shown == msgspec.json.decode(msgspec.json.encode(data))
