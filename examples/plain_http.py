"""Play a whole game with nothing but HTTP: python examples/plain_http.py URL RULESET.

Two seats are played from here, a bot of the service has the third.
"""

import json
import sys
import urllib.error
import urllib.request
import uuid

if len(sys.argv) != 3:
    sys.exit("Usage: python examples/plain_http.py http://127.0.0.1:8000 classic")
URL, RULESET = sys.argv[1:]
FIRST = ["lay", "hit"]  # what is done whenever it can be done; else whatever is listed first


def call(method, path, body=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(f"{URL}/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        sys.exit(f"{URL} refuses {path}: {refusal.read().decode(errors='replace')}")
    except (OSError, ValueError) as error:
        sys.exit(f"{URL} does not answer as phaseledger does: {error}")


seats = [{"kind": "person"}, {"kind": "person"}, {"kind": "bot", "level": "expert"}]
rules = {"max_turns_per_round": 200}  # or a round in which nobody can go out would go on
opened = call("POST", "/games", {"ruleset": RULESET, "seats": seats, "options": rules})
game = f"/games/{opened['game']}"
joined = [call("POST", f"{game}/seats", {"name": name}) for name in ("Ada", "Blaise")]
tokens = {answer["seat"]: answer["token"] for answer in joined}
now = call("POST", f"{game}/start", token=opened["host_token"])

while now["table"]["stage"] != "ended":
    mine = [asked["seat"] for asked in now["table"]["waits"] if asked["seat"] in tokens]
    if mine:
        token = tokens[mine[0]]
        commands = call("GET", f"{game}/actions", token=token)["commands"]
        wanted = [command for command in commands if command["type"] in FIRST]
        now = call("POST", f"{game}/commands", [*wanted, commands[0]][0], token)
    else:  # the bot's turn
        now = call("GET", f"{game}?at_least={now['version'] + 1}", token=tokens[0])

names = [seat["name"] for seat in now["table"]["seats"]]
print(
    f"{' and '.join(names[seat] for seat in now['table']['winners'])} won, {now['version']} events"
)
