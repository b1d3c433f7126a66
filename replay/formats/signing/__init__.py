"""Keys, signed notes, receipts and signed commands (Ed25519, RFC 8032).

`keys` keeps the operator's keys, `notes` signs and reads signed notes, `receipts.issue` signs a
receipt, `commands` the moves of a seat. May import `records` and `text`.
"""
