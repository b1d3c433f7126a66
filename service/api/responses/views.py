"""The answer to a look at a game: its view, or that the caller has it already."""

from uuid import UUID

from phaseledger.domain.words import Language
from phaseledger.service.api.dependencies import Service
from phaseledger.service.api.requests.etags import current_tags, is_known
from phaseledger.service.api.requests.headers import REVALIDATED
from phaseledger.service.api.responses.ready import ReadyAnswer, json_answer, lines_of
from phaseledger.service.games.game import Snapshot
from phaseledger.service.games.view import encoded_view


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
    if if_none_match and is_known(if_none_match, *current):
        return tagged(current[0], None)
    return tagged(current[0], encoded_view(now, viewer, service.settings.reveal_seconds, lang))


def tagged(tag: str, body: bytes | None) -> ReadyAnswer:
    """The JSON of what has that tag; 304 where ``body`` is None: the client has it."""
    headers = lines_of({**REVALIDATED, "ETag": tag})
    return ReadyAnswer(304, headers) if body is None else json_answer(headers, body)


def view_tags(service: Service, game: UUID, now: Snapshot, seat: int | None) -> tuple[str, ...]:
    """The current tags of the game as the seat sees it, first the answer's."""
    head = now.chain.head
    return current_tags(now.version, seat, head, has_gone_back=service.has_gone_back)
