"""The answer to a look at a game: its view, or that the caller has it already."""

from uuid import UUID

from phaseledger.domain.words import Language
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.requests.etags import current_tags, is_known
from phaseledger.service.api.requests.headers import REVALIDATED
from phaseledger.service.api.responses.ready import ReadyAnswer
from phaseledger.service.games.game import Snapshot

_REVALIDATED = [(name.lower().encode(), value.encode()) for name, value in REVALIDATED.items()]


def view_reply(
    service: Service,
    game: UUID,
    now: Snapshot,
    viewer: int | None,
    lang: Language,
    if_none_match: str,
) -> ReadyAnswer:
    """The game as the viewer sees it; 304 without a body where that is among ``if_none_match``."""
    current = view_tags(service, game, now, viewer)
    headers = [*_REVALIDATED, (b"etag", current[0].encode())]
    if if_none_match and is_known(if_none_match, *current):
        return ReadyAnswer(304, headers, b"")
    body = service.games.encoded_views.encoded(now, viewer, service.settings.reveal_seconds, lang)
    headers += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    return ReadyAnswer(200, headers, body)


def view_tags(service: Service, game: UUID, now: Snapshot, seat: int | None) -> tuple[str, ...]:
    """The current tags of the game as the seat sees it, first the answer's."""
    head = now.chain.head
    return current_tags(now.version, seat, head, has_gone_back=service.has_gone_back)
