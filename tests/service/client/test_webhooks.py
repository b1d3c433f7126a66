"""The client's part for hosts who have their games told elsewhere, over PostgreSQL."""

from collections.abc import Iterator

import pytest

from phaseledger.service.client.client import Client
from phaseledger.service.schemas.games import OpenTable
from phaseledger.service.schemas.webhooks import NewWebhook
from phaseledger.service.settings import Settings
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


def test_webhooks_from_registering_to_deleting(served: Served, receiver: Endpoint) -> None:
    with Client(served.url) as client:
        host = client.at(client.open(OpenTable(ruleset="classic", seats=(PERSON, PERSON))))
        made = host.register_webhook(NewWebhook(url=receiver.url))
        assert made.secret.startswith("whsec_")
        assert [hook.id for hook in host.webhooks().webhooks] == [made.id]
        assert host.webhook(made.id).url == receiver.url
        host.delete_webhook(made.id)
        assert host.webhooks().webhooks == ()
        assert refused(lambda: host.webhook(made.id)).code == "no_such_webhook"
        assert refused(lambda: client.at(host.session.game).webhooks()).code == "token_missing"
