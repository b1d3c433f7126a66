"""The pages of the reference: the overview, one for each tag, and the schemas."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from phaseledger.replay.pages.page import Html, bar, document, element, text
from phaseledger.replay.web.joiner import styles
from phaseledger.service.api.reference.operation_markup import operation, signature
from phaseledger.service.api.reference.schema_markup import SCHEMAS, coded, component, prose
from phaseledger.service.web.guide import is_built

STYLE = styles("search.css", "reference.css")
GUIDE = "/docs/guide/"
LINKS = (
    *(("/play", "Play"), ("/docs/guide/index.html", "Guides"), ("/docs", "API")),
    *((SCHEMAS, "Schemas"), ("/problems", "Problems")),
)
"""The pages that each page of the service leads to."""


Call = tuple[str, str, Mapping[str, Any]]
"""An operation: its method, its path, and what the document says of it."""


def reference_pages(description: Mapping[str, Any]) -> dict[str, str]:
    """The pages by their names: ``""`` the overview, each tag, and ``schemas``."""
    by_tag: dict[str, list[Call]] = {}
    for path, item in description["paths"].items():
        for method, declared in item.items():
            by_tag.setdefault(declared["tags"][0], []).append((method, path, declared))
    tags = {tag["name"]: tag["description"] for tag in description["tags"]}
    pages = {"": _overview(description, tags, by_tag)}
    for tag, words in tags.items():
        names = [declared["operationId"] for _, _, declared in by_tag[tag]]
        sections = [operation(*call, description) for call in by_tag[tag]]
        pages[tag] = _page(tag, f"/docs/{tag}", words, names, sections)
    shapes = description["components"]["schemas"]
    sections = [component(name, schema) for name, schema in shapes.items()]
    words = "What requests and answers hold, by name."
    pages["schemas"] = _page("Schemas", SCHEMAS, words, shapes, sections)
    return pages


def _page(
    title: str, address: str, words: str, names: Iterable[str], sections: Iterable[object]
) -> str:
    """A page of sections, with links to each of them by their names."""
    links = (element("li", element("a", name, attributes=f'href="#{name}"')) for name in names)
    contents = element("ul", *links, attributes='class="contents"')
    return _document(
        f"{title}: the API of phaseledger",
        address,
        element("h1", title),
        element("p", coded(words), attributes='class="lead"'),
        element("nav", contents, attributes='aria-label="On this page"'),
        *sections,
    )


def _document(title: str, address: str, *content: object) -> str:
    above = Html(bar(links(), here=address, home="/") + search_field("Search the documents"))
    return document(title, *content, more_style=STYLE, above=above, form="'self'")


def links() -> list[tuple[str, str]]:
    """The links of this installation, which may have no guides."""
    return [(to, words) for to, words in LINKS if is_built() or not to.startswith(GUIDE)]


def search_field(label: str) -> Html:
    """The field that searches guides, operations and problems; empty where there are no guides."""
    if not is_built():
        return Html("")
    field = f'type="search" name="q" placeholder="{text(label)}" aria-label="{text(label)}"'
    form = element("form", Html(f"<input {field}>"), attributes=f'action="{GUIDE}search.html"')
    return element("search", form)


def _overview(
    description: Mapping[str, Any],
    tags: Mapping[str, str],
    by_tag: Mapping[str, list[Call]],
) -> str:
    info = description["info"]
    by_size = sorted(by_tag.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    first, _, rest = str(info["description"]).partition("\n\n")
    source = Html(
        f"Version {info['version']}. All of it for programs: "
        '<a href="/v1/openapi.json">openapi.json</a>, of which clients can be generated.'
    )
    parts = [
        element("h1", "The API"),
        element("p", coded(first), attributes='class="lead"'),
        element("p", source),
        *(_tag(tag, tags[tag], calls) for tag, calls in by_size),
        *_webhooks(description),
        element("h2", "Every request"),
        prose(rest),
        element("h2", "Tokens"),
        *_tokens(description),
    ]
    return _document("The API of phaseledger", "/docs", *parts)


def _tag(tag: str, words: str, calls: list[Call]) -> Html:
    link = element("a", tag, attributes=f'href="/docs/{tag}"')
    items = []
    for method, path, declared in calls:
        address = f'href="/docs/{tag}#{declared["operationId"]}"'
        call = element("a", signature(method, path), attributes=address)
        items.append(element("li", call, element("span", coded(declared["summary"]))))
    listed = element("ul", *items, attributes='class="calls"')
    heading = element("h2", link, attributes=f'id="{tag}"')
    words_line = element("p", coded(words), attributes='class="soft"')
    return element(
        "section", heading, words_line, listed, attributes=f'class="sheet" aria-labelledby="{tag}"'
    )


def _webhooks(description: Mapping[str, Any]) -> Iterator[Html]:
    for name, item in description["x-webhooks"].items():
        declared = item["post"]
        yield element("h2", "What the service sends itself")
        call = operation("post", f"webhook: {name}", declared, description)
        yield call


def _tokens(description: Mapping[str, Any]) -> Iterator[Html]:
    for name, scheme in description["components"]["securitySchemes"].items():
        yield element("p", element("strong", name), ": ", coded(scheme["description"]))
