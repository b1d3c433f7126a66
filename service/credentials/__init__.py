"""Credentials: bearer tokens, and the seat or table that each is for.

`store` has the credentials, each of which is a `credential`; `tokens` makes tokens, of which only
hashes are stored. `api.auth` finds the seat of a request's token. May import `eventlog`, `refusals`
and `runtime`.
"""
