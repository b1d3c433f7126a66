"""The page that verifies, in English, German and French: all of its words come from the tables, and
what `phaseledger verify --lang` says of the same files it says in the same words.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, get_args

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from phaseledger.domain.explain.rulebook import rule_text
from phaseledger.domain.words import LANGUAGES, Language, texts
from phaseledger.replay.evidence.verify.policy import Requirement
from phaseledger.replay.evidence.verify.verifier_page import verifier_words
from tests.support.browser import PATIENCE, Verifier, checked, opened, page_file
from tests.support.campaigns import sampled
from tests.support.cases import looped
from tests.support.languages import bare
from tests.support.replay.bundle_variety import bundle, stored
from tests.support.replay.forgery_corpus import CORPUS
from tests.support.replay.graded_games import POLICY
from tests.support.replay.operator_forgeries import FORGERIES
from tests.support.replay.operator_games import bundled
from tests.support.replay.page_grades import written
from tests.support.replay.tampering_tools import tampered

WORDS = {lang: verifier_words(lang) for lang in LANGUAGES}

# --- the tables ---------------------------------------------------------------------------------


OF_CASES = {"due.policy_key"}
"""English texts that have another case in German where `verify` says them."""


def test_nothing_is_said_twice() -> None:
    """What `verify` says of a finding already, the page says by its code."""

    def plain(text: str) -> str:
        return re.sub(r"\{\w+\}", "{}", text)

    findings, headlines, page = (
        {code: text if isinstance(text, str) else text["other"] for code, text in table.items()}
        for table in (texts("en", prefix) for prefix in ("evidence.", "headline.", "verifier."))
    )
    shared = {*map(plain, findings.values()), *map(plain, headlines.values())}
    repeated = {
        code
        for code, text in page.items()
        if plain(text) in shared and re.search("[a-z]", plain(text))
        if "@" not in code and isinstance(texts("en", "verifier.")[code], str)
    }
    assert repeated == OF_CASES
    assert page.keys().isdisjoint(findings)


def test_every_text_is_used(page: Verifier) -> None:
    """By its code in the script or the page, whole or begun there."""
    source = page.page.content()
    source = re.sub("const WORDS = .*", "", source)
    begun = (*re.findall(r"`([a-z]+\.(?:[a-z_]+\.)?)\$\{", source), "value.")
    codes = texts("en", "verifier.").keys()
    unused = {
        code
        for code in codes
        if f'"{code}"' not in source and not code.startswith(begun)
        if f'"{re.sub("_(kept|given)$", "", code)}"' not in source
    }
    assert unused == set()


# --- a language of brackets ---------------------------------------------------------------------

BRACKETED = """async () => {
  const marked = (text) => typeof text === "string" ? `⟦${text}⟧`
    : Object.fromEntries(Object.entries(text).map(([form, each]) => [form, marked(each)]));
  for (const [code, text] of Object.entries(WORDS.en)) WORDS.de[code] = marked(text);
  const spoken = new Promise((done) => addEventListener("hashchange", done, { once: true }));
  location.hash = "lang=de";
  await spoken;
}"""
COUNTED = """() => {
  globalThis.hashed = 0;
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  crypto.subtle.digest = (...given) => { hashed += 1; return digest(...given); };
}"""
STORED = re.compile(
    r"[\w+/.-]{30,}=*|[A-Z]\w+(/\d)?|[a-z_]+|[a-z]+: [a-z-]+|[\W\d]*|Seat \d|game\.bundle"
    r"|([A-Z*0-9][0-9JQKAHSDC]*( |$))*|[a-z0-9.-]+(/[\w+./=-]+)+(, [a-z0-9.-]+(/[\w+./=-]+)+)*"
    r"|server(, \d)+|⟦.*\.\.\.|bot_move \w+"
    r"|\[.*\]|\{.*\}|\"[^ ]*\"|\d+\. \w+\.? \d{4}, [\d:,]+ UTC",
    re.DOTALL,
)
"""What is the same in every language: codes, hashes, keys, cards, names and values as stored."""


@pytest.fixture(scope="module")
def pseudo(browser: Browser) -> Iterator[Verifier]:
    with opened(browser) as verifier:
        verifier.page.evaluate(BRACKETED)
        yield verifier


def unmarked(texts: Iterator[str]) -> set[str]:
    """Texts with words that come from no table."""
    left = {bare(text).strip() for text in texts}
    return {text for text in left if not STORED.fullmatch(text)}


def spoken_in(answer: dict[str, Any]) -> Iterator[str]:
    """All texts of an answer that people read."""
    yield answer["headline"]
    for check in answer["checks"]:
        yield check["text"]
    for finding in answer["findings"]:
        yield from (finding[name] for name in ("text", "explain", "move", "expected", "recorded"))
    for _, *claims in answer.get("lacks") or []:
        yield from claims


EVERY = 4
"""One forgery in so many of each kind is judged."""


@pytest.mark.parametrize("title", sampled(CORPUS, "Sealed anew", "Receipts made up"))
def test_nothing_that_is_found_stays_english(pseudo: Verifier, title: str) -> None:
    left = {}
    for forgery in islice(CORPUS[title](), 0, None, EVERY):
        held = "".join(msgspec.json.encode(receipt).decode() + "\n" for receipt in forgery.held)
        answer = pseudo.verify(b"".join(forgery.lines), held or None)["said"]["de"]
        left |= dict.fromkeys(unmarked(spoken_in(answer)), forgery.kind)
        unquoted = [re.sub('"[^"]*"', "", text) for text in spoken_in(answer)]
        assert [text for text in unquoted if re.search(r"seats? \d", text)] == []  # but players
    assert left == {}


TEXTS = """() => {
  const texts = "h1, h2, h3, p:not(.languages), label, .chosen, summary, button, caption, th, td";
  const shown = [...document.querySelectorAll(`${texts}, li`)];
  const labels = document.querySelectorAll("[aria-label]:not([data-card])");
  const labelled = [...labels].map((part) => part.ariaLabel);
  const words = shown.filter((part) => !part.closest("noscript"));
  return [document.title, ...words.map((part) => part.textContent), ...labelled];
}"""


def beside(page: Page, place: str, name: str, content: bytes) -> None:
    page.set_input_files(place, {"name": name, "mimeType": "text/plain", "buffer": content})


def running() -> bytes:
    rows = stored("small")
    cut = max(i for i, row in enumerate(rows[:-20]) if b'"act":' in row)
    return b"".join(bundled(rows[:cut], viewer=0))


def refuted() -> bytes:
    made = tampered(bundle("small"), FORGERIES["another card drawn"], 0)
    assert made is not None
    return made


SHOWN = {
    "sound": lambda: bundle("small"),
    "signed": lambda: bundle("signed"),
    "board": lambda: bundle("board"),
    "broken off": lambda: bundle("voided"),
    "running": running,
    "refuted": refuted,
    "damaged": lambda: bundle("small")[:-400],
    "empty": lambda: b"",
    "no bundle": lambda: b"this is no bundle",
}


@looped("name", SHOWN)
def test_nothing_on_the_page_stays_english(pseudo: Verifier, name: str) -> None:
    checked(pseudo, SHOWN[name]())
    assert unmarked(iter(pseudo.page.evaluate(TEXTS))) == set()
    assert "⟦" in pseudo.page.inner_text("#status")


BESIDE = {
    "#policy": {
        "good": written(POLICY),
        "no table": "keys = 1\nkeys.a = 2",
        "no key": 'keys = ["?"]',
        "twice": 'origin = "a"\norigin = "b"',
        "other": "colour = 1",
        "end": 'origin = "a" b',
        "shape": "clock_skew = -1",
    },
    "#kept": {"none": "\n", "empty": "", "no receipt": "{}\n", "long": "x" * 5_000},
    "#sightings": {
        "none": "\n",
        "empty": "",
        "no proof": '{"first":1}\n',
        "note": '{"note":"a"}\n',
    },
}


@looped("place", BESIDE)
def test_nothing_about_what_is_given_beside_stays_english(browser: Browser, place: str) -> None:
    """The first file alone, and each of them beside a bundle."""
    first, *others = ((place, "a", content.encode()) for content in BESIDE[place].values())
    with opened(browser) as verifier:
        page = verifier.page
        page.evaluate(BRACKETED)
        for given in (first, ("#file", "b", bundle("signed")), *others):
            page.evaluate("document.getElementById('status').textContent = ''")
            beside(page, *given)
            page.locator("#status").filter(has_not_text=" ...").filter(has_text="⟦").wait_for()
            assert unmarked(iter(page.evaluate(TEXTS))) <= {"a", "b"}
            assert "undefined" not in "".join(page.evaluate(TEXTS))


# --- which language -----------------------------------------------------------------------------


@looped(
    ("locale", "address", "lang"),
    [
        ("en-US", "", "en"),
        ("de-CH", "", "de"),
        ("fr", "", "fr"),
        ("nl", "", "en"),
        ("de", "#lang=fr", "fr"),
        ("fr", "#lang=xx", "fr"),
    ],
)
def test_the_language_is_the_readers(
    browser: Browser, locale: str, address: str, lang: Language
) -> None:
    context = browser.new_context(locale=locale)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    with page_file() as file:
        page.goto(file.as_uri() + address)
        assert page.get_attribute("html", "lang") == lang
        assert page.inner_text("h1") == WORDS[lang]["page.title"] == page.title()
    context.close()


def test_the_language_is_switched_and_kept(browser: Browser) -> None:
    """The verdict that stands there changes with it, and is not computed again."""
    context = browser.new_context(locale="en")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    with page_file() as file:
        page.goto(file.as_uri())
        beside(page, "#file", "a", bundle("small"))
        page.wait_for_selector("#result:not([hidden])")
        page.evaluate(COUNTED)
        page.focus("#language")
        for lang in ("de", "fr", "en", "de"):
            page.select_option("#language", lang)
            page.locator(f"html[lang={lang}]").wait_for()
            assert page.inner_text("#verdict").startswith(WORDS[lang]["headline.sound"])
            assert page.evaluate("hashed") == 0
            assert page.evaluate("document.activeElement.id") == "language"
        page.reload()
        assert page.inner_text("h1") == WORDS["de"]["page.title"]
    context.close()


def test_numbers_and_times_are_the_languages(page: Verifier) -> None:
    say = "(lang) => [amount(12345.5), moment(1790000000123)].map((it) => spoken(it, lang))"
    assert page.ask(say, "en") == ["12,345.5", "Sep 21, 2026, 14:13:20.123 UTC"]
    assert page.ask(say, "de") == ["12.345,5", "21. Sept. 2026, 14:13:20,123 UTC"]
    assert page.ask(say, "fr") == ["12\u202f345,5", "21 sept. 2026, 14:13:20,123 UTC"]


def test_forms_by_the_languages_plural(page: Verifier) -> None:
    say = """(lang) => [0, 1, 2].map((count) =>
      spoken(phrase("number.cards", { count: amount(count) }), lang))"""
    assert page.ask(say, "de") == ["0 Karten", "1 Karte", "2 Karten"]
    assert page.ask(say, "fr") == ["0 carte", "1 carte", "2 cartes"]
    say = """(lang) => [0, 1, 2].map((count) => spoken(phrase("stock.left", { count }), lang))"""
    assert page.ask(say, "en")[1:] == [
        "1 card is left in the stock",
        "2 cards are left in the stock",
    ]
    assert page.ask(say, "fr")[0] == "il reste 0 carte dans la pioche"


def test_the_text_of_a_rule_is_that_of_the_sheets(browser: Browser) -> None:
    file = b"".join(next(CORPUS["Against the rules"]()).lines)
    with opened(browser) as verifier:
        (finding,) = verifier.verify(file)["findings"]
        text = rule_text(finding["rule"], "fr")
        assert text

        verifier.page.select_option("#language", "fr")
        checked(verifier, file)
        assert text in verifier.page.inner_text("#findings")


@looped("lang", LANGUAGES)
def test_all_that_a_policy_may_require_is_named(lang: Language) -> None:
    assert all(f'"{name}"' in WORDS[lang]["shape.require"] for name in get_args(Requirement))
