"""Modules of the pages by themselves: the order of a hand, messages of a stream, offers."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from phaseledger.replay.web.joiner import WEB, script

MODULES = {
    "table/hand.js": "arranged, moved, ordered, parted, sorted, spent",
    "table/own.js": (
        "NOTHING, drafted, followed, found, read, reordered, sending, toggled, undrafted, written"
    ),
    "table/offers.js": "at, bag, gesture, listedLay, meant, placeOf, taking",
    "client/stream.js": "messages",
    "lobby/terms.js": "NO_TERMS, termsBody",
}


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp("entry")
    lines = []
    for name, exports in MODULES.items():
        path = Path(os.path.relpath((WEB / name).resolve(), folder.resolve())).as_posix()
        lines.append(f'import {{ {exports} }} from "{path}";')
    lines.append(f"window.web = {{ {', '.join(MODULES.values())} }};\n")
    (folder / "entry.js").write_text("\n".join(lines))
    context = browser.new_context()
    page = context.new_page()
    page.add_script_tag(content=script(folder / "entry.js", [folder]))
    yield page
    context.close()


def test_a_command_takes_the_selected_copy(page: Page) -> None:
    """What it takes is forgotten when it is carried out, so a copy that stays is not selected."""
    taken = page.evaluate(
        """() => {
          const held = web.ordered([], ["R5", "R5", "W", "R5"]);
          const [one, other, wild, last] = held.map(({ id }) => id);
          const place = (ids) => ids.map((id) => held.findIndex((card) => card.id === id));
          return [
            place(web.spent(held, ["R5"], [other], [last])),
            place(web.spent(held, ["R5", "W", "R5"], [other], [last])),
            place(web.spent(held, ["R5"], [], [])),
            place(web.spent(held, ["B6"], [one], [])),
          ];
        }"""
    )
    assert taken == [[1], [1, 2, 3], [0], []]


def test_a_hand_keeps_its_owners_order(page: Page) -> None:
    """Cards that stay are the same ones, new ones come last, and one of two copies may leave."""
    shown = page.evaluate(
        """() => {
          const first = web.ordered([], ["R5", "B6", "R5"]);
          const again = web.ordered(first, ["R5", "R5", "B6"]);
          const turned = web.moved(first, first[2].id, first[0].id);
          const after = web.ordered(turned, ["W", "R5", "B6"]);
          return [again === first, turned.map((one) => one.id - first[0].id),
            after.map((one) => one.card), after[0] === turned[0],
            web.moved(first, -1, 2) === first];
        }"""
    )
    assert shown == [True, [2, 0, 1], ["R5", "B6", "W"], True, True]


def test_a_copy_that_a_command_takes_leaves_first(page: Page) -> None:
    """Whether the answer or the stream comes first, the other copy stays where it lies."""
    shown = page.evaluate(
        """() => {
          const held = web.ordered([], ["R5", "B6", "R5"]);
          const left = web.ordered(held, ["R5", "B6"], [held[0].id]);
          const same = web.ordered(held, ["R5", "B6", "R5"], [held[0].id]);
          return [left[1] === held[2], same === held];
        }"""
    )
    assert shown == [True, True]


HANDS = {
    "classic": "B12 G11 B10 R2 R2 B2 Y7 G7 W W S",
    "express": "G2 B2 R2 Y2 R3 G4 W W S",
    "board": "R1 R1 B2 J1 J2 J3 Y12 G11",
    "standard-deck": "KH QS JD 10C 9H 9H AS A * 2D",
}
NUMBERS = st.lists(st.integers(0, 12), max_size=8)
TOUCHES = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 2), NUMBERS),
        st.tuples(st.just("take"), st.integers(0, 12)),
        st.tuples(st.just("pick"), st.integers(0, 12)),
        st.tuples(st.just("move"), st.integers(0, 12), st.integers(0, 12)),
        st.tuples(st.just("sort"), st.sampled_from(["hand", "rank", "colour", "phase"])),
        st.tuples(st.just("patch"), NUMBERS, NUMBERS),
        st.tuples(st.just("find"), NUMBERS, NUMBERS),
        st.tuples(st.just("reload")),
    ),
    max_size=12,
)
PERMUTED = """([cards, touches]) => {
  const groups = 3, table = () => ({ round: 1, hand: cards.join(" ") });
  let order = "hand", sent = null;
  const arranged = (held) => web.arranged(held, order, ["set"]);
  const follow = (own) => web.followed(own, table(), sent, arranged);
  let own = follow(web.NOTHING);
  const ids = (numbers) => numbers.flatMap((n) => own.held[n] ? [own.held[n].id] : []);
  const texts = (numbers) => numbers.flatMap((n) => own.held[n] ? [own.held[n].card] : []);
  const sorted = (list) => [...list].sort().join(" ");
  for (const [what, one, other] of touches) {
    const touched = [...new Set(ids(Array.isArray(other) ? other : []))], before = own.slots;
    if (what === "put") own = web.drafted(own, groups, one, touched);
    if (what === "take") own = web.undrafted(own, own.held[one]?.id);
    if (what === "pick" && own.held[one]) own = web.toggled(own, own.held[one].id);
    if (what === "move") own = web.reordered(own, own.held[one]?.id, own.held[other]?.id);
    if (what === "sort") order = one;
    if (what === "find") {
      own = web.found(own, { groups: [one, other].map((n) => ({ cards: texts(n).join(" ") })) });
    }
    if (what === "patch") {
      const going = [...new Set(one)].filter((n) => own.held[n]);
      sent = { type: "discard" };
      own = web.sending(own, sent, going.map((n) => own.held[n].card));
      const stay = own.held.filter((_, n) => !going.includes(n));
      cards = [...stay.map(({ card }) => card), ...texts(other)];
    }
    if (what === "reload") own = web.read(JSON.parse(JSON.stringify(web.written(own))));
    own = follow(own);
    if (own !== follow(own)) return "restless";
    const { groups: filled, hand } = web.parted(own.held, own.slots);
    const shown = [...filled.flat(), ...hand];
    if (sorted(shown.map(({ id }) => id)) !== sorted(own.held.map(({ id }) => id))
      || sorted(own.held.map(({ card }) => card)) !== sorted(cards)
      || own.slots.flat().length !== new Set(own.slots.flat()).size) return what;
    if (what === "put" && !touched.every((id) => own.slots[one].includes(id))) return "lost";
    if (what === "reload" && own.slots.flat().length > before.flat().length) return "more";
  }
  return null;
}"""
"""What was touched when slots and hand were no longer the cards held, each once."""


@given(st.sampled_from(list(HANDS)), TOUCHES)
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_slots_and_hand_are_the_cards_held(page: Page, game: str, touches: list[Any]) -> None:
    """Whatever is put, taken back, moved, sorted, found, sent, drawn and loaded anew."""
    assert page.evaluate(PERMUTED, [HANDS[game].split(), touches]) is None


def test_a_hand_is_sorted_by_what_is_printed(page: Page) -> None:
    for cards, by_colour, expected in (
        ("R5 W B2 S R11 B5", False, "B2 B5 R5 R11 W S"),
        ("R5 W B2 S R11 B5", True, "B2 B5 R5 R11 W S"),
        ("Y1 R12 Y3 R2", True, "R2 R12 Y1 Y3"),
        ("KH 10S 2C A QD * JH", False, "2C 10S JH QD KH A *"),
        ("J2 R3 J1", False, "R3 J2 J1"),
        ("", True, ""),
    ):
        shown = page.evaluate(
            "([cards, by]) => web.sorted(web.ordered([], cards), by).map((one) => one.card)",
            [cards.split(), by_colour],
        )
        assert shown == expected.split()


def test_a_hand_is_arranged_for_what_the_phase_asks(page: Page) -> None:
    for kinds, expected in (
        (["set", "set"], "B2 G2 R5 Y5 B1 W"),
        (["run"], "B1 B2 R5 W G2 Y5"),
        (["color"], "B1 B2 G2 R5 Y5 W"),
        (["set", "run"], "B1 B2 R5 W G2 Y5"),
    ):
        shown = page.evaluate(
            """([cards, kinds]) => web.arranged(web.ordered([], cards), "phase", kinds)
              .map((one) => one.card).join(" ")""",
            [["B2", "R5", "B1", "W", "Y5", "G2"], kinds],
        )
        assert shown == expected


def test_a_gesture_means_a_command_offered_or_not(page: Page) -> None:
    """A skip on the pile is for anybody; a group and a seat need a card."""
    for place, cards, expected in (
        ("discard", "S", {"type": "discard", "cards": "S"}),
        ("discard", "", {"type": "draw", "source": "discard"}),
        ("stock", "S", {"type": "draw", "source": "stock"}),
        ("group:1:low", "R5 W", {"type": "hit", "group": 1, "cards": "R5 W", "end": "low"}),
        ("seat:2", "R5", {"type": "discard", "cards": "R5", "target": 2}),
        ("group:1", "", None),
        ("seat:2", "", None),
    ):
        assert page.evaluate("([p, c]) => web.meant(p, c)", [place, cards.split()]) == expected
    offered = "(c) => web.gesture(web.taking(c, ['S']), 'discard').map(({ target }) => target)"
    assert page.evaluate(offered, COMMANDS) == [2]


def test_a_stream_is_read_in_whatever_pieces_it_comes(page: Page) -> None:
    text = (
        "retry: 1000\n\nid: 4-ab\nevent: state\ndata: {}\n\n: heartbeat\n\n"
        'event: asked\ndata: {"a":\ndata: 1}\n\nid: 5\nevent: ev'
    )
    read: Any = page.evaluate(
        """(text) => Array.from({ length: text.length + 1 }, (_, cut) => {
          const one = web.messages(text.slice(0, cut));
          const other = web.messages(one.rest + text.slice(cut));
          return [[...one.read, ...other.read].filter((m) => m.event || m.retry), other.rest];
        })""",
        text,
    )
    assert all(result == read[0] for result in read)
    (messages, rest) = read[0]
    assert [(m["id"], m["event"], m["data"], m["retry"]) for m in messages] == [
        ("", "", "", 1000),
        ("4-ab", "state", "{}", 0),
        ("", "asked", '{"a":1}', 0),
    ]
    assert rest == "id: 5\nevent: ev"


COMMANDS = [
    {"type": "draw", "source": "stock"},
    {"type": "draw", "source": "discard"},
    {"type": "hit", "group": 1, "cards": "W", "end": "low"},
    {"type": "hit", "group": 1, "cards": "W", "end": "high"},
    {"type": "hit", "group": 0, "cards": "R5 B5"},
    {"type": "discard", "cards": "S", "target": 2},
    {"type": "discard", "cards": "W"},
    {"type": "lay", "groups": [{"cards": "R5 B5 W"}, {"cards": "R1 B2", "value": 1}]},
]


def test_cards_go_where_the_commands_take_them(page: Page) -> None:
    """A tap on a group means both its ends."""
    for cards, places in {
        "W": ["group:1:low", "group:1:high", "discard"],
        "B5 R5": ["group:0"],
        "R5": [],
        "S": ["seat:2"],
        "": ["stock", "discard"],
    }.items():
        taking = "([commands, cards]) => web.taking(commands, cards).map(web.placeOf)"
        assert page.evaluate(taking, [COMMANDS, cards.split()]) == places
    for place, count in {"group:1": 2, "group:1:low": 1, "group": 0}.items():
        assert page.evaluate("([c, p]) => web.at(c, p).length", [COMMANDS, place]) == count


def test_slots_are_laid_in_the_order_that_the_service_lists(page: Page) -> None:
    for slots, is_listed in (
        ("W B5 R5|B2 R1", True),
        ("B2 R1|W B5 R5", False),
        ("W B5|B2 R1", False),
    ):
        groups = [cards.split() for cards in slots.split("|")]
        listed = page.evaluate("([c, g]) => web.listedLay(c, g)", [COMMANDS, groups])
        assert listed == (COMMANDS[-1] if is_listed else None), slots


def test_terms_that_are_usual_are_left_out(page: Page) -> None:
    clock = {"seconds": 60, "grace": 10, "then": "void"}
    chosen: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {}),
        ({"private": True, "pace": 2}, {"private": True, "pace": 2}),
        ({"spectators": "delayed"}, {"spectators": "delayed", "delay": 20}),
        ({"seconds": 60, "then": "void"}, {"clock": clock}),
    ]
    for given_, terms in chosen:
        body = page.evaluate("(chosen) => web.termsBody({ ...web.NO_TERMS, ...chosen })", given_)
        assert body == terms
