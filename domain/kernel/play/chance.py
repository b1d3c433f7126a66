"""What chance brings: shuffles, starters, and the random numbers of bots.

A source is an array (layout, CHANCE). Generated numbers are those of sfc32 (C. Doty-Humphrey,
PractRand), whose state is four words of 32 bits.
"""

from phaseledger.domain.kernel.layout import CHANCE, END, GENERATED, GIVEN, MODE, NEXT, Ints


def seed_chance(chance: Ints, seed: int, number: int) -> None:
    """Make the source a generator, different for each seed (below 2**62) and number."""
    chance[MODE] = GENERATED
    chance[CHANCE] = seed & 0xFFFFFFFF
    chance[CHANCE + 1] = seed >> 32
    chance[CHANCE + 2] = number & 0xFFFFFFFF
    chance[CHANCE + 3] = 1 + (number >> 32)
    for _ in range(15):
        _next(chance)


def _next(chance: Ints) -> int:
    """The next 32 bits."""
    first = chance[CHANCE]
    second = chance[CHANCE + 1]
    third = chance[CHANCE + 2]
    counter = chance[CHANCE + 3]
    word = (first + second + counter) & 0xFFFFFFFF
    chance[CHANCE] = second ^ (second >> 9)
    chance[CHANCE + 1] = (third + (third << 3)) & 0xFFFFFFFF
    chance[CHANCE + 2] = (((third << 21) & 0xFFFFFFFF | third >> 11) + word) & 0xFFFFFFFF
    chance[CHANCE + 3] = (counter + 1) & 0xFFFFFFFF
    return word


def _given(chance: Ints) -> int:
    """The next of the given words; 0 where none is left, and NEXT passes END then."""
    chance[NEXT] += 1
    return chance[chance[NEXT] - 1] if chance[NEXT] <= chance[END] else 0


def pick(chance: Ints, bound: int) -> int:
    """A number from 0, below the bound (at most 65,536).

    Of 16-bit words it takes them as `deal.uniform_below` does.
    """
    if chance[MODE] == GENERATED:
        return (_next(chance) * bound) >> 32
    if chance[MODE] == GIVEN:
        return _given(chance)
    limit = 65536 - 65536 % bound
    word = _given(chance)
    while word >= limit:
        word = _given(chance)
    return word % bound


def shuffle(chance: Ints, cards: Ints, at: int, count: int) -> None:
    """Shuffle the cards at ``at``; the last is the top. Given cards take their place."""
    if chance[MODE] == GIVEN:
        for i in range(count):
            cards[at + count - 1 - i] = _given(chance)
        return
    for i in range(count - 1, 0, -1):
        j = pick(chance, i + 1)
        cards[at + i], cards[at + j] = cards[at + j], cards[at + i]
