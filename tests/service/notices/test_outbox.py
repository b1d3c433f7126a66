"""The outbox, in which notices stand beside the messages of webhooks."""

from uuid import uuid4

from phaseledger.service.settings import Settings
from phaseledger.service.webhooks.store import Webhooks


async def test_a_node_that_sends_no_notices_leaves_them_to_others(settings: Settings) -> None:
    game, hook = uuid4(), uuid4()
    async with Webhooks(settings.database_url, schema=settings.schema) as hooks:
        async with hooks.transaction() as run:
            await run("follow", game, 1)
            await run("subscribe", hook, game, b"", 1, 0, "en", 0)
            await run("notice", 2, hook, 2, uuid4(), "turn", 0.0, False, 1.0)
        assert await hooks.claim(30, 9, proven=False, notices=False) == []
        (due,) = await hooks.claim(30, 9, proven=False, notices=True)
    assert (due.hook, due.game, due.seat) == (hook, game, 0)
