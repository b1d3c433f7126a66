"""The bodies of requests and answers about notices."""

import re
from collections.abc import Callable
from html import escape
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from phaseledger.service.schemas.terms import Body
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


# --- a player's addresses -------------------------------------------------------------------------

AddressOf = Literal["discord", "slack", "web_push"]


class AddressKind(NamedTuple):
    """A kind of addresses: what its URLs look like, and what is sent there."""

    form: str
    """The pattern of all of a URL, so that nothing is sent to another host."""
    example: str
    about: str
    has_keys: bool = False
    """Whether messages are encrypted for the address's own keys, as Web Push has it."""
    body: Callable[[str, str], dict[str, Any]] | None = None
    """The JSON that is sent, of a text and a link; None: the notice itself, encrypted."""


def _discord(text: str, link: str) -> dict[str, Any]:
    escaped = re.sub(r"([\\*_~`|<>\[\]()#:@-])", r"\\\1", text)
    return {"content": f"{escaped}\n{link}".strip(), "allowed_mentions": {"parse": []}}


def _slack(text: str, link: str) -> dict[str, Any]:
    return {"text": f"{escape(text, quote=False)}\n{link}".strip(), "mrkdwn": False}


ADDRESSES: dict[AddressOf, AddressKind] = {
    "discord": AddressKind(
        form=r"https://discord\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]+",
        example="https://discord.com/api/webhooks/1200000000000000000/aBcD",
        about="a webhook of a Discord channel",
        body=_discord,
    ),
    "slack": AddressKind(
        form=r"https://hooks\.slack\.com/services/[A-Za-z0-9/]+",
        example="https://hooks.slack.com/services/T000/B000/aBcD",
        about="an incoming webhook of Slack",
        body=_slack,
    ),
    "web_push": AddressKind(
        form=r".+",
        example="https://push.example/send/dGFibGU",
        about="the `endpoint` of a browser's `PushSubscription`, made for the key of "
        "`getNoticeChannels`, with its `keys`",
        has_keys=True,
    ),
}
MOST_ADDRESSES = 10
_KINDS = "; ".join(f"`{name}`: {kind.about}" for name, kind in ADDRESSES.items())


class NoticeAddress(Body, frozen=True):
    """Where notices to a player go."""

    kind: Annotated[AddressOf, Meta(description=f"What the URL is. {_KINDS}.")]
    url: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=LONGEST_URL,
            examples=[kind.example for kind in ADDRESSES.values()],
        ),
    ]
    keys: PushSubscriptionKeys | None = None


ClockTime = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z", examples=["22:00"])]


class QuietHours(Body, frozen=True):
    """From when until when a player wants no notices, by the clock of a place; from one time to the
    same one: never. What falls into them is sent at their end, if it still holds.
    """

    start: ClockTime
    end: ClockTime
    zone: Annotated[
        str,
        Meta(
            pattern=r"^[A-Za-z0-9_+/-]{1,64}\Z",
            description="A time zone of the IANA database.",
            examples=["Europe/Berlin"],
        ),
    ]


class PutNotices(Body, frozen=True):
    """All addresses of a player, each of which the player has asked for, and the quiet hours; an
    address that is left out is forgotten.
    """

    addresses: Annotated[tuple[NoticeAddress, ...], Meta(max_length=MOST_ADDRESSES)] = ()
    quiet: QuietHours | None = None


class AddressState(Struct, frozen=True):
    """How an address of a player fares; times are in milliseconds since 1970."""

    kind: AddressOf
    created_at: int
    confirmed_at: Annotated[
        int | None, Meta(description="When it took a notice for the first time; null until then.")
    ]
    failing_since: Annotated[
        int | None,
        Meta(description="When it first failed after its last success; null when all is well."),
    ]
    ended_at: Annotated[
        int | None, Meta(description="Since when nothing is sent there; null when notices are.")
    ]
    reason: Annotated[str, Meta(description="Why it has ended, or why its last attempt failed.")]


class NoticeState(Struct, frozen=True):
    """A player's addresses in the order in which they were put, and the quiet hours. The addresses
    themselves are shown nowhere.
    """

    addresses: tuple[AddressState, ...]
    quiet: QuietHours | None
