"""What holds a bundle together: the chain, the header, the seals, the rules, the commitments."""

import msgspec
from msgspec import UNSET

from phaseledger.domain import deal
from phaseledger.domain.events import GameOpened, SeatFreed, SeatSecretRevealed, SeatTaken, belongs
from phaseledger.domain.evidence.codec import NO_PREVIOUS, salt_of, seal, seal_key
from phaseledger.replay.bundle.lines import ENDS, SeedPart, ruleset_line
from phaseledger.replay.bundle.reader import BundleEvent
from phaseledger.replay.records.findings import first_difference
from phaseledger.replay.verify.case import Case
from phaseledger.replay.verify.codes import AnyCode


def check_chain(case: Case) -> None:
    """Every event of this game, in its place, and bound to the one before."""
    head, events, game = NO_PREVIOUS, case.bundle.events, case.bundle.header.game
    for number, event in enumerate(events, 1):
        form = event.form
        if form.game != game:
            case.find("wrong_game", f"game {game}", f"game {form.game}", event=event)
        elif form.seq != number:
            code = _misplacement(events, form.seq, number)
            case.find(code, f"event {number}", f"event {form.seq}", event=event)
        elif form.prev != head:
            case.find("broken_chain", head, form.prev, event=event)
        elif number < len(events) and form.type in ENDS:
            case.find("after_end", "nothing after the end", form.type, event=events[number])
        else:
            head = event.leaf
            continue
        case.check("chain", "failed", f"The hash chain breaks at event {number}.")
        return
    case.check("chain", "passed", f"The hash chain runs through all {len(events):,} events.")


def _misplacement(events: tuple[BundleEvent, ...], seq: int, due: int) -> AnyCode:
    if seq < due:
        return "repeated"
    return "reordered" if any(event.form.seq == due for event in events[due:]) else "gap"


def check_header(case: Case) -> None:
    """The first line against the events."""
    header, last, status = case.bundle.header, case.bundle.events[-1], case.bundle.status
    wrong = ("", "")
    if header.status != status:
        wrong = (f"status {status}", f"status {header.status}")
    elif header.head != last.leaf:
        wrong = (f"head {last.leaf}", f"head {header.head}")
    elif status != "unfinished" and header.seat is not UNSET:
        wrong = ("no seat: once the game is over, all see the same", f"seat {header.seat}")
    elif case.viewer is not None and case.viewer >= _seats(case):
        wrong = (f"a seat below {_seats(case)}", f"seat {case.viewer}")
    elif set(case.keys) != _key_ids(case):
        wrong = (f"keys {', '.join(sorted(_key_ids(case)))}", f"keys {', '.join(case.keys)}")
    if wrong[0]:
        case.find("header_differs", *wrong, line=1)
        case.check("header", "failed", "The first line does not fit what follows.")
    else:
        case.check("header", "passed", "The first line fits what follows.")


def _seats(case: Case) -> int:
    """How many seats the table has; 16 where that cannot be read."""
    opened = case.events[0] if case.read else None
    return opened.seats if isinstance(opened, GameOpened) else 16


def _key_ids(case: Case) -> set[str]:
    """The keys whose signatures the bundle has, if that can be said."""
    if case.bundle.checkpoint and not case.note:
        return set(case.keys)
    ids = {placed.value.key for placed in case.bundle.receipts}
    if case.note:
        ids |= {f"{each.name}+{each.hash.hex()}" for each in case.note.signatures}
    return ids


def check_seals(case: Case) -> None:
    """Opened parts against their seals and, once the game is over, that nothing is still sealed."""
    bundle, before = case.bundle, len(case.problems)
    secret = _revealed(case, "server")
    key = seal_key(bundle.header.game, secret) if secret else b""
    for event in bundle.events:
        for who, sealed in event.sealed.items():
            opened = bundle.opens.get((event.form.seq, who))
            if opened is None:
                if bundle.over:
                    case.find("sealed", f"{who!r} opened", "its seal only", event=event)
                continue
            value, line = opened.value, opened.line
            salt = bytes.fromhex(value.salt)
            if not bundle.over and not belongs(who, case.viewer):
                case.find("told_too_early", f"{who!r} sealed", "it is opened", line=line)
            elif key and salt != salt_of(key, event.form.seq, who):
                due = salt_of(key, event.form.seq, who).hex()
                case.find("broken_seal", f"salt {due}", f"salt {value.salt}", line=line)
            elif (made := seal(salt, bytes(value.value))) != sealed:
                case.find("broken_seal", f"seal {made}", f"seal {sealed}", event=event, line=line)
        if len(case.problems) > before:
            case.check("seals", "failed", f"A seal of event {event.form.seq} is wrong.")
            return
    count, all_ = len(bundle.opens), sum(len(event.sealed) for event in bundle.events)
    if bundle.over:
        case.check(
            "seals", "passed", f"All {all_:,} seals are opened, and every value fits its own."
        )
    else:
        case.check("seals", "passed", f"{count:,} of {all_:,} seals are opened, and fit.")


def check_ruleset(case: Case) -> None:
    """The line about the rules against the event that opened the game."""
    placed, opened = case.bundle.ruleset, case.events[0]
    due = ruleset_line(opened.ruleset) if isinstance(opened, GameOpened) else None
    first, second = (msgspec.json.encode(each, order="sorted") for each in (due, placed.value))
    if first != second:
        one, other = ("an opening event", "none")
        if due:
            one, other = first_difference(msgspec.json.decode(first), msgspec.json.decode(second))
        case.find("ruleset_differs", one, other, line=placed.line)
        case.check(
            "ruleset", "failed", "The rule set is not the one that the game was opened with."
        )
    else:
        case.check("ruleset", "passed", "The rule set is the one that the game was opened with.")


def check_commitments(case: Case) -> None:
    """The secrets against what was committed to, and both against the events."""
    due, game = _due(case), case.bundle.header.game
    found, before = case.bundle.secrets, len(case.problems)
    for by in sorted({*due, *found}):
        one = due.get(by)
        line, other = found.get(by) or (0, None)
        if one is None or other is None:
            what = f"a line on the secret of {'the server' if by == 'server' else f'seat {by}'}"
            case.find("secret_differs", *((what, "none") if one else ("none", what)), line=line)
            continue
        if other.secret is not UNSET:
            raw = bytes.fromhex(other.secret)
            server = by == "server"
            made = deal.server_commit(game, raw) if server else deal.seat_commit(game, int(by), raw)
            if made != other.commit:
                case.find("broken_promise", other.commit, made, line=line)
        if other.secret is not UNSET and one.secret is UNSET and not case.bundle.over:
            case.find("told_too_early", "no secret before the end", "a secret", line=line)
        elif one != other:
            case.find("secret_differs", _told(one), _told(other), line=line)
    if len(case.problems) > before:
        case.check("commitments", "failed", "The secrets are not those that were committed to.")
        return
    known = sum(each.value.secret is not UNSET for each in found.values())
    text = f"{known} of {len(found)} secrets are revealed, each as it was committed to."
    case.check("commitments", "passed", text)


def _told(secret: SeedPart) -> str:
    shown = "sealed" if secret.secret is UNSET else secret.secret
    return f"by {secret.by}, made by {secret.made_by}, commit {secret.commit}, secret {shown}"


def _revealed(case: Case, by: str) -> str:
    placed = case.bundle.secrets.get(by)
    return placed.value.secret or "" if placed else ""


def _due(case: Case) -> dict[str, SeedPart]:
    """The lines on secrets that the events call for: of a seat, that of who sits there last."""
    shown = {e.seat: e.secret for e in case.events if isinstance(e, SeatSecretRevealed)}
    due: dict[str, SeedPart] = {}
    for event in case.events:
        hidden = event.hidden.get("server")
        secret = (hidden.secret if hidden else "") or UNSET
        if isinstance(event, GameOpened):
            due["server"] = SeedPart("server", event.server_commit, "server", secret)
        elif isinstance(event, SeatFreed):
            due.pop(str(event.seat), None)
        elif isinstance(event, SeatTaken):
            by = str(event.seat)
            own = SeedPart(by, event.commit, "seat", shown.get(event.seat, UNSET))
            made = SeedPart(by, event.commit, "server", secret)
            due[by] = own if event.brought_secret else made
    return due
