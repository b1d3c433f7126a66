"""An attempt to sign in, bound to the browser that has begun it.

The browser keeps one secret in a cookie. State, nonce and the verifier of PKCE (RFC 7636) are
hashes of it, so that none of them has to be kept here, and the address of the issuer tells nothing
of the verifier.
"""

import base64
import hashlib
import secrets
import time
from typing import NamedTuple

from phaseledger.service.signin.errors import SignInRefused

COOKIE = "p10_sign_in"
"""The name of its cookie."""
LASTS = 600
"""Seconds in which a sign-in has to be done."""
SKEW = 60
"""Seconds by which the clock of the node that has begun it may differ."""


class SignInAttempt(NamedTuple):
    """An attempt, as the text of its cookie: the time of its beginning, and 32 random bytes."""

    cookie: str

    @classmethod
    def new(cls) -> "SignInAttempt":
        """A fresh attempt."""
        return cls(f"{int(time.time())}.{secrets.token_hex(32)}")

    @property
    def state(self) -> str:
        """What the issuer sends back with the browser."""
        return self._derived("state")

    @property
    def nonce(self) -> str:
        """What the ID token has to repeat."""
        return self._derived("nonce")

    @property
    def verifier(self) -> str:
        """The secret that the code is exchanged with."""
        return self._derived("verifier")

    @property
    def challenge(self) -> str:
        """The hash of the verifier, which the issuer is told first (S256)."""
        return _encoded(self.verifier)

    def require(self, state: str) -> None:
        """Check that the state is the attempt's own, and its time not over. Raises
        SignInRefused.
        """
        begun = self.cookie.partition(".")[0]
        is_recent = begun.isdecimal() and -SKEW <= time.time() - int(begun[:12]) <= LASTS
        if not (is_recent and secrets.compare_digest(state.encode(), self.state.encode())):
            raise SignInRefused(reason="the state is of no sign-in of this browser")

    def _derived(self, purpose: str) -> str:
        return _encoded(f"p10-sign-in/v1 {purpose}\n{self.cookie}")


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
