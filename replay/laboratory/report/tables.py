"""Shared parts of the report: a figure with its tables, and labels of charts."""

from collections.abc import Iterator

from phaseledger.replay.pages.page import Html, element

MOST_COLUMNS = 5
"""The most columns of a table beside its chart."""


def figure(title: str, words: str, chart: Html, *tables: Html) -> Iterator[Html]:
    """A figure of the report: heading, chart with its words, and tables with its values."""
    yield element("h3", title)
    chart_figure = element("figure", chart, element("figcaption", words))
    table_column = element("div", *tables)
    # A wider table stands below its chart.
    is_wide = any(table.count('scope="col"') > MOST_COLUMNS for table in tables)
    yield element(
        "div", chart_figure, table_column, attributes='class="below"' if is_wide else 'class="pair"'
    )


def signed(value: int) -> str:
    """A number of cards with its sign."""
    return f"{value:+}" if value else "0"


def short(text: str, most: int = 24) -> str:
    """The label, cut to ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
