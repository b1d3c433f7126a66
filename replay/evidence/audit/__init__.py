"""The audit: every recorded decision is decided again, and the events compared.

`audit.audit` judges one game, `batch` many on all cores; commitments, conservation and proofs have
a module each. May import `referee`, `batch`, `terminal` and `formats`.
"""
