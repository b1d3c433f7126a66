"""The pages below `/play`: one document for every address, its script and its style.

What a page shows is asked for over the API by its script; no token is in any address.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, get_args

from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from phaseledger.domain.words import LANGUAGES, Phrase
from phaseledger.service.api.dependencies import Injected, Service
from phaseledger.service.api.errors import NotFound
from phaseledger.service.api.problems.details import answer
from phaseledger.service.api.requests.headers import IfNoneMatch
from phaseledger.service.api.requests.parameters import HTML, AnyRequest, prefers_html
from phaseledger.service.api.requests.root_path import root_of
from phaseledger.service.api.responses.assets import sent
from phaseledger.service.settings import embedders
from phaseledger.service.web.assets import (
    Asset,
    Part,
    element,
    file,
    later,
    offline,
    offline_policy,
    page_policy,
    program,
    service_worker,
    shell,
    style,
    words,
)

_PARTS: tuple[Part, ...] = get_args(Part)
_FILES: dict[str, tuple[Callable[[], Asset], str]] = {
    **{f"{part}.js": (partial(program, part), "text/javascript") for part in _PARTS},
    **{f"{part}.later.js": (partial(later, part), "text/javascript") for part in _PARTS},
    **{f"{part}.css": (partial(style, part), "text/css") for part in _PARTS},
    **{f"words.{lang}.json": (partial(words, lang), "application/json") for lang in LANGUAGES},
    "element.js": (element, "text/javascript"),
    "manifest.json": (partial(file, "manifest.json"), "application/manifest+json"),
    "icon.svg": (partial(file, "icon.svg"), "image/svg+xml"),
    "icon.png": (partial(file, "icon.png"), "image/png"),
}
_ROOTED: dict[str, tuple[Callable[[str], Asset], str]] = {
    "sw.js": (service_worker, "text/javascript"),
    "offline.html": (offline, HTML),
}
"""What differs by the path below which a proxy serves the pages."""
_LOBBY_SCREENS = ("new", "open", "games", "players", "signed-in")
_GAME_SCREENS: dict[str, Part] = {
    "replay": "replay",
    "dispute": "replay",
    "scores": "lobby",
    "rules": "rules",
}

Digest = Annotated[str, QueryParameter(max_length=64)]


@get("/")
async def get_front(request: AnyRequest, service: Injected[Service]) -> Redirect:
    """The tables for a browser that has the service's address alone; else the API reference."""
    target = "/play" if service.settings.web and prefers_html(request) else "/docs"
    return Redirect(target, headers={"Vary": "Accept"})


@get(["/play", "/play/join/{code:str}"])
async def get_lobby(
    request: AnyRequest, service: Injected[Service], if_none_match: IfNoneMatch = ""
) -> Response[Any]:
    """The lobby, or the page where a player sits down with a code."""
    return _page(request, service, if_none_match, "lobby")


@get("/play/g/{game:str}")
async def get_table(
    request: AnyRequest, service: Injected[Service], if_none_match: IfNoneMatch = ""
) -> Response[Any]:
    """The page of a table."""
    return _page(request, service, if_none_match, "table")


@get("/play/embed/{game:str}")
async def get_embedded_table(
    request: AnyRequest, service: Injected[Service], if_none_match: IfNoneMatch = ""
) -> Response[Any]:
    """The table alone, for a frame in a page of one of the operator's `embedders`."""
    origins = " ".join(embedders(service.settings))
    return _page(request, service, if_none_match, "table", exists=bool(origins), origins=origins)


@get("/play/{screen:str}")
async def get_lobby_screen(
    request: AnyRequest,
    service: Injected[Service],
    screen: FromPath[str],
    v: Digest = "",
    if_none_match: IfNoneMatch = "",
) -> Response[Any]:
    """Another page of the lobby, or what all pages load.

    A script that is loaded later fits no other script than the one that names its hash.
    """
    if screen in _ROOTED:
        return _rooted(request, service, screen, v, if_none_match)
    if screen not in _FILES:
        part: Part = "replay" if screen == "open" else "lobby"
        return _page(request, service, if_none_match, part, exists=screen in _LOBBY_SCREENS)
    _require_on(service)
    make, media_type = _FILES[screen]
    is_named = v == make().digest
    if screen.endswith(".later.js") and not is_named:
        raise NotFound(Phrase("adds.other_script"))
    policy = page_policy()
    return sent(request, make(), media_type, if_none_match, policy, is_named=is_named)


@get("/play/g/{game:str}/{screen:str}")
async def get_game_screen(
    request: AnyRequest,
    service: Injected[Service],
    game: FromPath[str],
    screen: FromPath[str],
    if_none_match: IfNoneMatch = "",
) -> Response[Any]:
    """Another page of a game."""
    part = _GAME_SCREENS.get(screen, "lobby")
    return _page(request, service, if_none_match, part, exists=screen in _GAME_SCREENS)


@get("/play/rules/{name:str}")
async def get_rules(
    request: AnyRequest, service: Injected[Service], if_none_match: IfNoneMatch = ""
) -> Response[Any]:
    """The rules of a game, for people."""
    return _page(request, service, if_none_match, "rules")


def _require_on(service: Service) -> None:
    if not service.settings.web:
        raise NotFound(Phrase("adds.pages_off"))


def _page(
    request: AnyRequest,
    service: Service,
    if_none_match: str,
    part: Part,
    *,
    exists: bool = True,
    origins: str = "",
) -> Response[Any]:
    """The document of some pages, which reads off its address what to show.

    Where there is no such page, the document says that itself.
    """
    _require_on(service)
    opens = service.settings.opens_to_everyone and not origins
    openers = "everyone" if opens else "applications"
    sign_in = "on" if service.parts.sign_in and not origins else ""
    document = shell(part, root_of(request.scope), openers, origins, sign_in)
    etag = if_none_match if exists else ""
    page = sent(request, document, HTML, etag, page_policy(origins))
    if not exists:
        page.status_code = 404
    return page


def _rooted(
    request: AnyRequest, service: Service, name: str, v: str, if_none_match: str
) -> Response[Any]:
    """The service worker, which may act for all pages, or the page that it keeps."""
    _require_on(service)
    make, media_type = _ROOTED[name]
    root = root_of(request.scope)
    content = make(root)
    is_named = v == content.digest
    policy = page_policy() if name == "sw.js" else offline_policy()
    answer = sent(request, content, media_type, if_none_match, policy, is_named=is_named)
    if name == "sw.js":
        answer.headers["Service-Worker-Allowed"] = f"{root}/play"
    return answer


def lost(request: AnyRequest, error: NotFoundException) -> Response[Any]:
    """The answer where no route leads: a page for a browser, a problem for a program."""
    service = request.app.state["service"]
    of_the_api = request.scope["path"].startswith("/v1/")
    if of_the_api or not service.settings.web or not prefers_html(request):
        return answer(request, error)
    page = _page(request, service, "", "lobby", exists=False)
    page.headers["Vary"] = "Accept, Accept-Encoding"
    return page


HANDLERS: list[Any] = [
    get_front,
    get_lobby,
    get_table,
    get_embedded_table,
    get_lobby_screen,
    get_game_screen,
    get_rules,
]
