"""A command, from its request to its answer.

`request` reads what came, `replies` has the command carried out or tried out; its route is in
`api.routes.games`. May import what `api` may, but for `routes` and `operator`.
"""
