"""A game as its events lead it on: chain, seals, seats, secrets, decisions, signatures, times."""

import re
from collections.abc import Callable
from typing import Any

from verifying.basics import (
    Untrue,
    Wrong,
    canonical,
    claim,
    demand,
    digest,
    hkdf,
    signed,
    unhex,
    usable,
)
from verifying.cards import Cards, cards_in
from verifying.deal import Chance
from verifying.form import Bundle, Event

ENDS = {"GameEnded": "finished", "GameVoided": "voided"}
LOBBY = ("GameOpened", "SeatTaken", "SeatFreed", "TableSealed", "SeatSecretRevealed", "DealOpened")
PLAYER = re.compile("player-[a-z2-7]{20}")
"""The pseudonym of a player whom an application knows."""
FIRST = {  # what a command begins with; the documents name no others
    "open_game": ["GameOpened"],
    "take_seat": ["SeatTaken"],
    "kick_seat": ["SeatFreed"],
    "leave_seat": ["SeatFreed", "SeatHandedOver"],
    "name_seat": ["SeatNamed"],
    "start": ["TableSealed"],
    "reveal_secret": ["SeatSecretRevealed"],
    "time_out": ["TurnTimedOut"],
    "void_game": ["GameVoided"],
    "void_restored": ["GameVoided"],
    "close_reveal": ["GameVoided"],
    "draw": ["StockShuffled", "CardDrawn", "TurnPassed", "RoundEnded"],
    "lay": ["PhaseLaid"],
    "hit": ["CardsHit"],
    "discard": ["CardDiscarded", "SkipPlaced"],
    "pass": ["TurnPassed"],
    "move": ["PawnMoved"],
    "choose": ["PawnMoved"],
    "search": ["CardDrawn"],
    "swap": ["CardsSwapped"],
    "ask": ["CardAsked"],
    "give": ["CardGiven"],
    "keep": ["CardsKept"],
}
SAID = {"search": "card", "give": "card", "swap": "cards", "keep": "cards"}
"""Arguments that a command names in secret."""
ALIKE = (
    "name",
    "bot",
    "key",
    "secret",
    "reason",
    "group",
    "target",
    "value",
    "direction",
    "source",
)
"""Arguments that the event repeats under the same name."""
USUAL = {"direction": "left", "source": "stock"}


def commitment(kind: str, secret: str, *parts: object) -> str:
    """What whoever knows a secret has committed to."""
    lines = [f"{part}\n" for part in parts]
    return digest(f"p10/{kind}-commit/v1\n", *lines, bytes.fromhex(secret)).hex()


def chained(bundle: Bundle) -> None:
    """Hold events, commands and the first lines together."""
    header, events, rules = bundle.header, bundle.events, bundle.ruleset
    opened, before = events[0].data, "0" * 64
    ids: set[str] = set()
    demand(events[0].kind == "GameOpened" and "act" in opened, "event 1: no game begins so")
    for number, event in enumerate(events, 1):
        where, last = f"event {number}:", events[max(0, number - 2)]
        begins = number == 1 or event.cmd != last.cmd
        demand(event.seq == number, f"{where} it has the number {event.seq}")
        demand(event.game == header["game"], f"{where} it is of another game")
        demand(event.prev == before, f"{where} it or the one before it was changed")
        demand(not begins or event.cmd not in ids, f"{where} its command has the id of another")
        demand(("act" in event.data) == begins, f"{where} a decision is missing, or one too many")
        demand(begins or event.at == last.at, f"{where} its command has another time")
        demand(number == 1 or event.kind != "GameOpened", f"{where} the game is open already")
        demand(number == 1 or last.kind not in ENDS, f"{where} the game is over")
        names = [event.data.get(name, 0) for name in ("seat", "target", "dealer", "out")]
        names += [*event.data.get("players", ()), event.speaker or 0]
        names += [event.data["to"]] if event.kind == "CardGiven" else []
        demand(all(0 <= seat < opened["seats"] for seat in names), f"{where} there is no such seat")
        before = event.leaf
        ids.add(event.cmd)
    stated = (header["game"], header["events"], header["head"], header["status"])
    status = ENDS.get(events[-1].kind, "unfinished")
    demand(stated == (opened["game"], len(events), before, status), "the first line does not fit")
    viewer = header.get("seat", -1)
    over = status != "unfinished"
    demand(viewer < opened["seats"] and not (over and viewer >= 0), "the viewer has no seat")
    named = (rules["rules"], rules["hash"], rules["name"])
    hashed, name = digest(canonical(opened["ruleset"])).hex(), opened["ruleset"]["id"]
    fitting = named == (opened["ruleset"], hashed, name.partition("@")[0])
    demand(fitting, "the rule set is not the one that the game was opened with")


def unsealed(bundle: Bundle, secret: bytes) -> None:
    """Hold opened values against their seals, and salts against the secret once it is known."""
    viewer, salt_of_game = bundle.header.get("seat"), digest(bundle.header["game"])
    for event in bundle.events:
        for audience, value in event.opened.items():
            where, salt = (
                f"event {event.seq}, for {audience}:",
                bytes.fromhex(event.salts[audience]),
            )
            made = digest(b"\2", salt, canonical(value)).hex()
            demand(event.sealed.get(audience) == made, f"{where} the value is not what was sealed")
            if secret:
                info = f"p10-seal/v1 seq={event.seq} key={audience}"
                made_salt = hkdf(secret, salt_of_game, info, 16)
                demand(salt == made_salt, f"{where} the salt does not follow from the secret")
            else:
                shut_out, seats = (
                    audience.startswith("not:"),
                    audience.removeprefix("not:").split(","),
                )
                knows = seats[0].isdecimal() and (str(viewer) in seats) != shut_out
                demand(viewer is not None and knows, f"{where} the viewer may not know it yet")
        whole = len(event.opened) == len(event.sealed)
        demand(whole or not secret, f"event {event.seq}: a seal is closed still")


class Game:
    """A game that is followed from its first event to its last."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle, self.events, self.opened = bundle, bundle.events, bundle.events[0].data
        self.id: str = bundle.header["game"]
        self.over = self.events[-1].kind in ENDS
        self.secret = bytes.fromhex(self.events[-1].data["secret"]) if self.over else b""
        terms = self.opened.get("table", {})
        self.clock: dict[str, Any] = terms.get("clock", {})
        self.stand_in: str = terms.get("stand_in", "greedy")
        self.reserved: set[int] = set(terms.get("reserved", ()))
        delayed = terms.get("spectators") in ("delayed", "round")
        self.may_end_anywhere = self.over or (delayed and "seat" not in bundle.header)
        self.taken: dict[int, dict[str, Any]] = {}
        self.secrets: dict[int, str] = {}
        self.table: Event | None = None
        self.cards: Cards | None = None
        self.script: list[dict[str, Any]] = []
        """The scripted deals of a table for tests, by round."""
        self.bots: set[int] = set()
        """Seats that a bot has for good."""
        self.standing_in: set[int] = set()
        """Seats for which a bot answers until their next turn."""
        self.asked: dict[tuple[int, str, int], int] = {}
        self.spoke: dict[int, int] = {}
        self.command: dict[str, Any] = {}
        """The command that is followed."""

    def play(self) -> None:
        """Follow all events; refuse the game at the first that cannot have been so."""
        last = self.events[0]
        for event in self.events:
            try:
                if event.command:
                    self.command = event.command
                    self.decided(event)
                self.follow(event, last)
            except (Wrong, Untrue) as error:
                raise type(error)(f"event {event.seq}, {event.kind}: {error}") from None
            last = event
        whole = not self.table or (self.asked and not self.consequence(last))
        demand(whole or self.may_end_anywhere, "its end was cut off within a command")
        demand(self.bundle.secrets == self.wanted(), "the lines on secrets do not fit the events")

    # -- decisions

    def decided(self, event: Event) -> None:
        """Hold a decision against the event that it begins with, and against its signature."""
        command, seat, data = dict(event.command), event.speaker, event.data
        fitting = event.kind in FIRST.get(command["type"], ())
        demand((fitting and data.get("seat", seat) in (seat, None)) or (seat is None and fitting),
               "it does not follow from its decision")  # fmt: skip
        for name in ALIKE:
            named = name in data or name in command
            if named and (name in command or name in USUAL) and event.kind != "StockShuffled":
                usual = USUAL.get(name, "")
                alike = command.get(name, usual) == data.get(name, usual)
                special = name == "source" and command["type"] == "search"
                demand(alike or special, f"the decision says otherwise about {name}")
        if command["type"] in ("lay", "hit", "discard"):
            decided, other = (sorted(self.named(source)) for source in (command, data))
            demand(decided == other, "the decision names other cards")
        signature = event.data["act"].get("sig", "")
        for value in event.opened.values():
            if "said" in value:
                command[SAID[command["type"]]] = value["said"]
            signature = value.get("sig", signature)
        hides = command["type"] in SAID and len(event.opened) < len(event.sealed)
        joins = command["type"] == "take_seat"
        seated = command if joins else self.taken.get(-1 if seat is None else seat, {})
        key = seated.get("key", "")
        signs = key and (signature if joins else seat not in self.bots)
        if not signature:
            free = not signs or seat in self.standing_in or hides
            demand(free, "the seat has not signed this decision")
        elif not hides:
            head = f"p10-signed-command/v1\n{self.id}\n{seat}\n{event.prev}\n{event.seq - 1}\n"
            whole = head.encode() + canonical(command) + b"\n"
            good = signs and signed(unhex(key, 32), unhex(signature, 64), whole)
            demand(good, "the seat has not signed this decision")

    def named(self, facts: dict[str, Any]) -> list[str]:
        """The cards that a command or its event names in public."""
        groups = facts.get("groups", [facts])
        return [
            card for group in groups for card in cards_in(group.get("cards", facts.get("card", "")))
        ]

    # -- events

    def follow(self, event: Event, last: Event) -> None:
        """Take one event into account."""
        due = self.consequence(last)
        claim(event.at >= last.at, "its time is before that of the event before it")
        claim(not due or (event.kind == due and not event.command), "a time-out had no consequence")
        if event.kind not in (*LOBBY, "SeatHandedOver", "SeatNamed", "GameVoided"):
            demand(self.cards, "it comes before the deal is open")
        step: Callable[[Event, Event], None] | None = getattr(self, f"_on{event.words}", None)
        if step:
            step(event, last)
        if self.cards:
            self.cards.follow(event)
        if event.speaker is not None:
            self.spoke[event.speaker] = event.at
        if "asks" in event.data:
            asks = [(q["seat"], q["kind"], q.get("number", 0)) for q in event.data["asks"]]
            self.asked = {question: self.asked.get(question, event.at) for question in asks}

    def consequence(self, event: Event) -> str:
        """The event that has to follow on a time-out; empty for all others."""
        then = event.data["then"] if event.kind == "TurnTimedOut" else ""
        return {"bot_for_good": "SeatHandedOver", "void": "GameVoided"}.get(then, "")

    def owing(self) -> list[int]:
        """The seats whose secrets are due."""
        brought = [seat for seat in sorted(self.taken) if self.taken[seat].get("brought_secret")]
        return [seat for seat in brought if seat not in self.secrets]

    def _on_game_opened(self, event: Event, _: Event) -> None:
        data, asked = event.data, event.command
        rules, usual = data["ruleset"], {"dealer": 0}
        for name in ("game", "seats", "dealer", "table"):
            demand(data.get(name) == asked.get(name, usual.get(name)), f"{name} is another one")
        other = (rules["id"].partition("@")[0], rules.get("revision", 0))
        demand(other == (asked["ruleset"], asked.get("revision", 0)), "it has another rule set")
        for name, value in asked.get("options", {}).items():
            demand(rules["options"].get(name, value) == value, f"{name} was asked for otherwise")
        demand("seat" not in data["act"] and set(event.sealed) == {"server"}, "no game begins so")
        if self.secret:
            made = commitment("server", self.secret.hex(), self.id)
            demand(made == data["server_commit"], "the server committed to another secret")
            hidden = event.opened["server"]["secret"]
            demand(hidden == self.secret.hex(), "the server's secret is another one at the end")
            self.script = event.opened["server"].get("script", [])
            is_test = (data.get("table") or {}).get("test", False)
            demand(is_test or not self.script, "a script dealt, and the table is none for tests")

    def _on_seat_taken(self, event: Event, _: Event) -> None:
        data, seat, brought = (
            event.data,
            event.data["seat"],
            event.data.get("brought_secret", False),
        )
        demand(not self.table and seat not in self.taken, "the seat is not free")
        self.taken[seat] = data
        self.reserved.discard(seat)
        key = data.get("key", "")
        demand(not key or usable(unhex(key, 32)), "the seat's key is none that can be used")
        demand(set(event.sealed) == (set() if brought else {"server"}), "whose secret is it?")
        committed = event.command.get("commit", "")
        demand(committed == (data["commit"] if brought else ""), "another commitment was sent")
        for value in event.opened.values():
            self.keep(seat, value["secret"])

    def keep(self, seat: int, secret: str) -> None:
        """Keep a seat's secret, if it fits its commitment."""
        made = commitment("seat", secret, self.id, seat)
        demand(made == self.taken[seat]["commit"], f"seat {seat} committed to another secret")
        self.secrets[seat] = secret

    def _on_seat_freed(self, event: Event, _: Event) -> None:
        seat, by = event.data["seat"], event.data["by"]
        demand(not self.table and seat in {*self.taken, *self.reserved}, "the seat is free")
        own = (event.speaker, by) == (seat, "seat")
        kicked = (event.speaker, by, event.command.get("free")) == (None, "host", seat)
        demand(own or kicked, "somebody else freed it")
        self.taken.pop(seat, None)
        self.secrets.pop(seat, None)
        self.reserved.discard(seat)

    def _on_seat_named(self, event: Event, _: Event) -> None:
        seat, name = event.data["seat"], event.data["name"]
        demand(seat in self.taken and seat not in self.bots, "no person has the seat")
        taken = self.taken[seat]
        names = {data["name"] for data in self.taken.values()}
        guest = not (taken.get("bot") or taken.get("key") or PLAYER.fullmatch(taken["name"]))
        demand(guest and PLAYER.fullmatch(name) and name not in names, "no guest becomes a player")
        host = (event.speaker, event.command.get("named")) == (None, seat)
        demand(host, "somebody else named the seat")
        self.taken[seat] = {**taken, "name": name}

    def _on_table_sealed(self, event: Event, _: Event) -> None:
        full = len(self.taken) == self.opened["seats"]
        demand(not self.table and full, "the table is not full, or sealed already")
        self.table = event

    def _on_seat_secret_revealed(self, event: Event, _: Event) -> None:
        demand(self.table and event.data["seat"] in self.owing(), "the seat owes no secret")
        self.keep(event.data["seat"], event.data["secret"])

    def _on_deal_opened(self, event: Event, _: Event) -> None:
        demand(self.table and not self.cards and not self.owing(), "the deal cannot be open yet")
        chance = None
        if self.secret:
            rules = self.bundle.ruleset
            text = f"p10-deal/v1\ngame {self.id}\nruleset {rules['name']} {rules['hash']}\n"
            text += f"server-commit {self.opened['server_commit']}\n"
            for seat, data in sorted(self.taken.items()):
                text += f"seat {seat} {data['commit']} {self.secrets[seat]}\n"
            transcript = digest(text, "beacon none\n")
            demand(transcript.hex() == event.data["transcript"], "the transcript is another one")
            chance = Chance(self.secret, transcript)
        self.cards = Cards(self.opened, chance, self.script)

    def _on_turn_began(self, event: Event, _: Event) -> None:
        self.standing_in.discard(event.data["seat"])

    def _on_turn_timed_out(self, event: Event, _: Event) -> None:
        data, seat, clock = event.data, event.data["seat"], self.clock
        asked = [at for ask, at in self.asked.items() if ask[0] == seat and ask[1] != "reveal"]
        bot = self.taken[seat].get("bot") or seat in self.bots | self.standing_in
        host = (event.speaker, event.command) == (None, {"type": "time_out", "overdue": seat})
        claim(clock and asked and host and not bot, "the terms provide for no such time-out")
        since = max(min(asked), self.spoke.get(seat, 0))
        time = 1000 * (clock["seconds"] + clock.get("grace", 0))
        claim(event.at >= since + time, "the seat still had time")
        then = clock.get("then", "bot_move")
        wanted = (then, self.stand_in if then == "bot_move" else "")
        claim((data["then"], data.get("bot", "")) == wanted, "the terms provide for something else")
        if then == "bot_move":
            self.standing_in.add(seat)

    def _on_seat_handed_over(self, event: Event, last: Event) -> None:
        data, seat = event.data, event.data["seat"]
        demand(self.table and seat not in self.owing(), "the seat cannot be handed over yet")
        late = self.consequence(last) == "SeatHandedOver" and last.data["seat"] == seat
        left = event.command.get("type") == "leave_seat" and event.speaker == seat
        right = late if data["why"] == "overdue" else left
        new = seat not in self.bots and not self.taken[seat].get("bot")
        claim(right and new and data["bot"] == self.stand_in, "the terms provide for no such thing")
        self.bots.add(seat)

    def _on_game_voided(self, event: Event, last: Event) -> None:
        due = self.owing() if self.table and not self.cards else []
        due = [last.data["seat"]] if self.consequence(last) else due
        demand(event.data.get("owing", []) == due, "it names others than owed something")
        if self.command["type"] == "close_reveal":
            seconds = self.table.data.get("reveal_seconds", 0) if self.table else 0
            start = self.table.at if self.table else 0
            over = due and seconds and event.at >= start + 1000 * seconds
            claim(over, "the wait for secrets was ended too early")

    def wanted(self) -> list[dict[str, str]]:
        """The lines on secrets as they have to be."""
        lines = [{"by": "server", "made_by": "server", "commit": self.opened["server_commit"]}]
        for seat, data in sorted(self.taken.items()):
            maker = "seat" if data.get("brought_secret") else "server"
            lines.append({"by": str(seat), "made_by": maker, "commit": data["commit"]})
            lines[-1] |= {"secret": self.secrets[seat]} if seat in self.secrets else {}
        lines[0] |= {"secret": self.secret.hex()} if self.secret else {}
        return lines
