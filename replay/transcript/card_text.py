"""Names, cards and laid groups as one viewer may know them."""

from unicodedata import bidirectional

from phaseledger.domain.cards import NAMES, face_down, owner_names, show
from phaseledger.domain.events import CardsHit, Event, Secret, belongs
from phaseledger.domain.state import Group, State
from phaseledger.domain.words import Language, message
from phaseledger.replay.text import Viewer, clean


def may_know(audience: str, viewer: Viewer) -> bool:
    """Whether the viewer may see a value hidden from all but the audience."""
    return viewer == "all" or belongs(audience, viewer)


def visible_secret(event: Event, viewer: Viewer) -> Secret | None:
    """The hidden part of an event that the viewer may know; None if there is none."""
    return next(
        (secret for audience, secret in event.hidden.items() if may_know(audience, viewer)), None
    )


def name(state: State, seat: int, lang: Language = "en") -> str:
    """The name of the seat's player, without characters that a terminal would obey."""
    player = state.seats[seat]
    return _isolated(clean(player.name)) if player else message(lang, "seat", seat=seat)


def _isolated(text: str) -> str:
    """A text that keeps its direction of writing to itself, where that may be from the right."""
    from_the_right = any(bidirectional(character) in {"R", "AL", "AN"} for character in text)
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if from_the_right else text


def cards_text(state: State, cards: bytes) -> str:
    """Cards as the game's deck writes them, the faces of jokers included."""
    return show(cards, state.ruleset.deck.notation)


def held_text(state: State, cards: bytes, viewer: Viewer) -> str:
    """Cards of the viewer's own hand; only viewers of all cards see the faces of jokers."""
    return cards_text(state, cards if viewer == "all" else owner_names(cards))


def lying_text(state: State, cards: bytes, viewer: Viewer) -> str:
    """Cards of a laid group: its jokers keep their backs up."""
    return cards_text(state, cards if viewer == "all" else face_down(cards))


def group_text(state: State, group: Group, viewer: Viewer, lang: Language = "en") -> str:
    """A laid group: its cards, and the ends of a run."""
    return message(
        lang,
        "laid.run" if "run" in group.need.kind else "laid.group",
        kind=kind_words(group, lang),
        cards=lying_text(state, group.cards, viewer),
        low=_rank(state, group.low),
        high=_rank(state, group.high),
    )


def kind_words(group: Group, lang: Language) -> str:
    """The kind of the group in words: ``run``."""
    return message(lang, f"kind.{group.need.kind}", group.need.parity)


def _rank(state: State, rank: int) -> str:
    """The rank as the cards show it; above 12 a run has wrapped."""
    notation = state.ruleset.deck.notation
    card = NAMES[notation][(rank - 1) % 12 + 1]
    return card[1:] if notation == "coloured" else card[:-1]


def turned_up(notation: str, faces: bytes, state: State) -> str:
    """Cards as their owner named them, with what is on the other side of the jokers."""
    words = zip(notation.split(), cards_text(state, faces).split(), strict=True)
    return " ".join(word if word == face else f"J({face})" for word, face in words)


def cards_added(state: State, event: CardsHit) -> bytes:
    """The cards of a hit in the order in which they were added; ``state`` is the one after it."""
    cards, count = state.groups[event.group].cards, len(event.cards.split())
    return cards[:count][::-1] if event.end == "low" else cards[-count:]
