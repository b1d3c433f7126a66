"""Fit the value models that the package brings along, and say how good they are.

    python benchmarks/value_models.py [--games N] [--check 10000] [--only classic] [--write]

Every model is fitted to games of `expert` against itself, by the same seed as ever, so the same
sources give the same models. With `--check` each is tried on so many unseen games: the slope of
won games over predicted chances (1 is right), and the Brier score beside two others, that of equal
chances and that of a model that knows the scoreboard alone. Of the points that a seat still takes:
the slope, the mean error, and the root mean square error beside those of the mean over all seats
and of the scoreboard. `--write` replaces `replay/laboratory/account/models.json`.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import chain
from math import exp, sqrt
from operator import mul, sub
from pathlib import Path
from statistics import fmean, linear_regression, pstdev

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from phaseledger.domain.kernel.rollouts.values import BETWEEN, FEATURES
from phaseledger.domain.resolve import resolve
from phaseledger.domain.ruleset import RuleSet
from phaseledger.domain.rulesets import GAMES
from phaseledger.replay.laboratory.account import models
from phaseledger.replay.laboratory.account.fit import GAMES as FITTED
from phaseledger.replay.laboratory.account.fit import Samples, fit, rows, samples

STYLES = ("complete_ordered", "ten_rounds_ordered", "complete_free", "ten_rounds_free")
MORE = 16_000
"""Games for models of the ring, where dice and jokers hide more of what hands are worth."""
FILE = Path(models.__file__).with_name(models.FILE)


def released() -> Iterator[tuple[str, RuleSet, int]]:
    """The rule sets as released, with each number of seats."""
    for name, game in GAMES.items():
        for style in STYLES if "style" in game.settings else ("",):
            rules = resolve(game.rules, {"style": style} if style else {}, game.settings)
            for seats in range(rules.seats_min, rules.seats_max + 1):
                yield f"{name} {style}".strip(), rules, seats


def reliability(gathered: Samples, weights: list[float], features: int) -> tuple[float, float]:
    """The slope of results over predictions, and the Brier score, by the first features alone."""
    sums = [0.0] * 5
    for sample in rows(gathered):
        shares = [
            exp(sum(weights[i] * seat.features[i] for i in range(features) if seat.features[i]))
            for seat in sample
        ]
        for share, (_, won, _) in zip(shares, sample, strict=True):
            chance = share / sum(shares)
            for place, term in enumerate((1.0, chance, won, chance * chance, chance * won)):
                sums[place] += term
            sums.append((chance - won) ** 2)
    count, chances, wins, squares, products = sums[:5]
    slope = (products - chances * wins / count) / (squares - chances * chances / count)
    return slope, sum(sums[5:]) / count


def points(gathered: Samples, weights: list[float]) -> tuple[float, float, float]:
    """The slope of the points that seats still took over those expected, the mean error, and the
    root mean square error.
    """
    expected, taken = list[float](), list[float]()
    for seat in chain.from_iterable(rows(gathered)):
        expected.append(max(sum(map(mul, weights, seat.features)), 0.0))
        taken.append(seat.to_come)
    errors = [*map(sub, expected, taken)]
    slope = linear_regression(expected, taken).slope
    return slope, fmean(errors), sqrt(fmean(error * error for error in errors))


def main() -> None:
    """Fit, check and write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, help="of each model, if not as many as ever")
    parser.add_argument("--check", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    fitted: dict[str, list[float]] = {}
    if given.only:
        fitted = msgspec.json.decode(FILE.read_bytes(), type=dict[str, list[float]])
    for name, rules, seats in released():
        if given.only and not name.startswith(given.only):
            continue
        began = time.process_time()
        weights = fit(rules, seats, games=given.games or (MORE if rules.track else FITTED))
        fitted[models.model_key(rules, seats)] = weights
        text = f"{name}, {seats} seats: {time.process_time() - began:.0f} s"
        if given.check:
            unseen = samples(rules, seats, 2, range(given.check), within=True)
            within, between = weights[:BETWEEN], weights[BETWEEN:]
            slope, brier = reliability(unseen, within, FEATURES)
            _, board = reliability(unseen, between, FEATURES)
            base = (1 - 1 / seats) / seats
            text += (
                f"; slope {slope:.3f}, Brier {brier:.4f}, scoreboard {board:.4f}, base {base:.4f}"
            )
            if rules.scoring == "points":
                slope, error, root = points(unseen, within[FEATURES:])
                board = points(unseen, between[FEATURES:])[2]
                base = pstdev(seat.to_come for sample in rows(unseen) for seat in sample)
                text += (
                    f"; points: slope {slope:.3f}, mean error {error:+.2f}, root mean square "
                    f"{root:.2f}, scoreboard {board:.2f}, base {base:.2f}"
                )
        print(text, flush=True)
        if given.write:
            FILE.write_bytes(msgspec.json.format(msgspec.json.encode(fitted), indent=0) + b"\n")


if __name__ == "__main__":
    main()
