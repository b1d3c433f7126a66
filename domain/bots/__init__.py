"""The bots: random, greedy and expert players, who see their seat's view only.

`registry.BOTS` names them. May import the core of `domain`; nothing of the core imports bots.
"""
