"""The client of the API: `Client`, `AsyncClient`, and `play` for bots.

`phaseledger.client` shows users these names. The protocol is one generator, run by both the
blocking and the asynchronous client. May import `schemas` and the parts below the service
(`domain`, `projections`, and of `replay` the seat and the forms of receipts): it knows nothing of
the server.
"""
