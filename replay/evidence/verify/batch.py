"""Verification of many bundles on several cores: those of one game together, logs at the end.

Of each bundle only its judgement and its claims of the log stay in memory. Where claims of two
bundles contradict one another, both are verified once more, together.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from phaseledger.domain.words import Language, reason_of
from phaseledger.replay.batch.pool import Workers, in_order
from phaseledger.replay.evidence.verify.case import Case, LogClaim
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.evidence import Judgement, StoryParting
from phaseledger.replay.evidence.verify.policy import Policy
from phaseledger.replay.evidence.verify.questions.stories import story_partings
from phaseledger.replay.evidence.verify.sightings import Sighting, sightings_of
from phaseledger.replay.evidence.verify.verify import (
    ExaminedBundle,
    in_language,
    require_games,
    verify,
)
from phaseledger.replay.formats.bundle.reader import Bundle, first_line, read_bundle
from phaseledger.replay.formats.records.source import SourceError
from phaseledger.replay.terminal import progress
from phaseledger.replay.text import clean


class DamagedFile(NamedTuple):
    """A file that is no bundle: the exit code, and a sentence."""

    exit_code: int
    sentence: str


class Kept(NamedTuple):
    """What bundles are held against."""

    policy: Policy | None = None
    receipts: tuple[KeptReceipt, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    bots: bool = True
    """Whether bots are made to move again."""
    lang: Language = "en"
    """The language in which events are told."""


class VerifiedFiles(NamedTuple):
    """The judgements, the files that are no bundles, and where stories of one game part."""

    judgements: list[Judgement]
    damage: list[DamagedFile]
    stories: list[StoryParting]


class Verified(NamedTuple):
    """The result for one file."""

    judgement: Judgement | DamagedFile
    signed_by: tuple[str, ...] = ()
    """The ids of the operator's keys that vouch for the claims."""
    log: str = ""
    claims: tuple[tuple[LogClaim, str], ...] = ()


class BundleGroup(NamedTuple):
    """Files that are verified together, and what is held against them, which is of their game."""

    names: tuple[str, ...]
    kept: Kept


GroupResult = tuple[list[Verified], list[StoryParting]]
"""The results for files that are verified together, and where their stories part."""


def verify_all(names: Sequence[str], kept: Kept, workers: Workers) -> VerifiedFiles:
    """Verify the bundles in files; judgements and damage are in the order of the names.

    Raises:
        UnknownGame: a receipt, or a sighting of the log, is of a game that no bundle is about.

    """
    games = [_game(name) for name in names]
    if "" not in games:  # what was kept may be of a game whose bundle cannot be read
        require_games(frozenset(games), kept.receipts, kept.sightings)
    groups = defaultdict[str, list[int]](list)
    for number, game in enumerate(games):
        groups[game or f"unread {number}"].append(number)
    by_number: dict[int, Verified] = {}
    stories: list[StoryParting] = []
    tasks = _bundle_groups(names, groups, kept)
    with (
        in_order(verify_group, tasks, workers.for_units(len(tasks))) as verified,
        progress("verifying", len(names)) as advance,
    ):
        for numbers, (group, partings) in zip(groups.values(), verified, strict=True):
            stories += partings
            by_number.update(zip(numbers, group, strict=True))
            advance(len(numbers))
    ordered = [by_number[number] for number in range(len(names))]
    differing = {games[number] for number in _contradictory(ordered, kept.policy)}
    contradictory = [number for number, game in enumerate(games) if game in differing]
    together, _ = verify_group(BundleGroup(tuple(names[number] for number in contradictory), kept))
    for number, result in zip(contradictory, together, strict=True):
        ordered[number] = result
    answers = [result.judgement for result in ordered]
    return VerifiedFiles(
        [answer for answer in answers if isinstance(answer, Judgement)],
        [answer for answer in answers if isinstance(answer, DamagedFile)],
        stories,
    )


def _bundle_groups(
    names: Sequence[str], groups: Mapping[str, Sequence[int]], kept: Kept
) -> list[BundleGroup]:
    """The groups, each with what is held against its game alone: it is sent with every group."""
    receipts = defaultdict[str, list[KeptReceipt]](list)
    for held in kept.receipts:
        receipts[held.receipt.game].append(held)
    return [
        BundleGroup(
            tuple(names[number] for number in numbers),
            kept._replace(
                receipts=tuple(receipts[game]),
                sightings=tuple(sightings_of(kept.sightings, [game])),
            ),
        )
        for game, numbers in groups.items()
    ]


def damaged_file(error: SourceError) -> DamagedFile:
    """The file that the error is about."""
    return DamagedFile(error.exit_code, clean(reason_of(error)))


def partings_of(
    examined: Sequence[ExaminedBundle], receipts: Sequence[KeptReceipt], lang: Language = "en"
) -> list[StoryParting]:
    """Where bundles of one game tell two stories, and which of them receipts back."""
    cases = [case for case, _ in examined]
    seats = [judgement.seats for _, judgement in examined]
    return list(story_partings(cases, seats, receipts, lang))


def verify_group(group: BundleGroup) -> GroupResult:
    """The results for files that are verified together, and where their stories part."""
    names, kept = group
    files = [_read(name) for name in names]
    bundles = [file for file in files if isinstance(file, Bundle)]
    games = {bundle.header.game for bundle in bundles}
    receipts = [held for held in kept.receipts if held.receipt.game in games]
    sightings = sightings_of(kept.sightings, games)
    examined = in_language(
        verify(bundles, kept.policy, receipts, sightings, bots=kept.bots), kept.lang
    )
    judged = (Verified(judgement, *_log_of(case)) for case, judgement in examined)
    results = [Verified(file) if isinstance(file, DamagedFile) else next(judged) for file in files]
    return results, partings_of(examined, receipts, kept.lang)


def _read(name: str) -> Bundle | DamagedFile:
    try:
        return read_bundle(name)
    except SourceError as error:
        return damaged_file(error)


def _log_of(case: Case) -> tuple[tuple[str, ...], str, tuple[tuple[LogClaim, str], ...]]:
    if case.checkpoint is None or not case.vouching:
        return (), "", ()
    claims = tuple(case.log_claims.items())
    return tuple(key.id for key in case.vouching), case.checkpoint.origin, claims


def _contradictory(results: Sequence[Verified], policy: Policy | None) -> Iterator[int]:
    """The numbers of files whose claims differ from those of another one, as `compare` says."""
    values = dict[tuple[str, str, LogClaim], str]()
    contradicted = set[tuple[str, str, LogClaim]]()
    for result in results:
        for place, value in _claims(result, policy):
            if values.setdefault(place, value) != value:
                contradicted.add(place)
    for number, result in enumerate(results):
        if any(place in contradicted for place, _ in _claims(result, policy)):
            yield number


def _claims(
    result: Verified, policy: Policy | None
) -> Iterator[tuple[tuple[str, str, LogClaim], str]]:
    """The claims under each key; under a policy all keys that vouch are the operator's."""
    for key in result.signed_by if policy is None else result.signed_by[:1]:
        for claim, value in result.claims:
            yield (key if policy is None else "", result.log, claim), value


def _game(name: str) -> str:
    """The game that the file's first line names; empty where it names none."""
    try:
        header = msgspec.json.decode(first_line(name), type=dict[str, dict[str, object]])
    except (SourceError, ValueError, RecursionError):
        return ""
    return str(header.get("bundle", {}).get("game", ""))
