"""The short route of a look at a game, in the spelling that clients send by the thousand.

`path` has it (`api.exchange`); whatever is spelled otherwise or has a fault goes to the framework's
route, which answers the same by the same functions. May import what `api.commands` may.
"""
