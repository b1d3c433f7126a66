"""The lawful moves of the active seat, in the order of `legal`, entered by `listing.list_moves`.

May import `play`.
"""
