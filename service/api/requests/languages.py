"""The language of an answer: what the query names, else what `Accept-Language` prefers."""

from typing import Annotated, TypeGuard

from litestar.params import QueryParameter

from phaseledger.domain.words import LANGUAGES, Language
from phaseledger.service.api.requests.parameters import AnyRequest

Lang = Annotated[
    str,
    QueryParameter(
        max_length=35,
        description="The language of what is said: `en`, `de` or `fr`, and English for any other. "
        "Goes before `Accept-Language`.",
    ),
]
VARY = "Accept-Language"


def language(request: AnyRequest, lang: str) -> Language:
    """The language to answer in; ``lang`` is the query's, empty where it names none."""
    if lang:
        return in_language(lang)
    wanted = [
        _preference(element) for element in request.headers.get("accept-language", "").split(",")
    ]
    # The sort is stable: of languages that are liked as much, the first is taken.
    for tag, _ in sorted(wanted, key=lambda preference: -preference[1]):
        if _is_spoken(tag):
            return tag
    return "en"


def in_language(lang: str) -> Language:
    """The language of a tag, such as ``de-AT``; English where it is not spoken here."""
    primary = _primary(lang)
    return primary if _is_spoken(primary) else "en"


def _preference(element: str) -> tuple[str, float]:
    """The language of an element of the header, and its weight (RFC 9110, 12.5.4)."""
    tag, _, weight = element.partition(";")
    try:
        quality = float(weight.strip().removeprefix("q=")) if weight else 1.0
    except ValueError:
        quality = 0.0
    return (_primary(tag) if quality > 0 else "", quality)


def _primary(tag: str) -> str:
    return tag.strip().lower().partition("-")[0]


def _is_spoken(tag: str) -> TypeGuard[Language]:
    return tag in LANGUAGES
