"""What one application, player, address or token may have and do: token buckets, open tables and
their events.

`token_buckets` counts, and `open_tables` knows who opened which table; both in this process, and
apart from others. May import what is below; knows nothing of HTTP, and of a game no more than its
id.
"""
