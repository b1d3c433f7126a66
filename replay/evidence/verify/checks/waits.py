"""The check that seats had their time by a witness's clock.

A log alone cannot show that an event is not older than it says. But a witness that has seen a
checkpoint with the asking, and later by its own clock one without the time-out, has seen that the
time-out came no sooner.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from phaseledger.domain.evidence.merkle import proves_inclusion
from phaseledger.domain.words import Amount, Phrase
from phaseledger.replay.evidence.audit.time_limits import EndedWait
from phaseledger.replay.evidence.verify.case import Case
from phaseledger.replay.evidence.verify.sightings import SeenCheckpoint, SeenInclusion, Sighting
from phaseledger.replay.formats.ledgers import log_name, number_of
from phaseledger.replay.formats.signing.notes import (
    Checkpoint,
    Note,
    VerifierKey,
    cosigning_times,
    signed_by,
)


class View(NamedTuple):
    """One checkpoint as a witness saw it."""

    size: int
    first_seen: int
    """When the witness cosigned it first, in seconds since 1970 by its own clock."""
    last_seen: int
    places: Mapping[int, int]
    """Of events of the game that are proven to be in it: number to index."""


class _Proven(NamedTuple):
    note: Note
    checkpoint: Checkpoint
    places: Mapping[int, int]


def check_waits(case: Case, others: Sequence[Case], sightings: Sequence[Sighting]) -> None:
    """Check that each wait for a seat that was ended is bounded by as many witnesses as needed.

    ``others`` are further bundles; those of the same game count as sightings.
    """
    policy = case.policy
    if policy is None or policy.times != "witnessed" or not case.read:
        return
    number = number_of(UUID(case.bundle.header.game))
    origins = {log_name(name, number) for name in policy.origins}
    proven = [
        proof
        for proof in (*_of_bundles(case, (case, *others)), *_of_sightings(case, sightings))
        if proof.checkpoint.origin in origins
    ]
    for wait in case.ended_waits:
        good = sum(
            any(_is_bounded(wait, _views(proven, origin, key)) for origin in origins)
            for key in policy.witnesses
        )
        needed = max(1, policy.witnesses_needed)
        if good < needed:
            expected = Phrase(
                "evidence.policy.bounded",
                count=needed,
                seq=wait.asked,
                more=Amount(wait.seconds),
                next=wait.ended,
            )
            event = case.bundle.events[min(wait.ended, len(case.bundle.events)) - 1]
            case.find("times_unwitnessed", expected, f"{good}", event=event)


def _is_bounded(wait: EndedWait, views: Sequence[View]) -> bool:
    """Whether these views, all of one witness and one log, show that the seat had its time.

    The witness has seen to it that a larger one goes on from a smaller one, and a log has a game's
    events in their order: so an index that is proven in one of them holds in all.
    """
    places = [place for view in views for place in view.places.items()]
    asked = min((index for seq, index in places if seq >= wait.asked), default=None)
    ended = max((index for seq, index in places if wait.asked < seq <= wait.ended), default=None)
    if asked is None or ended is None:
        return False
    asked_by = [view.first_seen for view in views if view.size > asked]
    not_ended_by = [view.last_seen for view in views if view.size <= ended]
    return max(not_ended_by, default=0) - min(asked_by) >= wait.seconds


def _views(proven: Sequence[_Proven], origin: str, key: VerifierKey) -> list[View]:
    """What the witness has cosigned of the log of that name."""
    return [
        View(checkpoint.size, min(times), max(times), places)
        for note, checkpoint, places in proven
        if checkpoint.origin == origin and signed_by(note, key)
        for times in (cosigning_times(note, key),)
    ]


def _of_bundles(case: Case, cases: Sequence[Case]) -> Iterator[_Proven]:
    """The checkpoints of the game's bundles, as far as they hold and tell the same story."""
    events = case.bundle.events
    for other in cases:
        if other.bundle.header.game != case.bundle.header.game or not other.vouching:
            continue
        assert other.note is not None
        assert other.checkpoint is not None
        places = {
            proof.seq: proof.index
            for _, proof in other.bundle.inclusions
            if proof.seq <= len(events)
            and events[proof.seq - 1].leaf == other.bundle.events[proof.seq - 1].leaf
        }
        yield _Proven(other.note, other.checkpoint, places)


def _of_sightings(case: Case, sightings: Sequence[Sighting]) -> Iterator[_Proven]:
    """Kept checkpoints, and the bundle's, with the inclusion proofs that lead to their roots."""
    notes = [
        (sighting.note, sighting.checkpoint)
        for sighting in sightings
        if isinstance(sighting, SeenCheckpoint)
    ]
    if case.vouching and case.note and case.checkpoint:
        notes.append((case.note, case.checkpoint))
    proofs = [
        sighting
        for sighting in sightings
        if isinstance(sighting, SeenInclusion) and sighting.proof.game == case.bundle.header.game
    ]
    used: set[int] = set()
    for note, checkpoint in notes:
        places = {}
        for number, (_, _, proof) in enumerate(proofs):
            if proof.seq <= len(case.bundle.events) and proof.size == checkpoint.size:
                leaf = bytes.fromhex(case.bundle.events[proof.seq - 1].leaf)
                path = [bytes.fromhex(step) for step in proof.path]
                if proves_inclusion(leaf, proof.index, proof.size, path, checkpoint.root):
                    places[proof.seq] = proof.index
                    used.add(number)
        yield _Proven(note, checkpoint, places)
    for number, (source, line, proof) in enumerate(proofs):
        if number not in used:
            expected = Phrase("evidence.log.path_of_event", seq=proof.seq, count=proof.size)
            recorded = Phrase("evidence.log.no_kept")
            case.find("bad_inclusion", expected, recorded, line=line, source=source)
