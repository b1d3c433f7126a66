"""Credentials: bearer tokens, and the seat or table that each is for.

`store` has the port and a store in memory, `postgres` that in the database; `tokens` makes tokens,
of which only hashes are stored. Which seat a request's token is, `api.auth` says. May import
`eventlog`, `refusals` and `runtime`.
"""
