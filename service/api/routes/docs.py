"""Routes of the documentation: the API reference, the problem pages, and the site of the documents.

Reference and problems are pages out of this process that load nothing.
"""

import asyncio
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath, PathParameter
from litestar.response import Redirect

from phaseledger.domain.words import Language, Phrase
from phaseledger.replay.pages.page import policy_of
from phaseledger.service.api.errors import NoSuchProblem, NotFound
from phaseledger.service.api.openapi.document import describe, route_description
from phaseledger.service.api.reference.pages import reference_pages
from phaseledger.service.api.reference.problem_pages import (
    ProblemList,
    ProblemPage,
    as_html,
    index_as_html,
    page,
    problem_lines,
)
from phaseledger.service.api.requests.headers import IfNoneMatch
from phaseledger.service.api.requests.languages import VARY, Lang, language
from phaseledger.service.api.requests.parameters import HTML, AnyRequest, prefers_html
from phaseledger.service.api.requests.root_path import root_of
from phaseledger.service.api.responses.assets import sent
from phaseledger.service.web.assets import Asset, asset
from phaseledger.service.web.guide import FRONT, SiteFile, site_file

PAGES = "reference"
"""Where the application keeps the pages of the reference."""
PLAIN = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}


def _negotiated(
    request: AnyRequest,
    content: Any,  # noqa: ANN401 - either page
    html: str,
    lang: Language,
) -> Response[Any]:
    headers = {**PLAIN, "Vary": f"Accept, {VARY}", "Content-Language": lang}
    if prefers_html(request):
        return _page(request, html, headers)
    root = root_of(request.scope)
    body = msgspec.json.encode(content).replace(b'"/problems/', f'"{root}/problems/'.encode())
    return Response(body, media_type=MediaType.JSON, headers=headers)


def _page(request: AnyRequest, html: str, headers: Mapping[str, str]) -> Response[str]:
    """The page, with its links below the path at which a proxy serves it."""
    root = root_of(request.scope)
    html = html.replace('href="/', f'href="{root}/').replace('action="/', f'action="{root}/')
    policy = {"Content-Security-Policy": f"{policy_of(html)}; frame-ancestors 'none'"}
    return Response(html, media_type=HTML, headers={**headers, **policy})


@get("/problems", **route_description("listProblems", also={HTML: str}))
async def list_problems(request: AnyRequest, lang: Lang = "") -> Response[ProblemList]:
    """Every code that a refusal may have; as HTML for browsers."""
    spoken = language(request, lang)
    problems = problem_lines(spoken)
    html = index_as_html(problems, spoken, chosen=bool(lang))
    return _negotiated(request, problems, html, spoken)


@get(
    "/problems/{code:str}",
    **route_description("getProblem", raises=(NoSuchProblem,), also={HTML: str}),
)
async def get_problem(
    request: AnyRequest,
    code: Annotated[str, PathParameter(description="The code, as in a problem's `type`.")],
    lang: Lang = "",
) -> Response[ProblemPage]:
    """What a refusal means: its cause, its cure, and the rule behind it; as HTML for browsers."""
    spoken = language(request, lang)
    problem = page(code, spoken)
    if problem is None:
        raise NoSuchProblem
    return _negotiated(request, problem, as_html(problem, spoken, chosen=bool(lang)), spoken)


@get("/docs/guide")
async def get_front_of_guide() -> Redirect:
    """The site's first page."""
    return Redirect(f"/docs/guide/{FRONT}")


@get("/docs/guide/{path:path}")
async def get_guide(
    request: AnyRequest, path: FromPath[str], if_none_match: IfNoneMatch = ""
) -> Response[Any]:
    """A file of the site."""
    compressed = await asyncio.to_thread(_compressed, path.lstrip("/"))
    if compressed is None:
        raise NotFound(Phrase("adds.no_guide"))
    content, file = compressed
    return sent(request, content, file.media_type, if_none_match, file.policy)


@cache
def _compressed(name: str) -> tuple[Asset, SiteFile] | None:
    """A file of the site, compressed once for all who ask."""
    file = site_file(name)
    return (asset(file.content), file) if file else None


@get("/docs")
async def get_reference(request: AnyRequest) -> Response[str]:
    """The API reference: all operations."""
    return await _reference(request, "")


@get("/docs/{name:str}")
async def get_reference_page(
    request: AnyRequest,
    name: Annotated[str, PathParameter(description="A tag of operations, or `schemas`.")],
) -> Response[str]:
    """A page of the reference: the operations of a tag, or the schemas."""
    return await _reference(request, name)


async def _reference(request: AnyRequest, name: str) -> Response[str]:
    app = request.app
    pages: Mapping[str, str] | None = app.state.get(PAGES)
    if pages is None:  # made once, for the first who asks, beside the loop
        pages = app.state[PAGES] = await asyncio.to_thread(lambda: reference_pages(describe(app)))
    if name not in pages:
        raise NotFound
    return _page(request, pages[name], PLAIN)


HANDLERS: list[Any] = [
    *(list_problems, get_problem, get_reference, get_reference_page),
    *(get_front_of_guide, get_guide),
]
