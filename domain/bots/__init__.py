"""The bots: random, greedy and expert players, who see what their seat sees (`domain.sight`).

`registry.BOTS` names them. May import the core of `domain`; nothing of the core imports bots.
"""
