"""English words in the singular or the plural, for texts that the rules and their checks write."""


def inflected(count: int, singular: str, plural: str) -> str:
    """The words for a count, without the number: ``card is`` for 1, else ``cards are``."""
    return singular if count == 1 else plural
