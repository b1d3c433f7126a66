"""What the tests of applications share: one ledger for each module, and the service over it."""

from tests.support.service.applications import both, settings

__all__ = ["both", "settings"]
