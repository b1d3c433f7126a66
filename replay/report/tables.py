"""Shared parts of the report: a figure with its tables, and the formatting of values."""

from collections.abc import Iterator

from phaseledger.replay.pages.charts import Mark, percent, plain_number
from phaseledger.replay.pages.page import Html, element

MOST_COLUMNS = 5
"""Of a table beside its chart."""


def figure(title: str, words: str, chart: Html, *tables: Html) -> Iterator[Html]:
    """A figure of the report: heading, chart with its words, and tables with its values."""
    yield element("h3", title)
    chart_figure = element("figure", chart, element("figcaption", words))
    table_column = element("div", *tables)
    # A table of many columns has its place below.
    is_wide = any(table.count('scope="col"') > MOST_COLUMNS for table in tables)
    yield element(
        "div", chart_figure, table_column, attributes='class="below"' if is_wide else 'class="pair"'
    )


def interval_text(mark: Mark, *, share: bool = True) -> str:
    """The interval as text; a dash where there is none."""
    if mark.low is None or mark.high is None:
        return "-"
    format_value = percent if share else plain_number
    return range_text(format_value(mark.low), format_value(mark.high))


def range_text(low: str, high: str) -> str:
    """A range as text that is not broken over two lines."""
    return f"{low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high}"


def chance_text(chance: float, digits: int = 2) -> str:
    """A chance in per cent, to so many digits."""
    return f"{chance * 100:.{digits}f}\N{NO-BREAK SPACE}%"


def signed(value: int) -> str:
    """A number of cards with its sign."""
    return f"{value:+}" if value else "0"


def value_or_dash(value: float | None, *, share: bool = True) -> str:
    """A share or a number as text; a dash where there is none."""
    return "-" if value is None else percent(value) if share else plain_number(value)


def short(text: str, most: int = 24) -> str:
    """The label, cut to so many characters."""
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
