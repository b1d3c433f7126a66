"""The bots: which of the listed moves each of them plays."""
