"""Security headers of every answer whose route has not set its own.

`Strict-Transport-Security` is left to the proxy that speaks TLS: over plain HTTP it says nothing,
and only the proxy knows whether all of its host can be had over TLS.
"""

SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)
