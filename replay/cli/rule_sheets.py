"""What the commands on rules print: a rule set, a verdict on cards, the best way to lay them."""

from collections.abc import Iterator, Sequence

import msgspec

from phaseledger.domain.explain.catalogue import RulesetInfo
from phaseledger.domain.explain.check import Verdict
from phaseledger.domain.explain.referee import Section
from phaseledger.domain.explain.shortfall import MOST_WAYS, BestLay
from phaseledger.domain.options import OptionValue
from phaseledger.domain.words import Language, message

_COPIES_WIDTH = 11  # characters


def sheet_lines(
    ruleset_info: RulesetInfo,
    sections: Sequence[Section],
    chosen: dict[str, OptionValue],
    lang: Language,
) -> Iterator[str]:
    """The lines of a rule set, with a star at each house rule that is not as usual."""
    yield f"{ruleset_info.title} ({ruleset_info.id})"
    total = sum(row.total for row in ruleset_info.cards)
    yield from ("", message(lang, "sheet.cards", count=total))
    width = max(len(row.cards) for row in ruleset_info.cards)
    counted = any(row.points for row in ruleset_info.cards)
    for row in ruleset_info.cards:
        cards = message(lang, "sheet.row.cards", count=f"{row.total:>3}")
        points = message(lang, "sheet.row.points", count=f"{row.points:>2}") if counted else ""
        copies = message(lang, "sheet.row.copies", count=row.copies)
        copies = copies if row.copies < row.total else ""
        yield f"  {row.cards:<{width}}  {cards}  {copies:<{_COPIES_WIDTH}}  {points}".rstrip()
    yield from ("", message(lang, "sheet.phases", count=len(ruleset_info.phases)))
    width = max(len(phase.words) for phase in ruleset_info.phases)
    for phase in ruleset_info.phases:
        yield f"  {phase.number:>2}  {phase.words:<{width}}  {_cited((phase.rule,))}".rstrip()
    for section in sections:
        yield from ("", section.title)
        for line in section.lines:
            yield f"  {line.text}  {_cited(line.rules)}".rstrip()
    yield from ("", message(lang, "sheet.house_rules"))
    for option in ruleset_info.options:
        value = chosen.get(option.name, option.default)
        star = "*" if value != option.default else " "
        text = msgspec.json.encode(value).decode() if isinstance(value, tuple) else _plain(value)
        yield f"{star} {option.name}={text}  {_cited((option.number, *option.rules))}"
        yield f"      {option.meaning} {message(lang, 'sheet.takes', values=option.values)}"


def _plain(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cited(ids: Sequence[str]) -> str:
    cited = " ".join(dict.fromkeys(filter(None, ids)))
    return f"[{cited}]" if cited else ""


def verdict_lines(verdict: Verdict, lang: Language) -> Iterator[str]:
    """The lines of a verdict on cards."""
    code = f"  {verdict.code}" if verdict.code else ""
    outcome = message(lang, "sheet.legal" if verdict.legal else "sheet.illegal")
    yield f"{outcome}{code}  {_cited((verdict.rule,))}".rstrip()
    yield verdict.sentence
    for group in verdict.groups:
        for wild in group.stands_for:
            yield f"  {wild.card} -> {wild.meaning}"


def result_lines(result: BestLay, lang: Language) -> Iterator[str]:
    """The lines of the best way to lay a phase, or of what is missing for it."""
    yield f"{result.sentence}  {_cited((result.rule,))}".rstrip()
    for group in result.groups:
        yield f"  {group.kind:<9}  {group.cards}"
    if result.found:
        left = result.left or message(lang, "sheet.nothing")
        yield f"  {message(lang, 'sheet.left'):<9}  {left}"
        code = "sheet.many_ways" if result.ways == MOST_WAYS else "sheet.ways"
        yield f"  {message(lang, code, count=result.ways)}"
        return
    for lack in result.lacks:
        has = message(lang, "sheet.has", cards=lack.has or message(lang, "sheet.nothing"))
        lacks = message(lang, "sheet.complete")
        if lack.missing:
            lacks = message(lang, "sheet.lacks", count=lack.missing, example=lack.example)
        yield f"  {lack.need}: {has}, {lacks}"
