"""The value models: those of the released rule sets are in the package, others are fitted."""

from array import array
from functools import cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from phaseledger.domain.kernel.values import MODEL
from phaseledger.domain.ruleset import RuleSet, fingerprint
from phaseledger.replay.laboratory.account.fit import fit

FILE = "models.json"
VERSION = 1
"""The version of the features; models of other versions are not read."""
_GAMES_ON_DEMAND = 2_000
_SEED = 1
_WITHOUT_INFLUENCE = {
    "max_turns_per_round": "none",
    "lay_oversize": True,
    "free_phase_named": True,
}
"""Options that hardly change who wins, and the value that a model's key has for each."""


def model_key(ruleset: RuleSet, seats: int) -> str:
    """The name of a model: version, number of seats, and the fingerprint of the rule set, as far as
    its options can change who wins.
    """
    options = replace(ruleset.options, **_WITHOUT_INFLUENCE)
    return f"{VERSION}/{seats}/{fingerprint(replace(ruleset, options=options, revision=0))}"


@cache
def _released() -> dict[str, list[float]]:
    text = files(__package__).joinpath(FILE)
    return msgspec.json.decode(text.read_bytes(), type=dict[str, list[float]])


def has_model(ruleset: RuleSet, seats: int) -> bool:
    """Whether the package has the model, so that it need not be fitted."""
    return model_key(ruleset, seats) in _released()


@cache
def model(ruleset: RuleSet, seats: int) -> "array[float]":
    """The model of a rule set and a number of seats; fitted in seconds where the package has none.

    Raises:
        NotCovered: the kernel does not play the rule set.

    """
    weights = _released().get(model_key(ruleset, seats))
    if weights is None:
        weights = fit(ruleset, seats, _SEED, _GAMES_ON_DEMAND)
    assert len(weights) == MODEL
    return array("d", weights)
