"""What is stored, sent and signed, with its readers, writers and guards.

`records` reads events from a store or a file, `bundle` a game's evidence, `signing` has keys, notes
and receipts, `sealing` seals what the database hides. Of `replay` it may import `text` alone.
"""
