"""The clients of `benchmarks/servers.py`: one process, one connection and one game each.

    python benchmarks/load.py < one line of JSON, then one line of JSON per round

The first line lists `[port, game, [token, token]]`, the token of the seat that begins last. Each
round is `[clients, seconds, reading]`: so many of them play, or read their table. It is answered
with a line of JSON: answers, seconds, latencies in milliseconds, this process's seconds of
processor time, and how many requests the service has refused so far for want of its database.
"""

import asyncio
import json
import statistics
import sys
import time

HOST = "127.0.0.1"


class Client(asyncio.Protocol):
    """Draws and discards for both seats of its game, each command after the last one's answer."""

    def __init__(self, port: int, game: str, tokens: list[str]) -> None:
        self.port = port
        self.head = (
            f"POST /v1/games/{game}/commands HTTP/1.1\r\nHost: {HOST}\r\n"
            "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n"
            f"Idempotency-Key: {game}-%d\r\nContent-Length: %d\r\n\r\n%s"
        )
        self.look = (
            f"GET /v1/games/{game} HTTP/1.1\r\nHost: {HOST}\r\n"
            f"Authorization: Bearer {tokens[0]}\r\n\r\n"
        ).encode()
        self.tokens, self.seat, self.card = tokens, 1, ""
        self.sent, self.deadline, self.began = 0, 0.0, 0.0
        self.latencies: list[float] = []
        self.answer = self.request = b""
        self.reading = False
        self.refused = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Keep the connection for a round; the server may end it in a long pause."""
        self.transport = transport

    def play(self, deadline: float, *, reading: bool) -> asyncio.Future[None]:
        """Play or read until then, and finish what is under way."""
        self.done = asyncio.get_running_loop().create_future()
        self.deadline, self.latencies, self.reading = deadline, [], reading
        self.send()
        return self.done

    def send(self) -> None:
        """The next request: a discard after a draw, a draw after a discard, or a look."""
        self.began = time.perf_counter()
        if self.reading:
            self.request = self.look
            self.transport.write(self.look)
            return
        body = f'{{"type":"discard","cards":"{self.card}"}}' if self.card else '{"type":"draw"}'
        self.sent += 1
        head = self.head % (self.tokens[self.seat], self.sent, len(body), body)
        self.request = head.encode()
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Take the answer, and go on when it is whole."""
        self.answer += data
        head, blank, body = self.answer.partition(b"\r\n\r\n")
        if not blank or len(body) < int(head.lower().partition(b"content-length:")[2].split()[0]):
            return
        now = time.perf_counter()
        if self.answer.startswith(b"HTTP/1.1 503") and now < self.deadline:
            # The same again: its key makes that safe.
            self.answer = b""
            self.refused += 1
            self.transport.write(self.request)
            return
        self.latencies.append(now - self.began)
        if not self.answer.startswith(b"HTTP/1.1 200"):
            self.done.set_exception(RuntimeError(self.answer.decode()))
            return
        self.answer = b""
        if self.reading:
            pass
        elif self.card:
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


async def main() -> None:
    """Play a round for each line read."""
    loop = asyncio.get_running_loop()
    clients = [Client(*game) for game in json.loads(sys.stdin.readline())]
    while line := sys.stdin.readline():
        count, seconds, reading = json.loads(line)
        playing = clients[:count]
        for client in playing:
            await loop.create_connection(lambda client=client: client, HOST, client.port)
        began, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(player.play(began + seconds, reading=reading) for player in playing))
        took, spent = time.perf_counter() - began, time.process_time() - cpu
        for client in playing:
            client.transport.close()
        latencies = sorted(latency for client in playing for latency in client.latencies)
        cuts = statistics.quantiles(latencies, n=100)
        result = {
            "answers": len(latencies),
            "seconds": took,
            "p50": 1000 * cuts[49],
            "p99": 1000 * cuts[98],
            "cpu": spent,
            "refused": sum(client.refused for client in playing),
        }
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
