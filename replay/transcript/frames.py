"""A game as frames: each event in words, with the moves of its cards and the changes of the table.

A page draws from frames: the first has the whole position, each other one a JSON Patch (RFC 6902)
to the position before it. They are made for one viewer, and contain only what this viewer may know
(law 7). docs/reference/frames.md is the format, for programs in other languages.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from phaseledger.domain.events import Event
from phaseledger.domain.evolve import evolve
from phaseledger.domain.explain.catalogue import RulesetInfo, info
from phaseledger.domain.explain.legend import Legend, legend
from phaseledger.domain.rulesets import find_game
from phaseledger.domain.state import Group, Stage, State
from phaseledger.domain.view import TableView
from phaseledger.domain.words import Language
from phaseledger.replay.formats.json_patch import Operation, patch
from phaseledger.replay.formats.records.findings import rule_of
from phaseledger.replay.text import Viewer
from phaseledger.replay.transcript.moves import CardMove, moves
from phaseledger.replay.transcript.table import Step, table_data
from phaseledger.replay.transcript.transcript import describe

FORMAT: Literal["p10-frames/v1"] = "p10-frames/v1"
DistancePoint = Annotated[
    tuple[int, ...],
    Meta(
        min_length=2,
        max_length=2,
        description="An event, and how many cards the seat then lacked for its phase.",
    ),
]
Distances = tuple[tuple[DistancePoint, ...], ...]
"""For each seat pairs: an event's number, and the number of cards that the hand lacked then."""


class EventLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event in words, and the moves of its cards. Empty members are left out."""

    seq: int
    type: str
    seat: Annotated[
        int | None, Meta(description="Whose event it is; left out for what concerns all.")
    ] = None
    round: Annotated[int, Meta(description="The round it belongs to; left out before the first.")]
    turn: Annotated[int, Meta(description="Turns are counted through the whole game.")]
    sentence: str
    more: Annotated[tuple[str, ...], Meta(description="Details, one sentence each.")] = ()
    rule: Annotated[str, Meta(description="The rule behind it, by its ID in the rule book.")] = ""
    moves: tuple[CardMove, ...] = ()


class Position(Struct, frozen=True, kw_only=True):
    """The data to draw: a viewer's table, the legend of its groups, hands where all are seen."""

    table: TableView
    legend: Legend
    hands: Annotated[
        tuple[str | None, ...] | UnsetType,
        Meta(description="By seat; null for a free one. Only where every card is seen."),
    ] = UNSET


class Frame(EventLine, frozen=True, kw_only=True, omit_defaults=True):
    """An event, and the table after it: whole in the first frame, as a patch in all others."""

    position: Position | UnsetType = UNSET
    patch: tuple[Operation, ...] | UnsetType = UNSET


class Sitter(Struct, frozen=True, gc=False):
    """A player at the table; ``bot`` is empty for a person."""

    name: str
    bot: str


class FramesHeader(Struct, frozen=True, kw_only=True):
    """The first line of a document of frames: its viewer and its game."""

    frames: Literal["p10-frames/v1"] = FORMAT
    game: str
    viewer: Viewer
    lang: Language
    events: Annotated[int, Meta(description="How many events the game has, shown here or not.")]
    stage: Stage
    rules: RulesetInfo
    seats: tuple[Sitter | None, ...]
    distance: Annotated[
        Distances | UnsetType,
        Meta(
            description="By seat: `[seq, cards]`, how many cards its hand lacked for its phase "
            "after the deal and after each of its turns; 0 once it has laid. Only where every card "
            "is seen."
        ),
    ] = UNSET


def position(state: State, viewer: Viewer, lang: Language = "en") -> Position:
    """The position of a state: the viewer's table, its legend, and all hands where all are seen."""
    data = _position(state, viewer, msgspec.to_builtins(legend(state, lang)))
    return msgspec.convert(data, Position)


def _position(state: State, viewer: Viewer, legend_data: dict[str, Any]) -> dict[str, Any]:
    table = table_data(state, viewer)
    hands = {"hands": table.pop("hands")} if viewer == "all" else {}
    return {"table": table, "legend": legend_data, **hands}


def header(
    state: State,
    events: int,
    viewer: Viewer,
    lang: Language = "en",
    distance: Distances | UnsetType = UNSET,
) -> FramesHeader:
    """The header for a game of ``events`` events; ``state`` is the last one."""
    game = find_game(state.ruleset.id)
    assert game is not None  # or the opening could not have been decided
    return FramesHeader(
        game=state.game,
        viewer=viewer,
        lang=lang,
        events=events,
        stage=state.stage,
        rules=info(game, state.ruleset, lang),
        seats=sitters(state),
        distance=distance,
    )


def sitters(state: State) -> tuple[Sitter | None, ...]:
    """The players at the table, by seat."""
    return tuple(Sitter(seat.name, seat.bot) if seat else None for seat in state.seats)


def event_line(
    seq: int, event: Event, state: State, viewer: Viewer, lang: Language = "en"
) -> EventLine:
    """One event as a line; ``state`` is the one after it."""
    return EventLine(**_line(seq, event, state, viewer, lang))


def event_lines_after(
    state: State | None, events: Iterable[Event], seq: int, viewer: Viewer, lang: Language = "en"
) -> Iterator[EventLine]:
    """Events as lines, the first of them numbered ``seq``; the state is the one before them."""
    for number, event in enumerate(events, seq):
        state = evolve(state, event)
        yield event_line(number, event, state, viewer, lang)


def _line(seq: int, event: Event, state: State, viewer: Viewer, lang: Language) -> dict[str, Any]:
    sentence, *more = describe(state, event, viewer, lang)
    return {
        "seq": seq,
        "type": type(event).__name__,
        "seat": getattr(event, "seat", None),
        "round": state.round,
        "turn": state.turn,
        "sentence": sentence,
        "more": tuple(more),
        "rule": rule_of(state.ruleset, event),
        "moves": moves(state, event, viewer),
    }


def frames(
    steps: Iterable[Step], viewer: Viewer, lang: Language = "en", first: int = 1
) -> Iterator[Frame]:
    """The frames of a game, or of its events from number ``first`` on, which are the steps."""
    before: dict[str, Any] | None = None
    groups: tuple[Group, ...] | None = None
    legend_data: dict[str, Any] = {}
    for seq, (event, state) in enumerate(steps, first):
        if state.groups is not groups:  # most events leave them, and the legend, as they are
            groups, legend_data = state.groups, msgspec.to_builtins(legend(state, lang))
        line, after = _line(seq, event, state, viewer, lang), _position(state, viewer, legend_data)
        if before is None:
            yield Frame(**line, position=msgspec.convert(after, Position))
        else:
            yield Frame(**line, patch=tuple(patch(before, after)))
        before = after


def ndjson(lines: Iterable[FramesHeader | Frame]) -> Iterator[bytes]:
    """The lines as bytes, each ended by a line feed."""
    encoder = msgspec.json.Encoder()
    for line in lines:
        yield encoder.encode(line) + b"\n"
