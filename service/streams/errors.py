"""Why no further stream is opened."""


class TooManyStreams(Exception):
    """As many streams are open as there may be, or the process stops."""

    code = "too_many_streams"

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)
        self.detail = detail
