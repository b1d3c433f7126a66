"""The bodies of requests and answers about notices."""

from typing import Annotated

from msgspec import Meta, Struct

from phaseledger.service.schemas.webhooks import LONGEST_URL


class NoticeChannels(Struct, frozen=True):
    """The ways in which the service can tell a person that a table waits."""

    web_push: Annotated[
        str | None,
        Meta(
            description="The `applicationServerKey` for `PushManager.subscribe`; null where the "
            "service sends no Web Push."
        ),
    ]


class PushSubscriptionKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the browser's messages are encrypted with, in base64url."""

    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]


class PushSubscription(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where notices go: `endpoint` and `keys` of the browser's `PushSubscription`."""

    endpoint: Annotated[
        str,
        Meta(min_length=1, max_length=LONGEST_URL, examples=["https://push.example/send/dGFibGU"]),
    ]
    keys: PushSubscriptionKeys
