"""The lawful moves of the active seat, in the order of `legal`."""
