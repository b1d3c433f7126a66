"""What the parts of a report have in common: a figure with its table, and how values are told."""

from collections.abc import Iterator

from phaseledger.replay.pages.charts import Mark, percent, plain_number
from phaseledger.replay.pages.page import Html, element

MOST_COLUMNS = 5
"""Of a table beside its chart."""


def figure(title: str, words: str, chart: Html, *tables: Html) -> Iterator[Html]:
    """A heading, the chart with its words, and the tables with its figures."""
    yield element("h3", title)
    shown = element("figure", chart, element("figcaption", words))
    beside = element("div", *tables)
    # A table of many columns has its place below.
    is_wide = any(each.count('scope="col"') > MOST_COLUMNS for each in tables)
    yield element("div", shown, beside, attributes='class="below"' if is_wide else 'class="pair"')


def interval_text(mark: Mark, *, share: bool = True) -> str:
    """The interval; a dash where there is none."""
    if mark.low is None or mark.high is None:
        return "-"
    told = percent if share else plain_number
    return range_text(told(mark.low), told(mark.high))


def range_text(low: str, high: str) -> str:
    """A range that is not broken over two lines."""
    return f"{low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high}"


def chance_text(chance: float, digits: int = 2) -> str:
    """A chance to so many digits."""
    return f"{chance * 100:.{digits}f}\N{NO-BREAK SPACE}%"


def signed(value: int) -> str:
    """A number of cards, more or less than none."""
    return f"{value:+}" if value else "0"


def value_or_dash(value: float | None, *, share: bool = True) -> str:
    """A share or a number; a dash where there is none."""
    return "-" if value is None else percent(value) if share else plain_number(value)


def short(text: str, most: int = 24) -> str:
    """A label that has room."""
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
