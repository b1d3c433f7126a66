"""What one address, or one token, may have and do: token buckets, open tables and their events.

`token_buckets` count in this process, `open_tables` knows who opened which table, and `postgres`
shares both between the processes of one ledger. May import `eventlog` and what is below; knows
nothing of HTTP, and of a game no more than its id.
"""
