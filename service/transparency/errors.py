"""Why the public log does not prove something, or takes no cosignature."""


class TreeError(Exception):
    """The tree is not what it should be; the message says why and what to do."""
