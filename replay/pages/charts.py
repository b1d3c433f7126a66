"""SVG charts for a page, without script; each has a title and a description in words."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from phaseledger.domain.words import Language, decimal
from phaseledger.replay.pages.page import Html, element, text
from phaseledger.replay.web.joiner import styles

WIDTH, ROW, SIZE = 560, 24, 12
"""In the drawing's own units; the page scales it."""

STYLE = styles("charts.css")
"""CSS that the charts add to the style of the page."""


class Mark(NamedTuple):
    """A value with its interval; ``exact`` is what it should be, where that is known."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    exact: float | None = None


def _n(value: float) -> str:
    """A coordinate as text, rounded to a tenth of a unit."""
    return f"{value:.1f}".removesuffix(".0")


def _text(x: float, y: float, content: object, kind: str = "") -> Html:
    classes = f' class="{kind}"' if kind else ""
    return Html(f'<text x="{_n(x)}" y="{_n(y)}"{classes}>{text(content)}</text>')


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> Html:
    points = f'x1="{_n(x)}" y1="{_n(y)}" x2="{_n(to_x)}" y2="{_n(to_y)}"'
    return Html(f'<line {points} class="{kind}"/>')


def _box(x: float, y: float, wide: float, high: float, kind: str, more: str = "") -> Html:
    size = f'x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
    return Html(f'<rect {size} class="{kind}"{more}/>')


def _dot(x: float, y: float, kind: str, radius: float = 4) -> Html:
    return Html(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="{kind}"/>')


def _diamond(x: float, y: float, kind: str) -> Html:
    return Html(f'<path d="M{_n(x)} {_n(y - 6)}l5 6l-5 6l-5 -6z" class="{kind}"/>')


def drawing(
    key: str,
    title: str,
    description: str,
    size: tuple[float, float],
    *parts: Html,
    wide: bool = False,
) -> Html:
    """An SVG element, with the title and description that a screen reader speaks."""
    title_tag = element("title", title, attributes=f'id="{key}-t"')
    desc_tag = element("desc", description, attributes=f'id="{key}-d"')
    viewport = f'viewBox="0 0 {_n(size[0])} {_n(size[1])}" role="img"'
    style = f' class="chart{" wide" * wide}"'
    labels = f'aria-labelledby="{key}-t {key}-d"'
    return Html(f"<svg {viewport}{style} {labels}>{title_tag}{desc_tag}{''.join(parts)}</svg>")


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Axis ticks: round numbers at even distances that span the values."""
    if not low < high:
        high = low + (abs(low) or 1.0)
    rough = (high - low) / most
    power: float = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.9999)
    return [step * multiple for multiple in range(floor(low / step), ceil(high / step) + 1)]


def percent(value: float, lang: Language = "en") -> str:
    """A share as a percentage; below 10 % with two significant digits, at most four decimals."""
    if not value:
        return "0\N{NO-BREAK SPACE}%"
    digits = max(0, min(4, 1 - floor(log10(abs(value) * 100)))) if abs(value) < 0.1 else 0
    return f"{decimal(value * 100, digits, lang)}\N{NO-BREAK SPACE}%"


def plain_number(value: float, lang: Language = "en") -> str:
    """A number with at most two decimals, and no trailing zeros."""
    digits = len(f"{value:.2f}".rstrip("0").partition(".")[2])
    return decimal(value, digits, lang)


def ranges(
    key: str,
    title: str,
    description: str,
    marks: Sequence[Mark],
    *,
    share: bool = True,
    logarithmic: bool = False,
    usual: float | None = None,
    lang: Language = "en",
) -> Html:
    """A dot plot: for each value a row with a dot, its interval, and a diamond at the exact value.

    ``usual`` is a value that all are compared with. On a logarithmic axis 0 is at the left edge.
    """
    margin = min(230, 20 + max((len(mark.label) for mark in marks), default=0) * 6.6)
    values = [v for m in marks for v in (m.value, m.low, m.high, m.exact, usual) if v is not None]
    if logarithmic:
        positive = [value for value in values if value > 0] or [1.0]
        powers = range(floor(log10(min(positive))), ceil(log10(max(positive))) + 1)
        tick_values = [10.0**power for power in (powers if len(powers) > 1 else (powers[0], 1))]
    else:
        tick_values = ticks(min(values, default=0.0), max(values, default=1.0))
    floor_at, top = tick_values[0], tick_values[-1]

    def x(value: float) -> float:
        if logarithmic:
            fraction = (log10(max(value, floor_at)) - log10(floor_at)) / (
                log10(top) - log10(floor_at)
            )
        else:
            fraction = (value - floor_at) / (top - floor_at)
        return margin + fraction * (WIDTH - margin - 24)

    bottom = 8 + ROW * len(marks)
    label = percent if share else plain_number
    parts = [_line(x(tick), 4, x(tick), bottom, "grid") for tick in tick_values]
    parts += [_text(x(tick), bottom + 16, label(tick, lang), "mid") for tick in tick_values]
    if usual is not None:
        parts.append(_line(x(usual), 4, x(usual), bottom, "axis"))
    for index, mark in enumerate(marks):
        y = 8 + ROW * (index + 0.5)
        parts.append(_text(margin - 8, y + 4, mark.label, "end"))
        if mark.low is not None and mark.high is not None:
            parts.append(_line(x(mark.low), y, x(mark.high), y, "span"))
        if mark.value is not None:
            parts.append(_dot(x(mark.value), y, "dot", 3.5))
        if mark.exact is not None:
            parts.append(_diamond(x(mark.exact), y, "exact"))
    return drawing(key, title, description, (WIDTH, bottom + 24), *parts)


def columns(
    key: str,
    title: str,
    description: str,
    bins: Sequence[tuple[str, float]],
    axis_label: str,
    lang: Language = "en",
) -> Html:
    """A histogram: a column for each bin, every few of them labelled."""
    top = max((value for _, value in bins), default=0) or 1
    tick_values, height, left = [tick for tick in ticks(0, top, 4) if tick == int(tick)], 160, 48
    bar_width = (WIDTH - left - 8) / max(1, len(bins))

    def y(value: float) -> float:
        return 10 + height * (1 - value / tick_values[-1])

    parts = [_line(left, y(tick), WIDTH - 8, y(tick), "grid") for tick in tick_values]
    parts += [_text(left - 6, y(tick) + 4, plain_number(tick, lang), "end") for tick in tick_values]
    every = ceil(len(bins) * max((len(label) for label, _ in bins), default=1) * 8 / (WIDTH - left))
    for index, (label, value) in enumerate(bins):
        bar_x = left + index * bar_width
        parts.append(_box(bar_x + 0.5, y(value), max(0.5, bar_width - 1), y(0) - y(value), "bar"))
        if index % max(1, every) == 0 and bar_x + bar_width / 2 + 3.6 * len(label) < WIDTH:
            parts.append(_text(bar_x + bar_width / 2, y(0) + 15, label, "mid"))
    parts.append(_line(left, y(0), WIDTH - 8, y(0), "axis"))
    parts.append(_text((WIDTH + left) / 2, y(0) + 33, axis_label, "mid"))
    return drawing(key, title, description, (WIDTH, y(0) + 40), *parts)


def heat(
    key: str,
    title: str,
    description: str,
    rows: Sequence[tuple[str, Sequence[float | None]]],
    heads: Sequence[str],
) -> Html:
    """A heat map of shares: the larger the darker, with the percentage in each cell."""
    left = max(64, 8 + max((len(label) for label, _ in rows), default=0) * 6.6)
    cell_width = (WIDTH - 8 - left) / max(1, len(heads))
    parts = [_text(left + cell_width * (n + 0.5), 14, head, "mid") for n, head in enumerate(heads)]
    for index, (label, values) in enumerate(rows):
        y = 20 + ROW * index
        parts.append(_text(left - 8, y + 16, label, "end"))
        for n, value in enumerate(values):
            if value is None:
                continue
            cell_x = left + cell_width * n
            # At most half ink, so that the figures can be read on it.
            strength = f' fill-opacity="{value * 0.5:.2f}"'
            parts.append(_box(cell_x, y, cell_width, ROW, "heat", strength))
            parts.append(_box(cell_x, y, cell_width, ROW, "cell"))
            parts.append(_text(cell_x + cell_width / 2, y + 16, f"{value * 100:.0f}", "mid"))
    return drawing(key, title, description, (WIDTH, 26 + ROW * len(rows)), *parts)


class Span(NamedTuple):
    """A round in a timeline: its turns, and the marks in it by (lane, turn, label)."""

    first: int
    last: int
    laid: Sequence[tuple[int, int, str]]
    lost: Sequence[tuple[int, int]]
    out: int | None


def lanes(
    key: str,
    title: str,
    description: str,
    names: Sequence[str],
    spans: Sequence[Span],
    lang: Language = "en",
) -> Html:
    """A timeline of a game's turns, a lane a seat: phases laid, turns lost, who went out."""
    width, left, high = 1000, 120, 30
    first, last = spans[0].first, spans[-1].last
    bottom = 22 + high * len(names)

    def x(turn: float) -> float:
        return left + (turn - first) / max(1, last + 1 - first) * (width - left - 8)

    parts: list[Html] = []
    for index, span in enumerate(spans):
        start, end = x(span.first), x(span.last + 1)
        if index % 2 == 0:
            parts.append(_box(start, 18, end - start, bottom - 18, "band"))
        if end - start > 12:
            parts.append(_text((start + end) / 2, 13, index + 1, "mid"))
    for lane, name in enumerate(names):
        y = 18 + high * (lane + 0.5)
        parts += [_line(left, y, width - 8, y, "axis"), _text(left - 8, y + 4, name, "end")]
    for span in spans:
        for lane, turn in span.lost:
            turn_x, y = x(turn + 0.5), 18 + high * (lane + 0.5)
            parts.append(_line(turn_x - 3, y - 4, turn_x + 3, y + 4, "lost"))
        for lane, turn, label in span.laid:
            turn_x, y = x(turn + 0.5), 18 + high * (lane + 0.5)
            parts += [_dot(turn_x, y, "dot"), _text(turn_x, y - 6, label, "mid")]
        if span.out is not None:
            parts.append(_diamond(x(span.last + 0.5), 18 + high * (span.out + 0.5), "out"))
    tick_values = [tick for tick in ticks(first, last, 10) if first <= tick <= last]
    parts += [
        _text(x(tick + 0.5), bottom + 14, plain_number(tick, lang), "mid") for tick in tick_values
    ]
    return drawing(key, title, description, (width, bottom + 20), *parts, wide=True)
