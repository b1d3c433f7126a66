"""Charts as SVG inside a page: no script, no style of their own, and a title and words for each."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from phaseledger.replay.pages.page import Html, element, text

WIDTH, ROW, SIZE = 560, 24, 12
"""In the drawing's own units; the page scales it."""

STYLE = """
figure { margin: .5rem 0 }
figcaption { font-size: .875rem; max-width: 60rem; margin: .25rem 0 }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.5rem; align-items: start }
@media (min-width: 62rem) { .pair { grid-template-columns: 35rem minmax(0, 1fr) } }
svg { display: block; width: 100%; max-width: 35rem; height: auto;
  font: 12px system-ui, sans-serif }
svg.wide { max-width: 100% }
svg text { fill: var(--ink) }
svg .end { text-anchor: end } svg .mid { text-anchor: middle }
svg .axis { stroke: var(--line); stroke-width: 1; fill: none }
svg .grid { stroke: var(--line); stroke-width: .5; stroke-dasharray: 2 3; fill: none }
svg .span { stroke: var(--c0); stroke-width: 2; fill: none }
svg .dot { fill: var(--c0); stroke: none }
svg .exact { fill: none; stroke: var(--c1); stroke-width: 2 }
svg .bar { fill: var(--c0); stroke: none } svg .band { fill: var(--shade); stroke: none }
svg .out { fill: var(--c1); stroke: none } svg .lost { stroke: var(--bad); stroke-width: 1.5 }
svg .heat { fill: var(--c0); stroke: none }
svg .cell { stroke: var(--line); stroke-width: .5; fill: none }
:root { --c0: #0b5c9e; --c1: #b3470b }
@media (prefers-color-scheme: dark) { :root { --c0: #7ab8f5; --c1: #ffab70 } }
.scroll { font-size: .875rem } .scroll bdi { overflow-wrap: break-word }
.note { font-size: .875rem; max-width: 60rem }
nav ul { margin: .25rem 0; padding-left: 1.25rem }
@media print {
  :root { --c0: #0b5c9e; --c1: #b3470b }
  .pair { display: block } figure { break-inside: avoid }
  svg { max-width: 14cm } svg.wide { max-width: 100% }
  figcaption, .note, .scroll { font-size: .7rem } }
"""
"""What the charts add to the style of the page."""


class Mark(NamedTuple):
    """A value with its interval; ``exact`` is what it should be, where that is known."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    exact: float | None = None


def _n(value: float) -> str:
    """A place in the drawing, rounded alike everywhere."""
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, said: object, kind: str = "") -> Html:
    classes = f' class="{kind}"' if kind else ""
    return Html(f'<text x="{_n(x)}" y="{_n(y)}"{classes}>{text(said)}</text>')


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> Html:
    ends = f'x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}"'
    return Html(f'<line {ends} class="{kind}"/>')


def _box(x: float, y: float, wide: float, high: float, kind: str, more: str = "") -> Html:
    size = f'x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
    return Html(f'<rect {size} class="{kind}"{more}/>')


def _dot(x: float, y: float, kind: str, radius: float = 4) -> Html:
    return Html(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="{kind}"/>')


def _diamond(x: float, y: float, kind: str) -> Html:
    return Html(f'<path d="M{_n(x)} {_n(y - 6)}l5 6l-5 6l-5 -6z" class="{kind}"/>')


def drawing(
    key: str, title: str, words: str, size: tuple[float, float], *parts: Html, wide: bool = False
) -> Html:
    """The drawing, named and described for those who do not see it."""
    named = element("title", title, attributes=f'id="{key}-t"')
    told = element("desc", words, attributes=f'id="{key}-d"')
    shape = f'viewBox="0 0 {_n(size[0])} {_n(size[1])}" role="img"'
    style = ' class="wide"' if wide else ""
    spoken = f'aria-labelledby="{key}-t {key}-d"'
    return Html(f"<svg {shape}{style} {spoken}>{named}{told}{''.join(parts)}</svg>")


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers that span the values."""
    if not low < high:
        high = low + (abs(low) or 1.0)
    rough = (high - low) / most
    power: float = 10.0 ** floor(log10(rough))
    step = next(power * times for times in (1, 2, 2.5, 5, 10) if power * times >= rough * 0.9999)
    return [step * place for place in range(floor(low / step), ceil(high / step) + 1)]


def percent(value: float) -> str:
    """A share, as exactly as it is worth telling."""
    if not value:
        return "0\N{NO-BREAK SPACE}%"
    digits = max(0, min(4, 1 - floor(log10(abs(value) * 100)))) if abs(value) < 0.1 else 0
    return f"{value * 100:.{digits}f}\N{NO-BREAK SPACE}%"


def plain_number(value: float) -> str:
    """A number as short as it goes."""
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def ranges(
    key: str,
    title: str,
    words: str,
    marks: Sequence[Mark],
    *,
    share: bool = True,
    logarithmic: bool = False,
    usual: float | None = None,
) -> Html:
    """A row for each value: a dot, its interval, and a diamond where it should be.

    ``usual`` is a value that all are compared with. On a logarithmic axis 0 is at the left edge.
    """
    margin = min(230, 20 + max((len(mark.label) for mark in marks), default=0) * 6.6)
    values = [v for m in marks for v in (m.value, m.low, m.high, m.exact, usual) if v is not None]
    if logarithmic:
        above = [value for value in values if value > 0] or [1.0]
        powers = range(floor(log10(min(above))), ceil(log10(max(above))) + 1)
        places = [10.0**power for power in (powers if len(powers) > 1 else (powers[0], 1))]
    else:
        places = ticks(min(values, default=0.0), max(values, default=1.0))
    floor_at, top = places[0], places[-1]

    def x(value: float) -> float:
        if logarithmic:
            place = (log10(max(value, floor_at)) - log10(floor_at)) / (log10(top) - log10(floor_at))
        else:
            place = (value - floor_at) / (top - floor_at)
        return margin + place * (WIDTH - margin - 24)

    bottom = 8 + ROW * len(marks)
    label = percent if share else plain_number
    parts = [_line(x(place), 4, x(place), bottom, "grid") for place in places]
    parts += [_text(x(place), bottom + 16, label(place), "mid") for place in places]
    if usual is not None:
        parts.append(_line(x(usual), 4, x(usual), bottom, "axis"))
    for place, mark in enumerate(marks):
        y = 8 + ROW * (place + 0.5)
        parts.append(_text(margin - 8, y + 4, mark.label, "end"))
        if mark.low is not None and mark.high is not None:
            parts.append(_line(x(mark.low), y, x(mark.high), y, "span"))
        if mark.value is not None:
            parts.append(_dot(x(mark.value), y, "dot", 3.5))
        if mark.exact is not None:
            parts.append(_diamond(x(mark.exact), y, "exact"))
    return drawing(key, title, words, (WIDTH, bottom + 24), *parts)


def columns(
    key: str, title: str, words: str, bins: Sequence[tuple[str, float]], named: str
) -> Html:
    """A histogram: a column for each bin, every few of them labelled."""
    top = max((value for _, value in bins), default=0) or 1
    places, height, left = [p for p in ticks(0, top, 4) if p == int(p)], 160, 48
    wide = (WIDTH - left - 8) / max(1, len(bins))

    def y(value: float) -> float:
        return 10 + height * (1 - value / places[-1])

    parts = [_line(left, y(place), WIDTH - 8, y(place), "grid") for place in places]
    parts += [_text(left - 6, y(place) + 4, plain_number(place), "end") for place in places]
    every = ceil(len(bins) * max((len(label) for label, _ in bins), default=1) * 8 / (WIDTH - left))
    for place, (label, value) in enumerate(bins):
        at = left + place * wide
        parts.append(_box(at + 0.5, y(value), max(0.5, wide - 1), y(0) - y(value), "bar"))
        if place % max(1, every) == 0 and at + wide / 2 + 3.6 * len(label) < WIDTH:
            parts.append(_text(at + wide / 2, y(0) + 15, label, "mid"))
    parts.append(_line(left, y(0), WIDTH - 8, y(0), "axis"))
    parts.append(_text((WIDTH + left) / 2, y(0) + 33, named, "mid"))
    return drawing(key, title, words, (WIDTH, y(0) + 40), *parts)


def heat(
    key: str,
    title: str,
    words: str,
    rows: Sequence[tuple[str, Sequence[float | None]]],
    heads: Sequence[str],
) -> Html:
    """Shares as cells, the larger the darker; the figures stand in them."""
    left, wide = 64, (WIDTH - 72) / max(1, len(heads))
    parts = [_text(left + wide * (n + 0.5), 14, head, "mid") for n, head in enumerate(heads)]
    for place, (label, values) in enumerate(rows):
        y = 20 + ROW * place
        parts.append(_text(left - 8, y + 16, label, "end"))
        for n, value in enumerate(values):
            if value is None:
                continue
            at = left + wide * n
            # At most half ink, so that the figures can be read on it.
            strength = f' fill-opacity="{value * 0.5:.2f}"'
            parts.append(_box(at, y, wide, ROW, "heat", strength))
            parts.append(_box(at, y, wide, ROW, "cell"))
            parts.append(_text(at + wide / 2, y + 16, f"{value * 100:.0f}", "mid"))
    return drawing(key, title, words, (WIDTH, 26 + ROW * len(rows)), *parts)


class Span(NamedTuple):
    """A round in a timeline: its turns, and the marks in it by (lane, turn, label)."""

    first: int
    last: int
    laid: Sequence[tuple[int, int, str]]
    lost: Sequence[tuple[int, int]]
    out: int | None


def lanes(key: str, title: str, words: str, names: Sequence[str], spans: Sequence[Span]) -> Html:
    """A lane for each seat over the turns of a game: phases laid, turns lost, who went out."""
    width, left, high = 1000, 120, 30
    first, last = spans[0].first, spans[-1].last
    bottom = 22 + high * len(names)

    def x(turn: float) -> float:
        return left + (turn - first) / max(1, last + 1 - first) * (width - left - 8)

    parts: list[Html] = []
    for place, span in enumerate(spans):
        start, end = x(span.first), x(span.last + 1)
        if place % 2 == 0:
            parts.append(_box(start, 18, end - start, bottom - 18, "band"))
        if end - start > 12:
            parts.append(_text((start + end) / 2, 13, place + 1, "mid"))
    for lane, said in enumerate(names):
        y = 18 + high * (lane + 0.5)
        parts += [_line(left, y, width - 8, y, "axis"), _text(left - 8, y + 4, said, "end")]
    for span in spans:
        for lane, turn in span.lost:
            at, y = x(turn + 0.5), 18 + high * (lane + 0.5)
            parts.append(_line(at - 3, y - 4, at + 3, y + 4, "lost"))
        for lane, turn, label in span.laid:
            at, y = x(turn + 0.5), 18 + high * (lane + 0.5)
            parts += [_dot(at, y, "dot"), _text(at, y - 6, label, "mid")]
        if span.out is not None:
            parts.append(_diamond(x(span.last + 0.5), 18 + high * (span.out + 0.5), "out"))
    places = [place for place in ticks(first, last, 10) if first <= place <= last]
    parts += [_text(x(place + 0.5), bottom + 14, plain_number(place), "mid") for place in places]
    return drawing(key, title, words, (width, bottom + 20), *parts, wide=True)
