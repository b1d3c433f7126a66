"""Why somebody does not sit down, or a rematch is not opened."""


class TableFull(Exception):
    """Every seat is taken, and the newcomer named none."""
