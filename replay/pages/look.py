"""The look of pages of text: the product's tokens and one style sheet over them.

A page has its style inside, so that a report is one file and its policy can name the style's hash.
"""

import re
from pathlib import Path

_STYLES = Path(__file__).parents[1] / "web" / "styles"
TOKENS, SHEET = _STYLES / "tokens.css", _STYLES / "text.css"


def compact(css: str) -> str:
    """A style sheet without its comments and the space that nobody but its writers needs."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", css)).strip()


STYLE = compact(TOKENS.read_text(encoding="utf-8") + SHEET.read_text(encoding="utf-8"))
"""What all pages of text begin with."""

MARK = (
    '<svg viewBox="0 0 26 26" aria-hidden="true"><rect x="2.5" y="4.5" width="12" height="18" '
    'rx="3" fill="var(--back)" transform="rotate(-12 8 13)"/><rect x="9.5" y="3.5" width="13" '
    'height="19" rx="3" fill="var(--card)" stroke="var(--card-line)"/><path d="M16 8l1.500 3.200 '
    '3.500.4-2.600 2.300.7 3.500-3.100-1.700-3.100 1.700.7-3.500-2.600-2.300 3.500-.4z" '
    'fill="var(--suit-w)"/></svg>'
)
"""Two cards, the front one a wild."""
