"""Every screen of the product, and what brings a page of a browser to it; what axe says of one.

A screen that is added to the product is added to `SCREENS`: it is then held to have no violation
that axe knows, to scroll sideways at no width, and to say nothing that is not translated.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from playwright.sync_api import Browser, Page, Route

from phaseledger.replay.evidence.verify.verifier_page import verifier_page
from phaseledger.replay.web.joiner import offline_page
from tests.support.browser import PATIENCE
from tests.support.node import node_modules
from tests.support.replay.bundle_lines import made
from tests.support.replay.bundle_variety import bundle
from tests.support.replay.html_outline import report
from tests.support.replay.report_pages import SHORT, refuted, refuted_report, study
from tests.support.replay.viewer_samples import FINDINGS, document
from tests.support.service.api_tables import BOT, PERSON
from tests.support.service.table_pages import SETTLED, Clicking, table_for

WIDTHS = (320, 390, 768, 1280)
EDGES = (WIDTHS[0], WIDTHS[-1])
Scheme = Literal["light", "dark", "forced"]
SCHEMES: tuple[Scheme, ...] = ("light", "dark", "forced")
_RUN = """async (rules) => (await axe.run(document, {resultTypes: ["violations"],
    ...(rules.length ? {runOnly: {type: "rule", values: rules}} : {})})).violations.map(
  (v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 5).join(", ")}`)"""
_OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules whose verdict depends on the scheme; the others are asked once for each width."""
_TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Site(NamedTuple):
    """Where screens come from: a service, and a folder for those that are files."""

    url: str
    folder: Path


class Screen(NamedTuple):
    """A screen: what brings a fresh page of a browser to it, and where it is looked at.

    Screens made of the parts of others are looked at at the narrowest and the widest; a page that
    is long and has what another one has, once.
    """

    show: Callable[[Page, Site], object]
    widths: Sequence[int] = EDGES
    schemes: Sequence[Scheme] = SCHEMES


@contextmanager
def fresh_page(
    browser: Browser, locale: str = "en-GB", *, has_axe: bool = True, scale: int = 1
) -> Iterator[Page]:
    """A page in a context of its own; `violations` needs axe at hand in whatever it opens."""
    context = browser.new_context(
        viewport={"width": WIDTHS[-1], "height": 800},
        device_scale_factor=scale,
        reduced_motion="reduce",
        locale=locale,
    )
    context.set_default_timeout(PATIENCE)
    if has_axe:
        context.add_init_script(path=node_modules() / "axe-core" / "axe.min.js")
    try:
        yield context.new_page()
    finally:
        context.close()  # or its stream holds the service up


def sideways(page: Page, widths: Sequence[int] = WIDTHS) -> dict[int, int]:
    """How many pixels the page scrolls sideways, at each width at which it does."""
    wrong = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        if (too_wide := page.evaluate(_TOO_WIDE)) > 0:
            wrong[width] = too_wide
    return wrong


def violations(
    page: Page,
    widths: Sequence[int] = WIDTHS,
    schemes: Sequence[Scheme] = SCHEMES,
    height: int = 800,
) -> dict[str, Any]:
    """What axe finds at each width and in each scheme."""
    wrong: dict[str, Any] = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": height})
        for scheme in schemes:
            page.emulate_media(
                color_scheme="dark" if scheme == "dark" else "light",
                forced_colors="active" if scheme == "forced" else "none",
                reduced_motion="reduce",
            )
            if broken := page.evaluate(_RUN, [] if scheme == schemes[0] else _OF_COLOURS):
                wrong[f"{width} {scheme}"] = broken
    return wrong


# --- the lobby and the tables -------------------------------------------------------------------


def at(path: str, ready: str, *presses: str, then: str = "") -> Callable[[Page, Site], None]:
    """An address, and what is pressed there."""

    def show(page: Page, site: Site) -> None:
        page.goto(f"{site.url}{path}")
        page.wait_for_selector(ready)
        for press in presses:
            page.click(press)
        if then:
            page.wait_for_selector(then)

    return show


def referee(page: Page, site: Site) -> None:
    at("/play/rules/express", ".palette .card")(page, site)
    page.select_option(".referee select >> nth=0", "4")
    for card in ("R5", "B5", "W"):
        page.click(f".palette [data-card={card}]")
    page.click(".referee .primary")
    page.wait_for_selector(".answer")


def limited(page: Page, site: Site) -> None:
    def refuse(route: Route) -> None:
        problem = {"type": "about:blank", "title": "Slow", "status": 429, "code": "rate_limited"}
        route.fulfill(status=429, headers={"Retry-After": "30"}, json=problem)

    page.route("**/v1/games?*", refuse)
    page.goto(f"{site.url}/play")
    page.wait_for_selector(".face.fault")


def away(page: Page, site: Site) -> None:
    page.route("**/v1/**", lambda route: route.abort())
    page.goto(f"{site.url}/play")
    page.wait_for_selector(".face.fault")


def waiting(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/play/new")
    page.select_option("[data-seat='1']", "person")
    page.click("button[type=submit]")
    page.wait_for_selector(".share svg.qr")


def seat_link(page: Page, site: Site) -> None:
    waiting(page, site)
    page.click(".share .quiet")
    page.wait_for_selector("dialog[open]")


def refused_code(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/play/join/7K2M-Q9XD")
    page.fill("form input >> nth=0", "Ada")
    page.click("button[type=submit]")
    page.wait_for_selector("p.fault")


def no_game(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/play/open")
    content = {"name": "1.b", "mimeType": "text/plain", "buffer": b"no game"}
    page.set_input_files("input[type=file]", content)
    page.wait_for_selector(".face.fault")


def sit(page: Page, site: Site, ruleset: str, seats: int, **options: Any) -> Clicking:
    table = table_for(site.url, ruleset, [PERSON, *[BOT] * (seats - 1)], options)
    page.goto(f"{site.url}/play/g/{table.game}#seat=0&token={table.tokens[0]}")
    person = Clicking(page)
    person.settle()
    return person


def played(ruleset: str, seats: int, steps: int) -> Callable[[Page, Site], None]:
    """A table after some decisions, with a card taken up and everything that can be done listed."""

    def show(page: Page, site: Site) -> None:
        person = sit(page, site, ruleset, seats)
        for _ in range(steps):
            if not person.step():
                break
        person.settle()
        if page.query_selector(".over") is None:
            page.click(".choices-list summary")
            page.click(".own .hand .card >> nth=0")

    return show


def sheet(*presses: str, width: int = WIDTHS[-1]) -> Callable[[Page, Site], None]:
    """A sheet over the table; some are opened only where there is little room."""

    def show(page: Page, site: Site) -> None:
        sit(page, site, "classic", 2)
        page.set_viewport_size({"width": width, "height": 800})
        for press in presses:
            page.click(press)
        page.wait_for_selector("dialog[open]")

    return show


def refused(page: Page, site: Site) -> None:
    """A phase that is not one, and a command that the service refuses."""
    person = sit(page, site, "classic", 2)
    person.step()
    for place in range(6):
        page.click(f".own .hand li:nth-child({place + 1}) .card")
    for _ in range(2):
        page.click(".slotgroup .caption >> nth=0")
    page.click(".own .hand .card >> nth=0")
    page.click(".slotgroup .caption >> nth=1")
    page.wait_for_selector(".verdict.open .rule, .verdict.open .sign")

    def refuse(route: Route) -> None:
        problem = {"type": "about:blank", "title": "No.", "status": 409, "code": "must_draw"}
        route.fulfill(status=409, json={**problem, "detail": "Draw a card first.", "rule": "C-14"})

    page.route("**/commands", refuse)
    page.click(".choices-list summary")
    page.click(".choices-list [data-command=discard]")
    if confirm := page.query_selector("[data-confirm]"):
        confirm.click()
    page.wait_for_selector(".refused-note")


def round_end(page: Page, site: Site) -> None:
    person = sit(page, site, "classic", 2, max_turns_per_round=4)
    while not page.query_selector("dialog[open] .scores"):
        page.wait_for_function(SETTLED)
        if not page.query_selector("dialog[open]"):
            person.step()


def over(page: Page, site: Site) -> None:
    sit(page, site, "classic", 2, variant="n_phases(1)", max_turns_per_round=9).play()


def hint(page: Page, site: Site) -> None:
    person = sit(page, site, "classic", 3)
    person.step()
    page.click(".ask-hint")
    page.wait_for_selector(".hint tbody tr")


def luck(page: Page, site: Site) -> None:
    over(page, site)
    page.click(".explained button")
    page.wait_for_selector(".account .rows")


def looked_back(screen: str, ready: str = ".player") -> Callable[[Page, Site], None]:
    def show(page: Page, site: Site) -> None:
        over(page, site)
        page.goto(f"{page.url}/{screen}")
        page.wait_for_selector(ready)

    return show


# --- what is a file -----------------------------------------------------------------------------


def viewer(name: str, address: str, *presses: str, **more: Any) -> Callable[[Page, Site], None]:
    """The viewer in one file, at some event of a golden game."""

    def show(page: Page, site: Site) -> None:
        file = site.folder / "game.html"
        file.write_text(offline_page(msgspec.json.encode({**document(name), **more}), name))
        page.goto(file.as_uri() + address)
        page.wait_for_selector(".board, [role=alert]")
        for press in presses:
            page.keyboard.press(press)

    return show


def written(text: Callable[[], str]) -> Callable[[Page, Site], None]:
    def show(page: Page, site: Site) -> None:
        file = site.folder / "report.html"
        file.write_text(text(), encoding="utf-8")
        page.goto(file.as_uri())

    return show


def disputed(page: Page, site: Site) -> None:
    """A file that somebody has brought to the service, with findings."""
    page.goto(f"{site.url}/play/open")
    content = {"name": "1.bundle", "mimeType": "text/plain", "buffer": b"".join(refuted())}
    page.set_input_files("input[type=file]", content)
    page.wait_for_selector(".dispute .side")


def verifier(content: Callable[[], bytes] | None, lang: str = "") -> Callable[[Page, Site], None]:
    """The verifier's page, with a file that it has judged, perhaps in another language."""

    def show(page: Page, site: Site) -> None:
        (file := site.folder / "verifier.html").write_bytes(verifier_page())
        page.goto(f"{file.as_uri()}#lang={lang}")
        if content is None:
            page.click("summary")
            return
        given = {"name": "a", "mimeType": "text/plain", "buffer": content()}
        page.set_input_files("#file", given)
        page.wait_for_selector("#result:not([hidden])")

    return show


PLAY: dict[str, Screen] = {
    "lobby": Screen(at("/play", ".tables, .face"), WIDTHS),
    "lobby limited": Screen(limited),
    "lobby away": Screen(away),
    "new": Screen(at("/play/new", "details >> nth=1", "summary >> nth=0", "summary >> nth=1")),
    "how to play": Screen(at("/play/rules/board", ".palette .card", "summary >> nth=1"), WIDTHS),
    "referee": Screen(referee),
    "join": Screen(at("/play/join/7K2M-Q9XD", "form.panel")),
    "join refused": Screen(refused_code),
    "nowhere": Screen(at("/play/nowhere", "main h1")),
    "offline": Screen(at("/play/offline.html", "main h1")),
    "no game": Screen(at("/play/g/00000000-0000-8000-8000-000000000000", ".face.fault")),
    "my games": Screen(at("/play/games", "main h1")),
    "players": Screen(at("/play/players", "main h1, .face")),
    "waiting room": Screen(waiting),
    "seat link": Screen(seat_link),
    "classic": Screen(played("classic", 4, 5), WIDTHS),
    "standard-deck": Screen(played("standard-deck", 3, 5)),
    "express": Screen(played("express", 6, 5)),
    "board": Screen(played("board", 3, 7), WIDTHS),
    "refused": Screen(refused),
    "rules": Screen(sheet(".bar nav button:not(.narrow, .quiet)")),
    "rule": Screen(sheet(".draft-head .rule")),
    "phases": Screen(sheet(".draft-head button.quiet")),
    "keys": Screen(sheet(".bar button[aria-label]")),
    "log": Screen(sheet(".bar button.narrow", width=390), (320, 768)),
    "round end": Screen(round_end),
    "over": Screen(over),
    "hint": Screen(hint),
    "luck": Screen(luck),
    "menu": Screen(sheet(".bar [data-menu]", ".menu summary >> nth=0")),
    "scores": Screen(looked_back("scores", ".rounds")),
    "open": Screen(at("/play/open", "input[type=file]")),
    "open refused": Screen(no_game),
    "replay": Screen(looked_back("replay")),
}
FILES: dict[str, Screen] = {
    "record judged": Screen(looked_back("dispute")),
    "open disputed": Screen(disputed, WIDTHS),
    "viewer, cards": Screen(viewer("express-4-n-phases", "#event=200&seat=0")),
    "viewer, standard deck": Screen(viewer("standard-deck-4-ten-rounds-free", "#event=90")),
    "viewer, board": Screen(viewer("board-4", "#event=200&seat=spectator")),
    "viewer, keys": Screen(viewer("express-3", "", "?")),
    "viewer, fault": Screen(viewer("express-3", "", viewer="p10-viewer/v9")),
    "dispute": Screen(viewer("classic-3-twist", "", findings=FINDINGS), WIDTHS),
    "report": Screen(written(lambda: report(made(SHORT).lines)), WIDTHS),
    "report, refuted": Screen(written(refuted_report), WIDTHS),
    "report, German": Screen(written(partial(refuted_report, "de"))),
    "report, French": Screen(written(partial(refuted_report, "fr"))),
    "study": Screen(written(study)),
    "study, German": Screen(written(partial(study, "de"))),
    "study, French": Screen(written(partial(study, "fr"))),
    "verifier": Screen(verifier(None)),
    "verifier, sound": Screen(verifier(lambda: bundle("small")), WIDTHS),
    "verifier, refuted": Screen(
        verifier(lambda: bundle("small").replace(b'"seats":2', b'"seats":3', 1)), WIDTHS
    ),
    "verifier in German": Screen(verifier(lambda: bundle("signed"), "de")),
    "verifier in French": Screen(verifier(lambda: bundle("small")[:-9], "fr")),
}
TEXT: dict[str, Screen] = {
    **{path: Screen(at(path, "h1")) for path in ("/docs", "/problems", "/problems/must_draw")},
    "/docs/joins": Screen(at("/docs/joins", "h1"), WIDTHS),
    "/docs/games": Screen(at("/docs/games", "h1"), (320,), ("light",)),
    "/docs/schemas": Screen(at("/docs/schemas", "h1"), (320,), ("light",)),
}
SCREENS = {**PLAY, **FILES, **TEXT}
