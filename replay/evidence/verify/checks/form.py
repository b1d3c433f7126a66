"""Checks of a bundle's form: hash chain, header, seals, line on the rules, and commitments."""

import msgspec
from msgspec import UNSET

from phaseledger.domain import deal
from phaseledger.domain.events import GameOpened, SeatFreed, SeatSecretRevealed, SeatTaken, belongs
from phaseledger.domain.evidence.codec import NO_PREVIOUS, salt_of, seal, seal_key
from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.codes import AnyCode
from phaseledger.replay.formats.bundle.line_reader import BundleEvent
from phaseledger.replay.formats.bundle.lines import ENDS, SeedPart, ruleset_line
from phaseledger.replay.formats.records.findings import both_sides, first_difference
from phaseledger.replay.text import utc_time


def check_chain(case: Case) -> None:
    """Check the hash chain: each event is of this game, in its place, bound to the one before."""
    head, events, game = NO_PREVIOUS, case.bundle.events, case.bundle.header.game
    for number, event in enumerate(events, 1):
        form = event.form
        if form.game != game:
            case.find("wrong_game", *both_sides("evidence.game", id=(game, form.game)), event=event)
        elif form.seq != number:
            code = _misplacement(events, form.seq, number)
            case.find(code, *both_sides("evidence.event", seq=(number, form.seq)), event=event)
        elif form.prev != head:
            _find_break(case, number, head)
            return
        elif number < len(events) and form.type in ENDS:
            case.find("after_end", Phrase("evidence.after_end"), form.type, event=events[number])
        else:
            head = event.leaf
            continue
        case.check("chain", "failed", Phrase("evidence.chain.breaks", seq=number))
        return
    case.check("chain", "passed", Phrase("evidence.chain.whole", count=Amount(len(events))))


def _find_break(case: Case, number: int, head: str) -> None:
    """Find that an event does not follow on the one before, and which of the two was changed.

    That it was the one before is shown by what comes after them: if it continues from the later one
    as that stands, the later one is as it was stored, and follows on another event.
    """
    events = case.bundle.events
    event, changed = events[number - 1], events[number - 2]
    following = events[number].form.prev if number < len(events) else case.bundle.header.head
    text = Phrase("evidence.chain.breaks", seq=number)
    if number > 1 and following == event.leaf:
        case.find("broken_chain", event.form.prev, head, event=changed)
        after = Phrase("evidence.the_first_line")
        if number < len(events):
            after = Phrase("evidence.event", seq=number + 1)
        numbers = {"seq": number, "changed": number - 1, "next": number, "same": number}
        text = Phrase("evidence.chain.changed", **numbers, after=after)
    else:
        case.find("broken_chain", head, event.form.prev, event=event)
    case.check("chain", "failed", text)


def _misplacement(events: tuple[BundleEvent, ...], seq: int, expected: int) -> AnyCode:
    if seq < expected:
        return "repeated"
    return "reordered" if any(event.form.seq == expected for event in events[expected:]) else "gap"


def check_commands(case: Case) -> None:
    """Check that each command has an id of its own, which all of its events bear, with one time.

    Once the game is over, an event that bears another is found by deciding again. What is wrong
    with an event besides has been said, and is why its id is one of another command.
    """
    ids: set[str] = set()
    named = {problem.seq for problem in case.problems if case.is_of_event(problem)}
    first: BundleEvent | None = None
    for event in case.bundle.events:
        form = event.form
        if event.begins or first is None:
            if form.cmd in ids:
                if form.seq not in named:
                    case.find(
                        "command_repeated", Phrase("evidence.command.new"), form.cmd, event=event
                    )
                return
            ids.add(form.cmd)
            first = event
        elif (form.cmd, form.at) != (first.form.cmd, first.form.at) and not case.bundle.over:
            expected = Phrase(
                "evidence.decision.due", id=first.form.cmd, time=utc_time(first.form.at)
            )
            recorded = Phrase("evidence.command.at", id=form.cmd, time=utc_time(form.at))
            case.find("no_decision", expected, recorded, event=event)
            return


def check_header(case: Case) -> None:
    """Check the header, the first line, against the events."""
    header, last, status = case.bundle.header, case.bundle.events[-1], case.bundle.status
    difference: tuple[str, str] = ("", "")
    if header.status != status:
        difference = both_sides("evidence.status", status=(status, header.status))
    elif header.head != last.leaf:
        difference = both_sides("evidence.head", hash=(last.leaf, header.head))
    elif status != "unfinished" and header.seat is not UNSET:
        difference = (Phrase("evidence.header.no_seat"), Phrase("evidence.seat", seat=header.seat))
    elif case.viewer is not None and case.viewer >= _seats(case):
        difference = (
            Phrase("evidence.header.seat", count=_seats(case)),
            Phrase("evidence.seat", seat=case.viewer),
        )
    elif set(case.keys) != _key_ids(case):
        keys = ", ".join(sorted(_key_ids(case))), ", ".join(case.keys)
        difference = both_sides("evidence.header.keys", keys=keys)
    if difference[0]:
        case.find("header_differs", *difference, line=1)
        case.check("header", "failed", Phrase("evidence.header.bad"))
    else:
        case.check("header", "passed", Phrase("evidence.header.good"))


def _seats(case: Case) -> int:
    """How many seats the table has; 16 where that cannot be read."""
    opening = case.events[0] if case.read else None
    return opening.seats if isinstance(opening, GameOpened) else 16


def _key_ids(case: Case) -> set[str]:
    """The ids of the keys that signed the bundle; those of the header if the note is malformed."""
    if case.bundle.checkpoint and not case.note:
        return set(case.keys)
    ids = {placed.value.key for placed in case.bundle.receipts}
    if case.note:
        ids |= {signature.key for signature in case.note.signatures}
    return ids


def check_seals(case: Case) -> None:
    """Check opened parts against their seals and, once the game is over, that all are opened."""
    bundle, before = case.bundle, len(case.problems)
    secret = _revealed_secret(case, "server")
    key = seal_key(bundle.header.game, secret) if secret else b""
    for event in bundle.events:
        for audience, sealed in event.sealed.items():
            opening = bundle.opens.get((event.form.seq, audience))
            if opening is None:
                if bundle.over:
                    expected = Phrase("evidence.seal.opened", audience=repr(audience))
                    case.find("sealed", expected, Phrase("evidence.seal.only"), event=event)
                continue
            value, line = opening.value, opening.line
            salt = bytes.fromhex(value.salt)
            if not bundle.over and not belongs(audience, case.viewer):
                expected = Phrase("evidence.seal.sealed", audience=repr(audience))
                recorded = Phrase("evidence.seal.is_opened")
                case.find("told_too_early", expected, recorded, event=event, line=line)
            elif key and salt != salt_of(key, event.form.seq, audience):
                salts = salt_of(key, event.form.seq, audience).hex(), value.salt
                difference = both_sides("evidence.seal.salt", hash=salts)
                case.find("broken_seal", *difference, event=event, line=line)
            elif (computed := seal(salt, bytes(value.value))) != sealed:
                difference = both_sides("evidence.seal.seal", hash=(computed, sealed))
                case.find("broken_seal", *difference, event=event, line=line)
        if len(case.problems) > before:
            case.check("seals", "failed", Phrase("evidence.seals.bad", seq=event.form.seq))
            return
    count, total = len(bundle.opens), sum(len(event.sealed) for event in bundle.events)
    if bundle.over:
        text = Phrase("evidence.seals.all", count=Amount(total))
    else:
        text = Phrase("evidence.seals.some", count=Amount(count), total=Amount(total))
    case.check("seals", "passed", text if total else Phrase("evidence.seals.none"))


def check_ruleset(case: Case) -> None:
    """Check the line on the rule set against the event that opened the game."""
    recorded, opening = case.bundle.ruleset, case.events[0]
    expected = ruleset_line(opening.ruleset) if isinstance(opening, GameOpened) else None
    expected_json, recorded_json = (
        msgspec.json.encode(line, order="sorted") for line in (expected, recorded.value)
    )
    if expected_json != recorded_json:
        difference: tuple[str, str] = (Phrase("evidence.ruleset.event"), Phrase("evidence.none"))
        if expected:
            difference = first_difference(
                msgspec.json.decode(expected_json), msgspec.json.decode(recorded_json)
            )
        case.find("ruleset_differs", *difference, line=recorded.line)
        case.check("ruleset", "failed", Phrase("evidence.ruleset.bad"))
    else:
        case.check("ruleset", "passed", Phrase("evidence.ruleset.good"))


def check_commitments(case: Case) -> None:
    """Check the secrets against their commitments, and both against the events."""
    expected_secrets, game = _expected_secrets(case), case.bundle.header.game
    recorded_secrets, before = case.bundle.secrets, len(case.problems)
    for party in sorted({*expected_secrets, *recorded_secrets}):
        expected = expected_secrets.get(party)
        line, recorded = recorded_secrets.get(party) or (0, None)
        if expected is None or recorded is None:
            none, described = Phrase("evidence.none"), Phrase("evidence.secret.line_server")
            if party != "server":
                described = Phrase("evidence.secret.line_seat", seat=int(party))
            texts = (described, none) if expected else (none, described)
            case.find("secret_differs", *texts, line=line)
            continue
        if recorded.secret is not UNSET:
            raw = bytes.fromhex(recorded.secret)
            server = party == "server"
            computed = (
                deal.server_commit(game, raw) if server else deal.seat_commit(game, int(party), raw)
            )
            if computed != recorded.commit:
                case.find("broken_promise", recorded.commit, computed, line=line)
        if recorded.secret is not UNSET and expected.secret is UNSET and not case.bundle.over:
            texts = Phrase("evidence.secret.none"), Phrase("evidence.secret.one")
            case.find("told_too_early", *texts, line=line)
        elif expected != recorded:
            case.find("secret_differs", _secret_text(expected), _secret_text(recorded), line=line)
    if len(case.problems) > before:
        case.check("commitments", "failed", Phrase("evidence.commitments.bad"))
        return
    revealed = sum(placed.value.secret is not UNSET for placed in recorded_secrets.values())
    text = Phrase("evidence.commitments.good", count=revealed, total=len(recorded_secrets))
    case.check("commitments", "passed", text)


def _secret_text(secret: SeedPart) -> str:
    value = Phrase("evidence.secret.sealed") if secret.secret is UNSET else secret.secret
    return Phrase(
        "evidence.secret",
        party=_party(secret.by),
        maker=_party(secret.made_by),
        hash=secret.commit,
        secret=value,
    )


def _party(name: str) -> str:
    return Phrase(f"evidence.secret.{name}") if name in ("server", "seat") else name


def _revealed_secret(case: Case, party: str) -> str:
    placed = case.bundle.secrets.get(party)
    return placed.value.secret or "" if placed else ""


_SEATING = frozenset({GameOpened, SeatTaken, SeatFreed, SeatSecretRevealed})
"""The events before the deal that say of whose secrets it is made."""


def _expected_secrets(case: Case) -> dict[str, SeedPart]:
    """The lines on secrets that follow from the events: for a seat, of its last occupant."""
    seatings = [event for event in case.events if type(event) in _SEATING]
    revealed = {e.seat: e.secret for e in seatings if isinstance(e, SeatSecretRevealed)}
    secrets: dict[str, SeedPart] = {}
    for event in seatings:
        hidden = event.hidden.get("server")
        secret = (hidden.secret if hidden else "") or UNSET
        if isinstance(event, GameOpened):
            secrets["server"] = SeedPart("server", event.server_commit, "server", secret)
        elif isinstance(event, SeatFreed):
            secrets.pop(str(event.seat), None)
        elif isinstance(event, SeatTaken):
            party = str(event.seat)
            seat_made = SeedPart(party, event.commit, "seat", revealed.get(event.seat, UNSET))
            server_made = SeedPart(party, event.commit, "server", secret)
            secrets[party] = seat_made if event.brought_secret else server_made
    return secrets
