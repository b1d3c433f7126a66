"""The clients of `benchmarks/commands.py`: one process, one connection and one game each.

    python benchmarks/load.py PORT < one line of JSON, then one line of seconds per round

The first line lists `[game, [token, token]]`, the token of the seat that begins last. Each round
is answered with a line of JSON: commands, seconds, latencies in milliseconds, and this process's
own share of a core.
"""

import asyncio
import json
import statistics
import sys
import time

HOST = "127.0.0.1"


class Client(asyncio.Protocol):
    """Draws and discards for both seats of its game, each command after the last one's answer."""

    def __init__(self, game: str, tokens: list[str]) -> None:
        self.head = (
            f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: {HOST}\r\n"
            "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n"
            f"Idempotency-Key: {game}-%d\r\nContent-Length: %d\r\n\r\n%s"
        )
        self.tokens, self.seat, self.card = tokens, 1, ""
        self.sent, self.deadline, self.began = 0, 0.0, 0.0
        self.latencies: list[float] = []
        self.answer = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Keep the connection for a round; the server may end it in a long pause."""
        self.transport = transport

    def play(self, deadline: float) -> asyncio.Future[None]:
        """Play until then, and finish the command under way."""
        self.done = asyncio.get_running_loop().create_future()
        self.deadline, self.latencies = deadline, []
        self.send()
        return self.done

    def send(self) -> None:
        """The next command: a discard after a draw, a draw after a discard."""
        body = f'{{"type":"discard","cards":"{self.card}"}}' if self.card else '{"type":"draw"}'
        self.sent += 1
        self.began = time.perf_counter()
        request = self.head % (self.tokens[self.seat], self.sent, len(body), body)
        self.transport.write(request.encode())

    def data_received(self, data: bytes) -> None:
        """Take the answer, and go on when it is whole."""
        self.answer += data
        head, blank, body = self.answer.partition(b"\r\n\r\n")
        if not blank or len(body) < int(head.lower().partition(b"content-length:")[2].split()[0]):
            return
        now = time.perf_counter()
        self.latencies.append(now - self.began)
        if not self.answer.startswith(b"HTTP/1.1 200"):
            self.done.set_exception(RuntimeError(self.answer.decode()))
            return
        self.answer = b""
        if self.card:
            self.card, self.seat = "", 1 - self.seat
        else:
            hand = body.rpartition(b'"hand":"')[2].partition(b'"')[0].decode().split()
            self.card = next(card for card in hand if card != "S")  # a skip would name a target
        if now < self.deadline:
            self.send()
        else:
            self.done.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        """The service must not hang up."""
        if not self.done.done():
            self.done.set_exception(error or ConnectionError("the service has hung up"))


async def main(port: int) -> None:
    """Play a round for each line read."""
    loop = asyncio.get_running_loop()
    clients = [Client(game, tokens) for game, tokens in json.loads(sys.stdin.readline())]
    while line := sys.stdin.readline():
        for client in clients:
            await loop.create_connection(lambda client=client: client, HOST, port)
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(client.play(began + float(line)) for client in clients))
        took = time.perf_counter() - began
        for client in clients:
            client.transport.close()
        latencies = sorted(latency for client in clients for latency in client.latencies)
        cuts = statistics.quantiles(latencies, n=100)
        result = {
            "commands": len(latencies),
            "seconds": took,
            "p50": 1000 * cuts[49],
            "p99": 1000 * cuts[98],
            "cpu": (time.process_time() - cpu) / took,
        }
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
