"""What the operator has beside the players, on a port of its own: actions, their record, metrics.

`listener.listener` runs it in a thread; `actions.admin_app` is what it serves. May import what
`api` may, but for `commands` and `routes`.
"""
