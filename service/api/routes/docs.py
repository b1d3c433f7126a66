"""Routes of the documentation: the API reference, and the problem pages.

The reference is Swagger UI out of this package: it asks nobody but this service for anything.
"""

from pathlib import Path
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter
from litestar.response import Redirect

from phaseledger.service.api.auth import AnyRequest
from phaseledger.service.api.errors import NoSuchProblem, NotFound
from phaseledger.service.api.openapi.document import route_description
from phaseledger.service.api.problem_pages import (
    POLICY,
    ProblemPage,
    Problems,
    as_html,
    index_as_html,
    page,
    problem_lines,
)

HTML = "text/html"
STATIC = Path(__file__).parents[1] / "static"
FILES = {
    "swagger-ui.css": "text/css; charset=utf-8",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "docs.js": "text/javascript; charset=utf-8",
}
"""The reference's static files, with their media types."""
REFERENCE = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The reference's Content-Security-Policy: its own origin. (Swagger UI writes style attributes.)"""
PLAIN = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}


def _prefers_html(request: AnyRequest) -> bool:
    """Whether the request's Accept header prefers HTML to JSON, as browsers' do."""
    return request.accept.best_match(["application/json", HTML]) == HTML


def _negotiated(request: AnyRequest, content: Any, html: str) -> Response[Any]:  # noqa: ANN401
    headers = {**PLAIN, "Vary": "Accept"}
    if not _prefers_html(request):
        return Response(content, headers=headers)
    return Response(html, media_type=HTML, headers={**headers, "Content-Security-Policy": POLICY})


@get("/problems", **route_description("listProblems", also={HTML: str}))
async def list_problems(request: AnyRequest) -> Response[Problems]:
    """Every code that a refusal may have; as HTML for browsers."""
    problems = problem_lines()
    return _negotiated(request, problems, index_as_html(problems))


@get(
    "/problems/{code:str}",
    **route_description("getProblem", raises=(NoSuchProblem,), also={HTML: str}),
)
async def get_problem(
    request: AnyRequest,
    code: Annotated[str, PathParameter(description="The code, as in a problem's `type`.")],
) -> Response[ProblemPage]:
    """What a refusal means: its cause, its cure, and the rule behind it; as HTML for browsers."""
    problem = page(code)
    if problem is None:
        raise NoSuchProblem
    return _negotiated(request, problem, as_html(problem))


@get("/")
async def get_front() -> Redirect:
    """The API reference, for whoever comes with the service's address alone."""
    return Redirect("/docs")


@get("/docs")
async def get_reference() -> Response[bytes]:
    """The API reference."""
    return _file("docs.html", HTML)


@get("/docs/{name:str}")
async def get_reference_file(
    name: Annotated[str, PathParameter(description="One of its files.")],
) -> Response[bytes]:
    """A file that the reference loads."""
    if name not in FILES:
        raise NotFound
    return _file(name, FILES[name])


def _file(name: str, media_type: str) -> Response[bytes]:
    headers = {**PLAIN, "Content-Security-Policy": REFERENCE}
    return Response((STATIC / name).read_bytes(), media_type=media_type, headers=headers)


HANDLERS: list[Any] = [list_problems, get_problem, get_front, get_reference, get_reference_file]
