"""The public Merkle log of all events: tree, signer, publisher, witness.

`publisher` signs a checkpoint of the tree when there is something new, `witness` watches another
service's log. May import `eventlog`, `refusals` and `runtime`, and of `replay` keys and notes
(`formats.signing`), files (`formats.files`) and the terminal.
"""
