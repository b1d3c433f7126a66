"""The page that checks bundles, in Chromium: its functions, and what a player sees of it."""

import json
import re
import socket
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from playwright.sync_api import Browser

from phaseledger.domain.commands import Act, Command
from phaseledger.domain.events import EVENTS, LaidGroup, Result, Secret
from phaseledger.domain.evidence.codec import is_canonical
from phaseledger.domain.evidence.merkle import inclusion, root_of
from phaseledger.domain.script import ScriptedDeal
from phaseledger.domain.state import Question
from phaseledger.domain.terms import Clock, Terms
from phaseledger.replay.evidence.verify.verifier_page import verifier_page
from phaseledger.replay.web.joiner import policy
from tests.support.browser import Verifier, checked, opened, page_file, texts_of
from tests.support.cases import looped
from tests.support.replay.bundle_variety import bundle
from tests.support.replay.operator_forgeries import FORGERIES, linked
from tests.support.replay.processes import run
from tests.support.replay.tampering_tools import apart, events, tampered, written

VECTORS = json.loads((Path(__file__).parents[3] / "domain" / "deal-v1.json").read_text())["cases"]

# --- the functions ------------------------------------------------------------------------------


def _spelt(kind: type[msgspec.Struct], *without: str) -> str:
    """A structure's fields as the page lists them."""
    marks = {
        field.encode_name: ""
        if field.required
        else "?"
        if field.default_factory is msgspec.NODEFAULT and (field.default or field.default is None)
        else "~"
        for field in msgspec.structs.fields(kind)
    }
    return " ".join(f"{name}{mark}" for name, mark in marks.items() if name not in without)


def test_the_page_knows_the_facts_of_every_event(page: Verifier) -> None:
    """And the arguments of every command; an event with any other is refused."""
    always = ("act", "asks", "hidden")
    tables = page.ask("() => [FACTS, COMMANDS, PARTS]")
    assert tables[0] == {f"{name}": _spelt(kind, *always) for name, kind in EVENTS.items()}
    assert tables[1] == {
        str(kind.__struct_config__.tag): _spelt(kind) for kind in get_args(Command)
    }
    parts = {
        "act": Act, "asks": Question, "groups": LaidGroup, "results": Result, "clock": Clock,
        "table": Terms, "hidden": Secret, "script": ScriptedDeal,
    }  # fmt: skip
    assert tables[2] == {name: _spelt(kind) for name, kind in parts.items()}


def test_its_policy_names_its_own_script_and_style() -> None:
    page = verifier_page().decode()
    script, style = (
        re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[0] for tag in ("script", "style")
    )
    assert f'content="{policy(style, script, "data:")}"' in page


@looped("case", VECTORS, ids=lambda case: case["game"][:8])
def test_known_answers(page: Verifier, case: dict[str, Any]) -> None:
    game, secrets = case["game"], case["seat_secrets"]
    assert page.ask("serverCommit", game, case["server_secret"]) == case["server_commit"]
    made = [page.ask("seatCommit", game, seat, secret) for seat, secret in enumerate(secrets)]
    assert made == case["seat_commits"]
    seats = [{"commit": c, "secret": s} for c, s in zip(made, secrets, strict=True)]
    facts = (game, case["ruleset"], case["ruleset_sha256"], case["server_commit"], seats)
    assert page.ask("transcriptText", *facts) == case["transcript"]
    hashed = page.ask("async (text) => hex(await sha256(text))", case["transcript"])
    assert hashed == case["transcript_sha256"]
    key = f"await dealKey({case['server_secret']!r}, {hashed!r})"
    for row in case["shuffles"]:
        made = page.ask(
            f"(async (...which) => shuffle({key}, ...which))",
            *(row[name] for name in ("hand", "shuffle", "n")),
        )
        assert made == row["permutation"]
    for row in case.get("dice", ()):
        thrown = page.ask(f"(async (...w) => dice({key}, ...w))", row["turn"], row["roll"])
        assert thrown == row["values"]


@looped(
    ("words", "bounds", "drawn"),
    [
        ([65535, 5], [6], [5]),
        ([65532, 65531], [6], [65531 % 6]),
        ([65531, 0], [6, 6], [65531 % 6, 0]),
        ([65535], [2], [1]),
        ([65535], [6], None),
    ],
)
def test_words_that_would_bias_are_passed_over(
    page: Verifier, words: list[int], bounds: list[int], drawn: list[int] | None
) -> None:
    assert page.ask("numbers", bounds, words) == drawn


@looped(
    "text",
    [
        '{"a":1,"b":[true,"x"]}',
        '{"b":1,"a":2}',
        '{"a":1,"a":2}',
        '{"a":1,"a":1}',
        '{ "a":1}',
        '{"a":1.0}',
        '{"a":1e3}',
        '{"a":-0}',
        '{"a":9007199254740991}',
        '{"a":9007199254740992}',
        '{"a":9007199254740993}',
        '{"a":null}',
        '{"a":1.5}',
        '{"\u00e9":1}',
        '{"a":"\u00e9\u2028\U0001f0cf\x7f"}',
        '{"a":"\\u00e9"}',
        '{"a":"\\u001f\\n\\"\\\\"}',
        '{"a":"\\u001F"}',
        '{"a":"\\/"}',
        '{"a":"\\ud800"}',
        '{"__proto__":1}',
        '{"10":1,"9":2}',
    ],
)
def test_both_agree_on_what_is_canonical(page: Verifier, text: str) -> None:
    ours = page.ask(
        "(text) => { try { return canonical(JSON.parse(text)) === text } catch { return false } }",
        text,
    )
    assert ours == is_canonical(text.encode())


def test_inclusion_proofs_of_all_small_trees(page: Verifier) -> None:
    leaves = [bytes([n]) * 32 for n in range(12)]

    def nodes(level: int, index: int) -> bytes:
        return root_of(leaves[index << level : index + 1 << level])

    rows = []
    for size in range(1, 13):
        root = root_of(leaves[:size]).hex()
        for index in range(size):
            path = [step.hex() for step in inclusion(index, size, nodes)]
            rows.append((leaves[index].hex(), index, size, path, root, True))
            rows.append((leaves[index].hex(), (index + 1) % (size + 1), size, path, root, False))
            rows.append((leaves[index].hex(), index, size, [*path, root], root, False))
            if path:
                rows.append((leaves[index].hex(), index, size, path[1:], root, False))
    check = (
        "(rows) => Promise.all(rows.map(([leaf, index, size, path, root]) =>"
        " provesInclusion(unhex(leaf), index, size, path.map(unhex), unhex(root))))"
    )
    assert page.ask(check, rows) == [row[-1] for row in rows]


# --- the page itself ----------------------------------------------------------------------------


SOUND = (
    "SOUND, grade consistent: the game is over and kept its rules; nobody vouches for this file, "
    "so anybody could have made it all up; unseen, a lying operator could have chosen the deck and "
    'played for the bots of seats "Seat 0" and "Seat 1"'
)


def test_a_player_chooses_a_file_and_reads_a_verdict(browser: Browser) -> None:
    with opened(browser) as verifier:
        assert checked(verifier, bundle("small")) == SOUND
        assert verifier.page.get_attribute("#verdict", "class") == ""
        text = verifier.page.inner_text("#result")
        assert "Checked. Rules: every move, all points, the phases and the winner" in text
        assert "phaseledger verify" in text
        assert "Checked. Hash chain: 144 events." in text
        assert "Not checked. Signed commands: there are none" in text
        assert 'Seats that sign nothing: "Seat 0", "Seat 1".' in text
        forged = tampered(bundle("small"), FORGERIES["another card drawn"], 0)
        assert forged is not None
        seq = verifier.ask("async (t) => (await verifyBundle(t)).findings[0].seq", forged.decode())
        assert checked(verifier, forged) == f"NOT sound (the first bad event is event {seq})"
        cells = verifier.page.locator("#findings tr > *").all_inner_texts()
        rows = dict(zip(cells[::2], map(str.strip, cells[1::2]), strict=True))
        assert set(rows) == {"Where", "The file says", "What", "Expected", "Recorded", "Class"}
        assert (rows["Class"], f"event {seq}" in rows["Where"]) == ("draw", True)
        meaning = verifier.page.inner_text("#meaning")
        assert meaning.startswith(f"The file says: {rows['The file says']}. ")  # nothing that holds


def test_by_keyboard_and_by_ear(browser: Browser) -> None:
    with opened(browser) as verifier:
        page = verifier.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "language"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "file"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "pasted"
        page.evaluate("(text) => (document.activeElement.value = text)", bundle("small").decode())
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector("#result:not([hidden])")
        assert page.evaluate("document.activeElement.id") == "verdict"
        spoken = page.inner_text("#status")
        assert spoken.startswith(f"{SOUND}.")
        for control in page.query_selector_all("#give :is(input, textarea)"):
            assert control.evaluate("(it) => it.labels.length") == 1
        for region in page.query_selector_all("main > section"):
            assert region.get_attribute("aria-label") or region.get_attribute("aria-labelledby")


def test_a_file_is_dropped_on_the_page(browser: Browser) -> None:
    drop = """(text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "dropped.bundle"));
      const how = {dataTransfer: data, bubbles: true, cancelable: true};
      const event = (kind) => new DragEvent(kind, how);
      const over = document.body.dispatchEvent(event("dragover"));
      return [over, document.body.dispatchEvent(event("drop"))];
    }"""
    with opened(browser) as verifier:
        assert verifier.page.evaluate(drop, bundle("small").decode()) == [False, False]
        verifier.page.wait_for_selector("#result:not([hidden])")
        assert "dropped.bundle: game" in verifier.page.inner_text("#subject")


def test_markup_in_a_bundle_stays_text(browser: Browser) -> None:
    parts = apart(bundle("small"))
    evil = "<img src=x onerror=alert(1)>"
    events(parts, "GameOpened")[0]["data"]["ruleset"]["id"] = evil
    events(parts, "TurnBegan")[0]["type"] = evil
    with opened(browser) as verifier:
        assert checked(verifier, written(linked(parts))).startswith("NOT sound")
        assert verifier.page.query_selector("img") is None
        assert evil in verifier.page.inner_text("#result")


def test_without_ed25519_it_says_so(browser: Browser) -> None:
    without = """
      const real = crypto.subtle.importKey.bind(crypto.subtle);
      crypto.subtle.importKey = (form, key, how, ...rest) => how === "Ed25519"
        ? Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError"))
        : real(form, key, how, ...rest);
    """
    with opened(browser, script=without) as verifier:
        answer = verifier.verify(bundle("signed"))
        assert (answer["ok"], answer["ed25519"]) == (True, False)
        for name in ("signed_commands", "receipts", "log"):
            assert "NOT checked: this browser has no Ed25519" in texts_of(answer, name)
        checked(verifier, bundle("signed"))
        headline = verifier.page.inner_text("#verdict")
        assert headline.startswith(
            "NO CONTRADICTION, grade unjudged: the game is over and kept its "
        )
        assert "but signatures were NOT checked" in headline
        meaning = verifier.page.inner_text("#meaning")
        assert meaning.endswith("Signatures were not checked: this browser has no Ed25519.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_are_readable(browser: Browser, scheme: Any) -> None:
    forged = tampered(bundle("small"), FORGERIES["another card drawn"], 0)
    assert forged is not None
    with opened(browser) as verifier:
        verifier.page.emulate_media(color_scheme=scheme)
        checked(verifier, forged)
        for what in ("body", "#verdict", ".failed strong", "th"):
            ink, paper = verifier.page.evaluate(
                """(what) => {
                  const it = document.querySelector(what), own = getComputedStyle(it);
                  const clear = own.backgroundColor === "rgba(0, 0, 0, 0)";
                  const under = clear ? getComputedStyle(document.body) : own;
                  return [own.color, under.backgroundColor];
                }""",
                what,
            )
            assert contrast(ink, paper) >= 4.5, (what, ink, paper)


def contrast(*colours: str) -> float:
    """Contrast ratio of two CSS colours (WCAG 2.2)."""

    def light(colour: str) -> float:
        parts = [int(number) / 255 for number in re.findall(r"\d+", colour)[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted(map(light, colours))
    return (bright + 0.05) / (dark + 0.05)


def test_it_prints_the_verdict_and_no_controls(browser: Browser) -> None:
    with opened(browser) as verifier:
        checked(verifier, bundle("small"))
        verifier.page.emulate_media(media="print")
        assert verifier.page.is_visible("#verdict")
        assert not verifier.page.is_visible("#file")
        assert verifier.page.pdf().startswith(b"%PDF-")


def test_it_can_reach_nobody(browser: Browser) -> None:
    tries = """async (address) => {
      const blocked = [];
      addEventListener("securitypolicyviolation", (e) => blocked.push(e.effectiveDirective));
      const outcomes = [await fetch(address).then(() => "sent", () => "refused")];
      const image = new Image(), script = document.createElement("script");
      script.textContent = "globalThis.owned = true";
      document.body.append(script);
      await new Promise((done) => {
        image.onerror = done;
        image.src = `${address}x`;
      });
      return [outcomes, blocked.sort(), globalThis.owned ?? false];
    }"""
    context = browser.new_context()
    page = context.new_page()
    with page_file() as file:
        page.goto(file.as_uri())
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        outcomes, blocked, owned = page.evaluate(tries, address)
        with pytest.raises(TimeoutError):
            server.accept()
    context.close()
    assert (outcomes, owned) == (["refused"], False)
    assert blocked == ["connect-src", "img-src", "script-src-elem"]


# --- getting it ---------------------------------------------------------------------------------


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    ended = run("verifier", "--out", tmp_path / "page.html")
    assert (ended.returncode, ended.stdout) == (0, b"")
    assert (tmp_path / "page.html").read_bytes() == verifier_page()
    assert run("verifier").stdout == verifier_page()
