"""Stored events, read from a file or from the log, and their faults.

`source` reads, `findings` names faults, `files` writes files that are there whole or not at all.
Imports nothing else of `replay`.
"""
