"""The client's part for hosts who have their games told elsewhere, over PostgreSQL."""

from collections.abc import Iterator
from functools import partial

import pytest

from phaseledger.service.client.client import Client
from phaseledger.service.schemas.games import OpenTable
from phaseledger.service.schemas.webhooks import NewWebhook
from phaseledger.service.settings import Settings
from tests.support.service.applications import made
from tests.support.service.client_seats import PERSON, refused
from tests.support.service.server import Served
from tests.support.service.webhook_receiver import Endpoint, endpoint
from tests.support.service.webhook_service import served_with, settings

__all__ = ["settings"]


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[Served]:
    with served_with(settings, schedule=(0.2,)) as service:
        yield service


@pytest.fixture
def receiver() -> Iterator[Endpoint]:
    with endpoint() as target:
        yield target


def test_webhooks_from_registering_to_deleting(
    served: Served, receiver: Endpoint, settings: Settings
) -> None:
    """Those of a host's table, and of an application by a client without a game."""
    with Client(served.url) as client, Client(served.url, key=made(settings)) as club:
        host = client.at(client.open(OpenTable(ruleset="classic", seats=(PERSON, PERSON))))
        for owner in (host, club):
            fresh = owner.register_webhook(NewWebhook(url=receiver.url))
            assert fresh.secret.startswith("whsec_")
            assert [hook.id for hook in owner.webhooks().webhooks] == [fresh.id]
            assert owner.webhook(fresh.id).url == receiver.url
            assert owner.rotate_secret(fresh.id).secret != fresh.secret
            owner.delete_webhook(fresh.id)
            assert owner.webhooks().webhooks == ()
            assert refused(partial(owner.webhook, fresh.id)).code == "no_such_webhook"
        assert refused(lambda: client.at(host.session.game).webhooks()).code == "token_missing"
