"""The one path of a command, from the bytes of its request to those of its answer.

`path.CommandPath` stands before the middleware and the framework; `request` reads what came,
`replies` has the command carried out or tried out. May import what `api` may, but for `routes` and
`operator`.
"""
