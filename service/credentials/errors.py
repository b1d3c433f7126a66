"""Why a token is refused, or the want of one."""


class TokenRefused(Exception):
    """A token that was issued and counts no more; ``code`` is that of the problem."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
