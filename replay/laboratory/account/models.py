"""The value models: those of the released rule sets are in the package, others are fitted."""

from array import array
from functools import cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from phaseledger.domain.kernel.rollouts.values import MODEL
from phaseledger.domain.ruleset import RuleSet, fingerprint
from phaseledger.replay.laboratory.account.fit import Watch, fit, unwatched

FILE = "models.json"
VERSION = 2
"""The version of the features and rows; models of other versions are not read."""
_GAMES_ON_DEMAND = 2_000
_SEED = 1
_MOST_FITTED = 64
_fitted: dict[str, list[float]] = {}
"""The models that were fitted here."""
_WITHOUT_INFLUENCE = {
    "lay_oversize": True,
    "free_phase_named": True,
}
"""Options that hardly change who wins, and the value that a model's key has for each."""
_SELDOM_REACHED = 60
"""Turns of a round from which a limit hardly matters."""


def model_key(ruleset: RuleSet, seats: int) -> str:
    """The name of a model: version, number of seats, and the fingerprint of the rule set, as far as
    its options can change who wins.
    """
    limit = ruleset.options.max_turns_per_round
    is_short = limit != "none" and limit < _SELDOM_REACHED
    options = replace(
        ruleset.options, **_WITHOUT_INFLUENCE, max_turns_per_round=limit if is_short else "none"
    )
    return f"{VERSION}/{seats}/{fingerprint(replace(ruleset, options=options, revision=0))}"


@cache
def _released() -> dict[str, list[float]]:
    text = files(__package__).joinpath(FILE)
    return msgspec.json.decode(text.read_bytes(), type=dict[str, list[float]])


def has_model(ruleset: RuleSet, seats: int) -> bool:
    """Whether the package has the model, so that it need not be fitted."""
    return model_key(ruleset, seats) in _released()


def model(ruleset: RuleSet, seats: int, watch: Watch = unwatched) -> "array[float]":
    """The model of a rule set and a number of seats; fitted in seconds where the package has none.

    ``watch`` is called after each game of a fit.

    Raises:
        NotCovered: the kernel does not cover the rule set.
        What ``watch`` raises.

    """
    key = model_key(ruleset, seats)
    weights = _released().get(key) or _fitted.get(key)
    if weights is None:
        weights = fit(ruleset, seats, _SEED, _GAMES_ON_DEMAND, watch)
        _fitted[key] = weights
        while len(_fitted) > _MOST_FITTED:  # other threads fit as well
            _fitted.pop(next(iter(_fitted)), None)
    assert len(weights) == MODEL
    return array("d", weights)
