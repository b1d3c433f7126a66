"""`examples/discord_bot` between a service and a Discord that keeps what it is told."""

import json
import re
import sys
from typing import Any

import httpx2
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from phaseledger.service.app import in_postgres
from phaseledger.service.settings import Settings
from tests.support.polling import eventually
from tests.support.service.api_tables import bearer
from tests.support.service.applications import made
from tests.support.service.example_programs import EXAMPLES, broken_off, started
from tests.support.service.server import serving
from tests.support.service.webhook_receiver import Endpoint, endpoint

pytestmark = pytest.mark.system

BOT = EXAMPLES / "discord_bot" / "bot.py"


def interaction(url: str, signer: Ed25519PrivateKey, kind: int, **more: Any) -> dict[str, Any]:
    """What the bot answers to an interaction that Discord has signed."""
    content = json.dumps({"type": kind, "channel_id": "77", **more}).encode()
    signature = signer.sign(b"1700000000" + content).hex()
    headers = {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": "1700000000"}
    answer = httpx2.post(url, content=content, headers=headers)
    assert answer.status_code == 200
    shown: dict[str, Any] = answer.json()
    return shown


def newest(discord: Endpoint, number: int) -> str:
    """The newest of so many messages to the channel."""
    *_, last = discord.wait(number)
    assert last.path == "/channels/77/messages"
    assert last.headers["authorization"] == "Bot secret"
    content: str = json.loads(last.body)["content"]
    return content


def test_members_of_a_channel_play_by_links_that_they_alone_see(settings: Settings) -> None:
    key, signer = made(settings), Ed25519PrivateKey.generate()
    with (
        endpoint() as discord,
        serving(in_postgres(settings), openers="applications") as served,
        started(
            [sys.executable, BOT],
            PHASELEDGER_URL=served.url,
            PHASELEDGER_KEY=key,
            DISCORD_API=discord.url.removesuffix("/hook"),
            DISCORD_TOKEN="secret",
            DISCORD_PUBLIC_KEY=signer.public_key().public_bytes_raw().hex(),
            PORT="0",
        ) as bot,
    ):
        assert httpx2.post(bot, content=b"{}").status_code == 401
        assert interaction(bot, signer, 1) == {"type": 1}
        member = {"user": {"id": "1", "username": "ada", "global_name": "Ada"}}
        opened = interaction(bot, signer, 2, data={"name": "phase10"}, member=member)["data"]
        assert re.fullmatch(r"A table for 2: \S+", opened["content"])
        (button,) = opened["components"][0]["components"]
        game = button["custom_id"].removeprefix("sit:")
        tokens = {}
        for user, name in (("1", "Ada"), ("1", "Ada"), ("2", None)):
            member = {"user": {"id": user, "username": f"user{user}", "global_name": name}}
            pressed = interaction(bot, signer, 3, data=button, member=member)["data"]
            assert pressed["flags"] == 64
            if link := re.search(r"#seat=\d&token=(\S+)", pressed["content"]):
                tokens[user] = link[1]
        assert [*tokens] == ["1", "2"]
        turns = []
        for number in (1, 2):
            turns += re.findall(r"<@(\d)>, it is your turn", newest(discord, number))
            headers, path = bearer(tokens[turns[-1]]), f"{served.url}/v1/games/{game}"
            while commands := httpx2.get(f"{path}/actions", headers=headers).json()["commands"]:
                done = httpx2.post(f"{path}/commands", json=commands[0], headers=headers)
                assert done.status_code == 200, done.text
        assert sorted(turns) == ["1", "2"]
        broken_off(served.url, game, key)
        eventually(lambda: "broken off" in newest(discord, len(discord.got)), bool)


def test_it_is_as_short_as_it_says() -> None:
    assert len(BOT.read_text().splitlines()) <= 115
