"""The bots: random, greedy and expert players, who see what their seat sees (`domain.sight`).

`registry.decision` asks one of them by name, in the kernel where it covers the game. May import the
core of `domain` and the kernel; nothing of the core imports bots.
"""
