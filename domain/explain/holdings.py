"""The cards that a hand can hold: those of the deck, and number cards turned round to jokers."""

from collections.abc import Sequence

from phaseledger.domain.cards import OWN, PLAYABLE, TURNED, UnreadableCard, parse, show
from phaseledger.domain.explain.wording import card_phrase
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.words import Phrase


def number_jokers(texts: Sequence[str]) -> list[str]:
    """The texts with every plain ``J`` as one of ``J1``, ``J2`` ... that stands nowhere yet."""
    word_lists = [text.split() for text in texts]
    names = {word for words in word_lists for word in words}
    free = (f"J{n}" for n in range(1, 128) if f"J{n}" not in names)
    return [
        " ".join(next(free, word) if word == "J" else word for word in words)
        for words in word_lists
    ]


def has_jokers(ruleset: RuleSet) -> bool:
    """Whether number cards are ever turned round in the game (B-03, B-29)."""
    return "JOKER" in ruleset.track


def holdable_cards(ruleset: RuleSet, texts: Sequence[str], laid: bytes = b"") -> bytes:
    """The cards named that a hand can hold while the cards ``laid`` lie on the table."""
    deck, jokers, hand = ruleset.deck.cards(), 0, bytearray()
    for text in texts:
        try:
            cards = parse(text, ruleset.deck.notation)
        except UnreadableCard:
            continue
        jokers += max((card ^ OWN for card in cards if card > OWN), default=0)
        for card in cards:
            if hand.count(card) < deck.count(card) - laid.count(card):
                hand.append(card)
    joker_count = min(jokers, len(deck)) if has_jokers(ruleset) else 0
    return bytes(hand) + bytes([TURNED]) * joker_count


def shortage(ruleset: RuleSet, texts: Sequence[str]) -> str:
    """The sentence on which of the cards named are more than a hand can hold."""
    cards = b"".join(parse(text, ruleset.deck.notation) for text in texts)
    hand = holdable_cards(ruleset, texts)
    excess = next(
        (card for card in cards if card < OWN and cards.count(card) > hand.count(card)), None
    )
    if excess is None:
        return Phrase("detail.hand.jokers" if has_jokers(ruleset) else "check.no_jokers")
    name = show(bytes([excess]), ruleset.deck.notation)
    return Phrase("reason.not_in_hand", card=card_phrase(name), held=copies(ruleset, name))


def copies(ruleset: RuleSet, card: str) -> Phrase:
    """The number of copies of a card that the deck has, in words."""
    code = PLAYABLE[ruleset.deck.notation][card]
    if code > OWN:
        text = "check.one_joker" if has_jokers(ruleset) else "check.no_jokers"
        return Phrase(text, ruleset.deck.notation)
    count = ruleset.deck.cards().count(code)
    return Phrase("check.copies" if count else "check.no_copy", count=count)
