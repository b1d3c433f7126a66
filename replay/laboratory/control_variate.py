"""The weight of luck as a control variate of shares of wins.

Luck is 0 in the mean, so a share less any part of it is right in the mean, as long as the part is
fitted to other games (cross-fitting).
"""

USUAL, USUAL_COUNT = 0.7, 10
"""The weight without knowing better, and for how many results that counts."""


def weight(count: float, products: float, squares: float) -> float:
    """The weight that leaves the least variance of some results, drawn to the usual one where they
    are few: by their number, the sum of (share - mean share) * luck, and the sum of luck squared.
    """
    best = products / squares if squares else USUAL
    return (count * best + USUAL_COUNT * USUAL) / (count + USUAL_COUNT)
