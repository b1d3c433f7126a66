"""The look of pages of text: one style, which each page has inside, and the product's mark."""

from phaseledger.replay.web.joiner import styles

STYLE = styles("tokens.css", "text.css")
"""The first part of the style of every page of text."""

MARK = (
    '<svg viewBox="0 0 26 26" aria-hidden="true"><rect x="2.5" y="4.5" width="12" height="18" '
    'rx="3" fill="var(--back)" transform="rotate(-12 8 13)"/><rect x="9.5" y="3.5" width="13" '
    'height="19" rx="3" fill="var(--card)" stroke="var(--card-line)"/><path d="M16 8l1.500 3.200 '
    '3.500.4-2.600 2.300.7 3.500-3.100-1.700-3.100 1.700.7-3.500-2.600-2.300 3.500-.4z" '
    'fill="var(--suit-w)"/></svg>'
)
"""Two cards, the front one a wild."""
