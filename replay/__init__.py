"""The independent auditor: replays, checks, exports and simulates games."""
