"""Limits of what one caller may ask: connections, requests and work, attempts, permits, and slots.

`connections` are counted before a request comes over them. `rates` counts requests and the work
that they were, `attempts` guesses and pings; `fair_queue` has the requests of a busy address wait for
one another, `slots` hold those that last (`uploads` those that arrive), and `pace` is at what pace
readers take an answer, of which `unsent` lets the system hold a little. May import `api.problems`,
`api.requests`, `api.errors`, and the rooms below `api`.
"""
