"""Questions about cards without a game, as tests write them."""

from phaseledger.domain.commands import GroupToLay
from phaseledger.domain.explain.check import (
    HitOnIt,
    HitQuestion,
    LaidAlready,
    LayQuestion,
    Verdict,
    check,
)
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES


def ruleset(name: str, **options: object) -> RuleSet:
    game = GAMES[name]
    return resolve(game.rules, options, game.settings)


def to_lay(text: str) -> GroupToLay:
    cards, _, value = text.partition("=")
    return GroupToLay(cards.strip(), int(value) if value else None)


def lay(name: str, phase: int | str, *groups: str, **options: object) -> Verdict:
    question = LayQuestion(phase, tuple(map(to_lay, groups)))
    return check(ruleset(name, **options), question)


def hit(name: str, group: str, *hits: str, **options: object) -> Verdict:
    """``run R3 B4`` or ``parity even R2``; hits as ``R2 low``."""
    kind, *cards = group.split()
    parity = cards.pop(0) if cards[0] in ("odd", "even") else ""
    laid = to_lay(" ".join(cards))
    words = [(text, "") if text.split()[-1] not in ("low", "high") else text.rsplit(" ", 1)
             for text in hits]  # fmt: skip
    question = HitQuestion(
        LaidAlready(kind, laid.cards, parity, value=laid.value),
        tuple(HitOnIt(*pair) for pair in words),
    )
    return check(ruleset(name, **options), question)
