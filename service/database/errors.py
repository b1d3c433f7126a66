"""The exception of the embedded server."""


class EmbeddedPostgresError(Exception):
    """The embedded server cannot be used; the message says why and what to do."""
