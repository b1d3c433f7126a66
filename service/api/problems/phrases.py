"""The reason phrases of HTTP statuses (RFC 9110, section 15), the same on every Python."""

from http import HTTPStatus

_BEFORE_3_13 = {
    413: "Content Too Large",
    414: "URI Too Long",
    416: "Range Not Satisfiable",
    422: "Unprocessable Content",
}
"""Phrases that Python before 3.13 has from earlier RFCs."""


def phrase(status: int) -> str:
    """The status in words: "Not Found" for 404."""
    return _BEFORE_3_13.get(status) or HTTPStatus(status).phrase
