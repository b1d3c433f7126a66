"""What the description says beside the routes: of itself, of headers, and of who may call."""

from typing import Any

API_VERSION = "1.0.0"
ABOUT = """An event-sourced game service for the Phase 10 family.

Every refusal is an RFC 9457 problem with a stable `code`; its `type` is the address of a page \
with cause and cure. `errors` says which part of a request is at fault: a body's by its JSONPath \
(RFC 9535).

Every answer has an `X-Request-Id`: the request's own, where that is 1 to 128 of the characters \
`A-Z a-z 0-9 . _ -`, else a new UUID. The server's log has it in every line about the request.

A request has at most 16 KiB of address, 32 KiB of headers and 64 KiB of body (414, 431, 413). \
What is no HTTP, a longer address than 64 KiB, and more than 99 headers or a megabyte of them are \
refused by the server below, with 400, 414 or 431, no body and no `X-Request-Id`; it then closes \
the connection.

Pages of other origins may call the API where the operator has allowed theirs (CORS), and read all \
headers that are described here.

Where the operator has set limits, every answer tells what is left of them, in the `RateLimit` and \
`RateLimit-Policy` fields of draft-ietf-httpapi-ratelimit-headers-10. Requests are counted, and \
the work that they were: of the server's event loop, threads and database, and what was sent. \
Work is charged afterwards, and told of only where it is why a request is refused (`token-work` \
or `address-work`, in milliseconds).
"""
TAGS = {
    "application": "The program that shows its key.",
    "exports": "Many games at once.",
    "games": "Open a table, sit down, start, play, and watch.",
    "health": "Whether the process and what it stands on are well.",
    "leaderboard": "Players over all games.",
    "log": "The public log of all games: what the operator has signed, and proofs about it.",
    "joins": "Sitting down at private tables, by their codes.",
    "names": "The names behind pseudonyms.",
    "notices": "What tells people who are away that a table waits for them.",
    "players": "An application's users, their games, and how they fared.",
    "problems": "What every refusal means, and what to do about it.",
    "ratings": "Players by their strength in one game.",
    "replays": "Games out of files that you have.",
    "sign-in": "Players who sign in by the operator's issuer.",
    "rules": "The texts of rules, by their IDs.",
    "rulesets": "What the rules are, and what they say of cards.",
}
"""Operations are tagged by the first segment of their path."""

PARAMETERS = {
    "device": "An id of your own for the browser, such as a random UUID.",
    "format": "What is told of each game: all of its events.",
    "game": "The game's id.",
    "hook": "The webhook's id.",
    "limit": "How many entries a page has at most.",
    "name": "A rule set's name, or its full id, such as `classic@1`.",
    "stage": "How far the game is; `any` for all.",
}
"""What parameters are that say nothing of themselves."""

HEADERS: dict[str, tuple[dict[str, Any], str]] = {
    "ETag": (
        {"type": "string"},
        (
            "The version of what is sent: a game's number of events. Where the ledger has ever "
            "gone back, `-` and the first 16 digits of the `head` follow in answers to reads."
        ),
    ),
    "Idempotent-Replayed": (
        {"type": "string", "const": "true"},
        "Only where an earlier request with the same Idempotency-Key was carried out.",
    ),
    "Content-Disposition": ({"type": "string"}, "The name of the file."),
    "Link": (
        {"type": "string"},
        "Where the next page is, if there is one, and the first: RFC 8288, `next` and `first`.",
    ),
    "Location": ({"type": "string"}, "Where the new resource is."),
    "RateLimit": (
        {"type": "string"},
        'What the limits leave, such as `"token-reads";r=199;t=1`: `r` now, all again in `t` s.',
    ),
    "RateLimit-Policy": (
        {"type": "string"},
        'The limits, such as `"token-reads";q=1000;w=5`: `q` at once, refilled in `w` seconds.',
    ),
    "Retry-After": ({"type": "integer", "format": "int64"}, "Seconds to wait before another try."),
    "WWW-Authenticate": ({"type": "string"}, "The scheme to use, after RFC 6750."),
    "Allow": ({"type": "string"}, "The methods there are."),
}
OF_STATUS = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
    503: ("Retry-After",),
}

_SIGNED = {
    "webhook-id": "The message's id: the same, however often it is sent.",
    "webhook-timestamp": "When it is sent, in seconds since 1970.",
    "webhook-signature": "`v1,` and the HMAC-SHA-256 of id, timestamp and body, by the secret.",
}
WEBHOOKS: dict[str, Any] = {
    "message": {
        "post": {
            "operationId": "takeMessage",
            "summary": "What is sent to a webhook, after standardwebhooks.com.",
            "parameters": [
                {
                    "name": name,
                    "in": "header",
                    "required": True,
                    "schema": {"type": "string"},
                    "description": description,
                }
                for name, description in _SIGNED.items()
            ],
            "requestBody": {
                "required": True,
                "content": {
                    "application/json": {
                        "schema": {"$ref": "#/components/schemas/Message"},
                        "examples": {
                            "somebody is asked": {
                                "value": {
                                    "type": "turn.asked",
                                    "timestamp": "2026-01-05T18:30:00.125Z",
                                    "data": {
                                        "game": "0198c2f0-7a51-7c3e-9d52-6f1e0b7a4c11",
                                        "version": 41,
                                        "seat": 1,
                                        "kind": "draw",
                                    },
                                }
                            }
                        },
                    }
                },
            },
            "responses": {
                "2XX": {"description": "The message is taken."},
                "410": {"description": "No more of them are wanted."},
                "default": {"description": "It is tried again later."},
            },
        }
    }
}
"""What the service itself sends; under `x-webhooks`, as Redoc reads it.

In the `webhooks` of OpenAPI 3.1, openapi-generator sees one more operation of the API, whose class
then replaces the class of all operations with the same tag.
"""

SECURITY: dict[str, list[dict[str, list[str]]]] = {
    "nobody": [],
    "viewer": [{}, {"seatToken": []}, {"hostToken": []}, {"applicationKey": []}],
    "seat": [{"seatToken": []}],
    "host": [{"hostToken": []}],
    "member": [{"seatToken": []}, {"hostToken": []}],
    "application": [{"applicationKey": []}],
    "player": [{"applicationKey": []}, {"playerSession": []}],
    "session": [{"playerSession": []}],
    # Generators of clients take an operation that may show a key for one that has to.
    "opener": [],
}
SCHEMES = {
    "seatToken": "A seat's token, `p10s_...`, from joining: it shows its hand and plays for it.",
    "hostToken": "A host's token, `p10h_...`, from opening: it starts and breaks off the game.",
    "applicationKey": "An application's key, `p10k_...`, from the operator: it opens tables for "
    "users of its own, and reads these as their host does.",
    "playerSession": "A player's session, `p10u_...`, from signing in: it acts for that player.",
}
