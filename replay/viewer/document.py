"""The viewer's document, ``p10-viewer/v1``: a game for every seat from which it may be seen.

docs/reference/frames.md is the format. A page draws from it alone: the frames of each viewer, their
texts in other languages, marks, the verdict, and each finding with all that is needed to judge it.
"""

import base64
import gzip
import zlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseledger.domain.explain.catalogue import RulesetInfo
from phaseledger.domain.explain.legend import legend
from phaseledger.domain.state import Group, Stage
from phaseledger.domain.words import LANGUAGES, Language, Phrase
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.frames import Distances, Sitter, frames, header, ndjson
from phaseledger.replay.transcript.table import Step
from phaseledger.replay.transcript.transcript import describe
from phaseledger.replay.viewer.findings import DisputedEvent
from phaseledger.replay.viewer.limits import HiddenCards, ViewerLimits, WorkBudget
from phaseledger.replay.viewer.marks import Marks, distances, marks_of
from phaseledger.replay.viewer.recorded_game import (
    GameConclusion,
    RecordedGame,
    ViewerVerdict,
    read_recorded,
)

FORMAT: Final = "p10-viewer/v1"
BASE: Language = "en"
"""The language of the frames; other languages have only what differs."""

_GZIP = b"\x1f\x8b"

Packed = Annotated[str, Meta(description="Base64 of what was compressed with gzip.")]
Chair = str
"""``all``, ``spectator``, or a seat's number."""


class Translation(Struct, frozen=True):
    """The texts of frames and findings in another language, except the sentences of events."""

    rules: RulesetInfo
    phrases: dict[str, str]
    """Each phrase of a legend, of the verdict and of findings, and the text of each rule, by the
    English one.
    """


class ViewerDocument(Struct, frozen=True, kw_only=True):
    """The data of a game for the viewer."""

    viewer: Literal["p10-viewer/v1"] = FORMAT
    title: str
    game: str
    rules: RulesetInfo
    stage: Stage
    events: Annotated[int, Meta(description="How many events are good, and have frames.")]
    langs: tuple[Language, ...]
    lang: Annotated[
        Language | UnsetType,
        Meta(description="The language to begin in; left out: that of the reader's browser."),
    ] = UNSET
    seats: tuple[Sitter | None, ...]
    chairs: tuple[Chair, ...]
    frames: dict[Chair, Packed]
    sentences: dict[Language, dict[Chair, Packed]]
    translations: dict[Language, Translation]
    marks: Marks
    distance: Distances | UnsetType = UNSET
    verdict: ViewerVerdict
    findings: tuple[DisputedEvent, ...]


def viewer_document(
    content: bytes,
    name: str,
    *,
    game: str | None = None,
    limits: ViewerLimits = ViewerLimits(),  # noqa: B008 - frozen
) -> ViewerDocument:
    """The document of a player's file: an export, a bundle, or a view of a running game.

    Args:
        content: the file's bytes, damaged or not; gzip is unpacked.
        name: the file's name in messages.
        game: the id or the place (from 1) of one of several games in it.
        limits: the size shown, and the time that it may take.

    Raises:
        UnviewableGame, UnknownGame, UsageError: with a sentence for people.

    """
    budget = WorkBudget(limits)
    budget.require_bytes(len(content))
    content = unpacked(content, limits.bytes + 1)
    budget.require_bytes(len(content))
    recorded = read_recorded(content, name, game, budget)
    return document_of(recorded, chairs_of(recorded), budget)


def unpacked(content: bytes, most: int) -> bytes:
    """The content of a file compressed with gzip, at most ``most`` bytes of it.

    Other files, and damaged ones, are returned unchanged.
    """
    parts, rest = list[bytes](), content
    while most > 0 and rest.startswith(_GZIP):
        member = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            parts.append(member.decompress(rest, most))
        except zlib.error:
            return content
        most -= len(parts[-1])
        rest = member.unused_data
    return b"".join(parts) if parts else content


def chairs_of(
    game: RecordedGame, seat: int | None = None, *, public: bool = False
) -> tuple[Chair, ...]:
    """The chairs from which a game is shown: all that are allowed, or the requested one.

    Raises:
        HiddenCards: the game is not over, and the requested view has hidden cards in it.

    """
    seats = [str(number) for number in range(len(game.steps[0].state.seats))]
    if public:
        return ("spectator",)
    if game.is_over:
        return ("all", "spectator", *seats) if seat is None else (str(seat),)
    if game.known_to != "all":
        own = () if game.known_to is None else (str(game.known_to),)
        if seat is not None and str(seat) not in own:
            raise HiddenCards(Phrase("evidence.file.hidden_seat", title=game.title, seat=seat))
        return (*own, "spectator") if seat is None else own
    if seat is None and game.findings:
        return ("spectator",)  # what is wrong can be shown without cards
    raise HiddenCards(Phrase("evidence.file.hidden", title=game.title))


def document_of(
    game: RecordedGame,
    chairs: Sequence[Chair],
    budget: WorkBudget,
    lang: Language | UnsetType = UNSET,
) -> ViewerDocument:
    """The document of a game from those chairs; raises TooMuch."""
    steps, last = game.steps, game.steps[-1].state
    head = header(last, len(steps), None)
    by_chair: dict[Chair, Packed] = {}
    sentences: dict[Language, dict[Chair, Packed]] = {
        other: {} for other in LANGUAGES if other != BASE
    }
    for chair in chairs:
        viewer = viewer_of_chair(chair)
        by_chair[chair] = packed(b"".join(ndjson(budget.counted(frames(steps, viewer, BASE)))))
        for other, texts in sentences.items():
            texts[chair] = _sentences(steps, viewer, other, budget)
    return ViewerDocument(
        title=game.title,
        game=last.game,
        rules=head.rules,
        stage=game.stage,
        events=len(steps),
        langs=LANGUAGES,
        lang=lang,
        seats=head.seats,
        chairs=tuple(chairs),
        frames=by_chair,
        sentences=sentences,
        translations={other: _translation(game, other) for other in sentences},
        marks=marks_of(steps),
        distance=distances(steps) if "all" in chairs else UNSET,
        verdict=game.verdict,
        findings=game.findings,
    )


def _translation(game: RecordedGame, lang: Language) -> Translation:
    english, spoken = (_texts(game.conclusions[other]) for other in (BASE, lang))
    phrases = dict(zip(english, spoken, strict=True))
    groups: tuple[Group, ...] = ()
    for _, state in game.steps:
        if state.groups is not groups:
            groups = state.groups
            for row, other in zip(legend(state).groups, legend(state, lang).groups, strict=True):
                phrases[row.words] = other.words
                for wild, meaning in zip(row.wilds, other.wilds, strict=True):
                    phrases[wild.stands_for] = meaning.stands_for
    last, count = game.steps[-1].state, len(game.steps)
    changed = {base: other for base, other in phrases.items() if base != other}
    return Translation(header(last, count, None, lang).rules, changed)


def _texts(conclusion: GameConclusion) -> Iterator[str]:
    """Every text of a verdict and its findings that is for people, in order."""
    yield from (conclusion.verdict.headline, *conclusion.verdict.lines)
    for finding in conclusion.findings:
        yield from (finding.text, finding.rule_text, finding.turn, finding.blame)
        yield from (finding.proves, finding.todo, *finding.vouch)
        for claim in (finding.recorded, finding.expected):
            if claim:
                yield from (claim.sentence, claim.raw)


def viewer_of_chair(chair: Chair) -> Viewer:
    """The viewer whose view a chair has: a seat, a spectator, or all hands."""
    if chair == "all":
        return "all"
    return None if chair == "spectator" else int(chair)


def _sentences(steps: Sequence[Step], viewer: Viewer, lang: Language, budget: WorkBudget) -> Packed:
    lines = [describe(state, event, viewer, lang) for event, state in budget.counted(steps)]
    return packed(msgspec.json.encode(lines))


def packed(data: bytes) -> Packed:
    """The bytes compressed, as text."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
