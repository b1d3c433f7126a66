"""What a page of HTML says: its texts, also those that are only read aloud."""

from html.parser import HTMLParser

from typing_extensions import override

_SPOKEN = ("aria-label", "title", "alt")
_UNSPOKEN = ("style", "code", "pre")


class _Texts(HTMLParser):
    def __init__(self, page: str, unspoken: tuple[str, ...]) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._unspoken = unspoken
        self._within: list[str] = []
        self.feed(page)
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self._unspoken:
            self._within.append(tag)
        self.texts += [value for name, value in attrs if name in _SPOKEN and value]

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag in self._unspoken:
            self._within.remove(tag)

    @override
    def handle_data(self, data: str) -> None:
        if data.strip() and not self._within:
            self.texts.append(data)


def texts_of_page(page: str, *more: str) -> list[str]:
    """The page's texts but for its style, its code and what stands in ``more`` elements."""
    return _Texts(page, (*_UNSPOKEN, *more)).texts
