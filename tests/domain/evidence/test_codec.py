"""Section 6: stored bytes are canonical, hold against a general encoder, and read back."""

import hashlib
import hmac
from collections import Counter
from functools import cache

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from phaseledger.domain import events as e
from phaseledger.domain.evidence import codec
from phaseledger.domain.evidence.codec import (
    Entry,
    UnreadableEvent,
    append,
    command_id,
    decode,
    is_canonical,
    new_chain,
)
from phaseledger.domain.ruleset import canonical, fingerprint
from phaseledger.domain.rulesets import GAMES
from tests.support.cases import looped
from tests.support.scenario import play_random, records
from tests.support.table import GAME

_, LOG = play_random(GAME, 4, "codec", bot="greedy")
GOOD = records(LOG[:2])[1]


@cache
def some_of_each_kind(ruleset: str) -> list[e.Event]:
    """The first twelve events of each kind of a long game, in their order."""
    kinds = Counter[type[e.Event]]()
    kept = []
    for event in play_random(GAME, 3, "redacted", bot="random,greedy", ruleset=ruleset)[1]:
        kinds[type(event)] += 1
        if kinds[type(event)] <= 12:
            kept.append(event)
    return kept


@pytest.fixture
def entries() -> list[Entry]:
    """The game as it is stored, made anew for each test."""
    return records(LOG)


def test_stored_bytes_are_canonical_and_read_back(entries: list[Entry]) -> None:
    """Every event of a game: canonical by RFC 8785, decoded to what it was."""
    for event, entry in zip(LOG, entries, strict=True):
        assert is_canonical(entry.stored)
        assert rfc8785.dumps(msgspec.json.decode(entry.stored)) == entry.stored
        assert event == decode(entry.topic, entry.stored)[1]
        assert event == codec.decode_event(entry.topic, entry.stored)
        assert "hidden" not in msgspec.json.decode(entry.stored)["data"]


@looped("ruleset", GAMES)
def test_an_entry_is_redacted_as_its_stored_form(ruleset: str) -> None:
    """For every viewer, and with all revealed: the same bytes, without decoding anything."""
    log = some_of_each_kind(ruleset)
    opened = log[0]
    assert isinstance(opened, e.GameOpened)
    chain = new_chain(opened)
    _, made = append(chain, log, "0" * 64, 1)
    assert any(entry.parts for entry in made)
    for entry in made:
        for viewer in (None, 0, 1, 2):
            for revealed in (False, True):
                redacted = codec.redact(entry.stored, chain.key, viewer, opened=revealed)
                assert codec.redact_entry(entry, viewer, opened=revealed) == redacted


def test_the_chain_by_hand(entries: list[Entry]) -> None:
    """Leaves, seals and links recomputed from the text of section 6 with nothing of ours."""
    secret = bytes.fromhex(LOG[0].hidden["server"].secret)
    salt = hashlib.sha256(GAME.encode()).digest()
    head = "0" * 64
    for number, entry in enumerate(entries, 1):
        tree = msgspec.json.decode(entry.stored)
        assert (head, number, entry.topic) == (tree["prev"], tree["seq"], tree["type"])
        assert (tree["v"], tree["game"], entry.seq) == (1, GAME, number)
        sealed = {}
        for who, value in tree.pop("hidden", {}).items():
            prk = hmac.new(salt, secret, hashlib.sha256).digest()
            info = f"p10-seal/v1 seq={entry.seq} key={who}".encode()
            block = hmac.new(prk, info + b"\x01", hashlib.sha256).digest()[:16]
            sealed[who] = hashlib.sha256(b"\x02" + block + rfc8785.dumps(value)).hexdigest()
        if sealed:
            tree["sealed"] = sealed
        head = hashlib.sha256(b"\x00" + rfc8785.dumps(tree)).hexdigest()
        assert head == entry.leaf


def test_the_chain_goes_on_where_it_was() -> None:
    """Two commands one after the other are linked as one would be, and the chain says where."""
    first = new_chain(LOG[0])  # type: ignore[arg-type]
    assert first == (GAME, first.key, 0, "0" * 64)
    whole, together = append(first, LOG[:5], "c" * 64, 7)
    middle, head = append(first, LOG[:2], "c" * 64, 7)
    after, tail = append(middle, LOG[2:5], "c" * 64, 7)

    assert together == head + tail
    assert after == whole == (GAME, first.key, 5, together[-1].leaf)
    assert [entry.seq for entry in together] == [1, 2, 3, 4, 5]
    record, _ = decode(tail[0].topic, tail[0].stored)
    assert (record.at, record.cmd, record.prev) == (7, "c" * 64, head[-1].leaf)


@pytest.mark.untraced
@given(name=st.text(min_size=1, max_size=40))
def test_names_in_any_script(name: str) -> None:
    """The hand-written frame agrees with RFC 8785 whatever text a name holds."""
    opened = LOG[0]
    assert isinstance(opened, e.GameOpened)
    taken = e.SeatTaken(seat=0, name=name, commit="c" * 64)
    try:
        _, (entry,) = append(new_chain(opened), [taken], command_id(0, "k"), at=5)
    except UnicodeEncodeError:
        assert any(0xD800 <= ord(char) < 0xE000 for char in name)
        return
    assert rfc8785.dumps(msgspec.json.decode(entry.stored)) == entry.stored
    assert taken == decode(entry.topic, entry.stored)[1]


DAMAGED = [
    ("GameBurnt/1", GOOD.stored, "unknown event type 'GameBurnt/1'"),
    ("G" * 61, GOOD.stored, f"^unknown event type '{'G' * 60}'$"),
    (
        GOOD.topic,
        GOOD.stored.replace(b"Taken/1", b"T" * 99),
        f"^stored as .* says 'Seat{'T' * 56}'$",
    ),
    (GOOD.topic, GOOD.stored[:-9], "truncated"),
    (GOOD.topic, b"", "truncated"),
    (GOOD.topic, b"\xff\xfe", "malformed"),
    (GOOD.topic, b"[" * 100_000, "Expected `object`"),
    (GOOD.topic, GOOD.stored.replace(b'"v":1', b'"v":2'), "format version 2"),
    (GOOD.topic, GOOD.stored.replace(b"SeatTaken/1", b"SeatGiven/1"), "says 'SeatGiven/1'"),
    (GOOD.topic, GOOD.stored.replace(b'"data":{', b'"data":{"zzz":1,'), "unknown field"),
    (GOOD.topic, GOOD.stored.replace(b'"type":"Seat', b'"kind":"Seat'), "unknown field `kind`"),
]
DAMAGED_BESIDE = [
    (GOOD.stored.replace(b'"seq":2', b'"seq":"2"'), "Expected `int`"),
    (GOOD.stored.replace(b'"v":1', b'"v":1,"x":1'), "unknown field"),
]


@looped(("topic", "stored", "sentence"), DAMAGED)
def test_damage_is_named(topic: str, stored: bytes, sentence: str) -> None:
    """Bytes that are no event raise one error that says why."""
    for read in (decode, codec.decode_event):
        with pytest.raises(UnreadableEvent, match=sentence):
            read(topic, stored)


@looped(("stored", "sentence"), DAMAGED_BESIDE)
def test_damage_beside_an_event_is_the_records(stored: bytes, sentence: str) -> None:
    """Who wants the event alone relies on its hash, as on that of every byte."""
    with pytest.raises(UnreadableEvent, match=sentence):
        decode(GOOD.topic, stored)
    assert codec.decode_event(GOOD.topic, stored) == LOG[1]


@looped(
    "text",
    [
        b'{"b":1,"a":2}',
        b'{"a":1, "b":2}',
        b'{"a":1,"a":1}',
        b'{"a":1.0}',
        b'{"a":1.5}',
        b'{"a":null}',
        b'{"a":[1,{"b":[null]}]}',
        b"null",
        b'{"a":9007199254740992}',
        b'{"a":-9007199254740992}',
        b'{"a":[9007199254740992]}',
        b'{"a":[0,-9007199254740992]}',
        b"9007199254740992",
        b'{"a":{"\xc3\xa9":1}}',
        b'{"a":["\xc3\xa9",null]}',
        b'{"\xc3\xa9":1}',
        b'{"a":"\\u0041"}',
        b"{",
        b"\xff",
        b"[" * 9999,
    ],
)
def test_what_is_not_canonical(text: bytes) -> None:
    """Order, white space, repeated keys, other spellings, damage."""
    assert not is_canonical(text)


@looped(
    "text",
    [
        b'{"a":9007199254740991,"b":-9007199254740991}',
        b'{"a":[0,"null",{"b":"\xc3\xa9"}]}',
        b'{"a":":9007199254740992"}',
        b"[[[1]]]",
        b'{"a":' + b"[" * 99 + b"]" * 99 + b"}",
    ],
)
def test_what_is_canonical(text: bytes) -> None:
    """What the bytes alone show to be plain, and what only the tree does."""
    assert is_canonical(text)


def parts_of(stored: bytes) -> tuple[str, bytes, dict[str, bytes]]:
    """The type, the data and the hidden parts of a stored event, each by itself."""
    tree = msgspec.json.decode(stored, type=dict[str, msgspec.Raw])
    hidden = msgspec.json.decode(tree.get("hidden", b"{}"), type=dict[str, msgspec.Raw])
    topic = msgspec.json.decode(tree["type"], type=str)
    return topic, bytes(tree["data"]), {who: bytes(part) for who, part in hidden.items()}


@looped("ruleset", GAMES)
def test_parts_are_read_as_the_whole_is(ruleset: str) -> None:
    """Long parts and short ones, for the first time and again."""
    log = some_of_each_kind(ruleset)
    lengths = set()
    for event, entry in zip(log, records(log), strict=True):
        topic, data, hidden = parts_of(entry.stored)
        for part in (data, *hidden.values()):
            lengths.add(len(part) <= codec.SHORT)
        assert codec.event_of_parts(topic, data, hidden) == event
        assert codec.event_of_parts(topic, data, hidden) == event
    assert lengths == {True, False}


@looped(
    ("topic", "data", "hidden"),
    [
        ("CardEaten/1", b'{"seat":0}', {}),
        ("TurnPassed/1", b'{"seat":0', {}),
        ("TurnPassed/1", b'{"seat":"0"}', {}),
        ("TurnPassed/1", b'{"seat":0,"more":1}', {}),
        ("TurnPassed/1", b'{"seat":"\xff"}', {}),
        ("TurnPassed/1", b'{"seat":0}', {"0": b'{"more":1}'}),
        ("TurnPassed/1", b'{"seat":0}', {"0": b'{"card":1}'}),
        ("TurnPassed/1", b'{"seat":0}', {"0": b'{"said":"' + b"R1 " * 200 + b'","more":1}'}),
    ],
)
def test_parts_of_no_event(topic: str, data: bytes, hidden: dict[str, bytes]) -> None:
    for _ in range(2):
        with pytest.raises(UnreadableEvent):
            codec.event_of_parts(topic, data, hidden)


def test_command_ids_hide_the_key_and_tell_seats_apart() -> None:
    """`cmd` is a hash of the speaker and the key."""
    ids = {command_id(seat, key) for seat in (None, 0, 1) for key in ("a", "b")}
    assert len(ids) == 6
    speakers = {None: b"host", 0: b"0", 1: b"1"}
    for seat, who in speakers.items():
        expected = hashlib.sha256(b"p10-cmd/v1\n" + who + b"\nkey").hexdigest()
        assert command_id(seat, "key") == expected


RELEASED = {
    "classic@1": "04e91caf88d7e00a64954af18544cf69539fc35a4b47d5a18c068fe378f0fb7a",
    "standard-deck@1": "92891d5aab5ff400a60eeb765e221776d879c87c3270e4226838de4699c61cc0",
    "express@1": "1aed3d6b6aac5675e43831d0952fbe530c6772a721daf45f0c625616c086f818",
    "board@1": "ce0fc93635a2e82dfe2bf771e3df7189e8d24e74c7f30c2fd0683147a54f76e3",
}


def test_released_rule_sets_never_change() -> None:
    """The hash of every released rule set is fixed (section 3)."""
    released = {game.rules.id: fingerprint(game.rules) for game in GAMES.values()}
    assert released == RELEASED
    for game in GAMES.values():
        stored = canonical(game.rules)
        assert rfc8785.dumps(msgspec.json.decode(stored)) == stored


def test_topics_are_stable() -> None:
    """A released topic stays; an event is never stored under an import path."""
    released = """
        GameOpened SeatTaken SeatFreed TableSealed SeatSecretRevealed DealOpened RoundDealt
        TurnBegan SkipServed StockShuffled DiceRolled PawnMoved CardDrawn CardTurned CardsSwapped
        CardAsked CardGiven CardsKept PhaseLaid CardsHit CardDiscarded SkipPlaced TurnPassed
        TurnTimedOut SeatHandedOver SeatNamed RoundEnded GameEnded GameVoided
    """
    assert list(e.EVENTS) == [f"{name}/1" for name in released.split()]
