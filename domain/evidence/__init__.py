"""Canonical bytes of events, their hash chain and seals, and Merkle trees over them.

`codec` is the entry: `append`, `decode`, `redact`. May import the events and the hashing of
`domain`.
"""
