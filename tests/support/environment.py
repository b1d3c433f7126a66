"""Process environments of the least that programs need."""

import os


def plain_environment() -> dict[str, str]:
    """Where programs are, whose home it is, and the language: none of our own settings."""
    return {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
