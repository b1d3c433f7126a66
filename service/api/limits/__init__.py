"""Limits of what one caller may ask: requests and work, attempts, permits, and slots.

`rates` counts requests and the work that they were, `attempts` guesses and pings; `fair_queue` has
the requests of a busy address wait for one another, and `slots` hold requests that last. May import
`api.problems`, `api.requests`, `api.errors`, and the rooms below `api`.
"""
