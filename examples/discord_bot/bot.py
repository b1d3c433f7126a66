"""Phase 10 in Discord, by interactions over HTTP: python examples/discord_bot/bot.py

`/phase10` opens a table under the application's key. A button seats a member, who alone is shown
the seat's link; once all sit, the game begins, and the channel is told whose turn it is.

PHASELEDGER_URL, PHASELEDGER_KEY, DISCORD_PUBLIC_KEY, DISCORD_TOKEN, PORT; point the application's
Interactions Endpoint URL at this server, and register a command `phase10` with an option `people`.
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

import httpx2
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from phaseledger import client as api

URL = os.environ["PHASELEDGER_URL"].rstrip("/")
KEY = Ed25519PublicKey.from_public_bytes(bytes.fromhex(os.environ["DISCORD_PUBLIC_KEY"]))
DISCORD = os.environ.get("DISCORD_API", "https://discord.com/api/v10")
HEADERS = {"Authorization": f"Bot {os.environ['DISCORD_TOKEN']}"}
PONG, MESSAGE = 1, 4
FOR_ONE = 64  # the flag of a message that one member alone is shown
club = api.Client(URL, key=os.environ["PHASELEDGER_KEY"])
seats: dict[str, dict[str, int]] = {}  # by game: the seat of each member
sitting = Lock()


def answer(interaction):
    """What Discord shows for a command or a press of a button."""
    if interaction["type"] == 1:
        return {"type": PONG}
    user = interaction["member"]["user"]
    try:
        if interaction["type"] == 2:
            return {"type": MESSAGE, "data": opened(interaction["data"].get("options", []))}
        game = interaction["data"]["custom_id"].removeprefix("sit:")
        content = sat(game, user, interaction["channel_id"])
    except (api.Refused, api.Unreachable) as fault:
        content = str(fault)
    return {"type": MESSAGE, "data": {"content": content, "flags": FOR_ONE}}


def opened(options):
    people = next((option["value"] for option in options if option["name"] == "people"), 2)
    bots = (api.BotSeat(),) if people == 1 else ()
    table = api.OpenTable(ruleset="express", seats=(api.PersonSeat(),) * people + bots)
    game = str(club.open(table).game)
    seats[game] = {}
    button = {"type": 2, "style": 1, "label": "Sit down", "custom_id": f"sit:{game}"}
    rows = [{"type": 1, "components": [button]}]
    return {"content": f"A table for {people}: {URL}/play/g/{game}", "components": rows}


def sat(game, user, channel):
    """Seat a member; the link is for the member alone."""
    with sitting:
        taken = seats.get(game)
        if taken is None or user["id"] in taken:
            return "You sit there already." if taken else "That table is gone."
        joined = club.at(game).join(api.JoinTable(name=user["global_name"] or user["username"]))
        taken[user["id"]] = joined.seat
    if all(seat is not None for seat in joined.table.seats):
        Thread(target=play, args=(game, channel), daemon=True).start()
    return f"Your seat: {URL}/play/g/{game}#seat={joined.seat}&token={joined.token}"


def play(game, channel):
    """Begin the game, and tell the channel whose turn it is until it is over."""
    members = {seat: member for member, seat in seats[game].items()}
    host = club.at(game, club.table_token(game).token)
    host.start()
    last = None
    for moment in host.follow():
        table = moment.view.table
        waits = {members[wait.seat] for wait in table.waits if wait.seat in members}
        if table.stage == "playing" and waits and waits != last:
            say(channel, " ".join(f"<@{member}>" for member in waits) + ", it is your turn.", waits)
        last = waits or last
    names = " and ".join(table.seats[seat].name for seat in table.winners)
    say(channel, f"{names} won." if names else "The game was broken off.", ())


def say(channel, content, members):
    body = {"content": content, "allowed_mentions": {"users": [*members]}}
    httpx2.post(f"{DISCORD}/channels/{channel}/messages", json=body, headers=HEADERS)


class Interactions(BaseHTTPRequestHandler):
    """The endpoint that Discord calls."""

    def do_POST(self):
        """Answer an interaction, if Discord has signed it."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:  # Discord tries an endpoint with wrong signatures, too
            signature = bytes.fromhex(self.headers["X-Signature-Ed25519"])
            KEY.verify(signature, self.headers["X-Signature-Timestamp"].encode() + body)
        except (InvalidSignature, TypeError, ValueError, AttributeError):
            self.send_response(401)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer(json.loads(body))).encode())


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8081"))), Interactions)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
