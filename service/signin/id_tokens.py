"""ID tokens: whether an issuer's keys have signed one, for this client, and for now.

The checks of signature and claims are those of `joserfc`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import JWKRegistry, KeySet
from joserfc.jws import JWSRegistry
from joserfc.jwt import JWTClaimsRegistry, decode

from phaseledger.service.signin.errors import SignInRefused

ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "Ed25519"),
)
"""Signatures by a key that the issuer alone has; none at all, and HMACs, are not among them."""
SKEW = 60
"""Seconds by which the issuer's clock may differ."""
LONGEST = 16 * 1024
LEAST_RSA = 2048 // 6
"""Letters of the smallest RSA modulus that counts, of 2048 bits."""


class KeyUnknown(Exception):
    """No key has the name that the token gives."""


def key_set(document: Mapping[str, Any]) -> KeySet:
    """The keys of a JWKS document that sign; others are left out. Raises ValueError."""
    listed = document.get("keys")
    if not isinstance(listed, list):
        raise TypeError("a JWKS document lists keys")
    keys = []
    for key in listed:
        if isinstance(key, dict) and _signs(key):
            try:
                keys.append(JWKRegistry.import_key(key))
            except (JoseError, ValueError, TypeError, KeyError):
                continue  # RFC 7517, section 5
    return KeySet(keys)


def _signs(key: Mapping[str, Any]) -> bool:
    """Whether the key is for signatures, public, asymmetric, and strong enough."""
    is_strong = key.get("kty") != "RSA" or len(str(key.get("n"))) > LEAST_RSA
    is_meant = key.get("use", "sig") == "sig" and "verify" in key.get("key_ops", ["verify"])
    return key.get("kty") in ("RSA", "EC", "OKP") and is_strong and is_meant and "d" not in key


def claims_of(
    token: str,
    keys: KeySet,
    *,
    issuer: str,
    client: str,
    nonce: str = "",
    has_nonce: bool = True,
    algorithms: Sequence[str] = ALGORITHMS,
) -> dict[str, Any]:
    """The claims of an ID token of the issuer for the client.

    ``nonce`` is what a browser's sign-in has sent, and has to be in the token unless the issuer
    repeats none (``has_nonce``).

    Raises:
        KeyUnknown: no key has the token's key id.
        SignInRefused: the token does not count.

    """
    if len(token) > LONGEST or not token.isascii():
        raise SignInRefused(reason="the ID token is too long, or no text of ASCII")
    allowed = [name for name in ALGORITHMS if name in algorithms]
    if not allowed:  # to the registry an empty list is one of its own
        raise SignInRefused(reason="the issuer signs by no algorithm that counts")
    registry = JWSRegistry(algorithms=allowed, strict_check_header=False)
    try:
        read = decode(token, keys, registry=registry)
        claims = read.claims
        several = isinstance(claims.get("aud"), list) and len(claims["aud"]) > 1
        options: dict[str, Any] = {
            "iss": {"essential": True, "value": issuer},
            "sub": {"essential": True},
            "aud": {"essential": True, "value": client},
            "azp": {"essential": several, "value": client},
            "exp": {"essential": True},
            "iat": {"essential": True},
        }
        if nonce:
            options["nonce"] = {"essential": has_nonce, "value": nonce}
        JWTClaimsRegistry(leeway=SKEW, **options).validate(claims)
    except InvalidKeyIdError as error:
        raise KeyUnknown from error
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise SignInRefused(reason=f"the ID token does not count: {error}") from error
    if str(read.header.get("typ", "JWT")).lower() != "jwt" or "events" in claims:
        raise SignInRefused(reason="the token is no ID token")
    if len(claims["sub"]) > 255:
        raise SignInRefused(reason="the subject is longer than 255 characters")
    return claims
