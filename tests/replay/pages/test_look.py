"""The colours that every page takes: text can be read on its ground, and marks on paper."""

import re

import pytest

from phaseledger.replay.pages.charts import STYLE as CHARTS
from phaseledger.replay.pages.look import STYLE
from phaseledger.replay.web.joiner import styles
from tests.support.cases import looped

SCHEMES = ("light", "dark", "print")
ON_GROUND = ("ink", "soft", "accent", "good", "bad", "note", "seat-0", "seat-3")


def colours(scheme: str) -> dict[str, str]:
    """The colours of a scheme by their names, as six digits."""
    css = styles("tokens.css")
    plain, _, paper = css.partition("@media print")
    which = 1 if scheme == "dark" else 0
    variables = {
        name: pair[which]
        for name, *pair in re.findall(r"--([\w-]+): ?light-dark\((#\w+), ?(#\w+)\)", plain)
    }
    variables |= dict(re.findall(r"--([\w-]+): ?(#\w+)", paper)) if scheme == "print" else {}
    return {name: _long(value) for name, value in variables.items()}


def _long(short: str) -> str:
    return short[1:] if len(short) == 7 else "".join(digit * 2 for digit in short[1:])


def contrast(first: str, second: str) -> float:
    """WCAG 2.2 contrast ratio of two colours."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(first), light(second)))
    return (high + 0.05) / (low + 0.05)


@looped("scheme", SCHEMES)
def test_text_can_be_read_on_every_ground(scheme: str) -> None:
    """WCAG 2.2, 1.4.3, and 1.4.6 for the text itself."""
    of = colours(scheme)
    for ground in ("ground", "surface", "sunk"):
        assert contrast(of["ink"], of[ground]) >= 7
        for name in ON_GROUND:
            assert contrast(of[name], of[ground]) >= 4.5, (name, ground)
    for name in ("good", "bad", "note"):
        assert contrast(of[name], of[f"{name}-ground"]) >= 4.5, name
    assert contrast(of["accent-ink"], of["accent"]) >= 4.5


def test_a_pair_that_cannot_be_read_would_be_found() -> None:
    assert contrast("777777", "ffffff") < 4.5 < contrast("757575", "ffffff")
    assert contrast("000000", "ffffff") == pytest.approx(21)


def test_colours_stand_in_the_tokens_alone() -> None:
    for css in (styles("text.css"), CHARTS):
        assert not re.search(r"#[0-9a-f]{3,8}\b|rgb|hsl", css)
        named = {*re.findall(r"var\(--([\w-]+)\)", css)}
        assert named <= {*re.findall(r"--([\w-]+):", STYLE + CHARTS)}


def test_the_style_loads_nothing() -> None:
    assert not re.search(r"url|@import|http|/\*", STYLE)
