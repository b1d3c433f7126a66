"""Hypothesis strategies: cards, commands that mean something, and commands that mean nothing."""

from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from phaseledger.domain import commands as c
from phaseledger.domain.cards import CODES
from phaseledger.domain.options import Options, OptionValue
from phaseledger.domain.resolve import phase_text
from phaseledger.domain.ruleset import Action
from phaseledger.domain.rulesets import GAMES, preset

# Faces of jokers, `J`, `J1` to `J127` and `?` are among the codes; J1 to J12 shall come up more.
card = st.sampled_from(sorted(CODES)) | st.integers(1, 12).map("J{}".format)
cards = st.lists(card, max_size=11).map(" ".join)
garbage = st.text(max_size=12)
text = cards | garbage
seat = st.integers(min_value=-1, max_value=9)
number = st.integers(min_value=-1, max_value=14)

group = st.builds(c.GroupToLay, text, st.none() | number)
command: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.Draw, st.sampled_from(["stock", "discard"])),
    st.builds(c.Lay, st.lists(group, min_size=1, max_size=4).map(tuple), st.none() | number),
    st.builds(c.Hit, st.integers(-3, 9), text, st.sampled_from(["", "low", "high"])),
    st.builds(c.Discard, text, st.none() | seat),
    st.just(c.Pass()),
    st.builds(c.Move, number),
    st.builds(c.Choose, st.sampled_from(["TAKE", *get_args(Action)]) | garbage),
    st.builds(c.Search, text),
    st.builds(c.Swap, text),
    st.builds(c.Ask, number, st.sampled_from(["left", "right"])),
    st.builds(c.Give, text),
    st.builds(c.Keep, text),
    st.builds(c.RevealSecret, text),
    st.just(c.Start()),
    st.builds(c.VoidGame, garbage),
    st.builds(c.TakeSeat, garbage, garbage, text, text),
    st.builds(c.OpenGame, garbage, st.sampled_from([*GAMES]) | garbage, st.integers(0, 20)),
)
"""Any command with any arguments, typed but not bounded: the shell bounds, the domain must not
need it.
"""


# --- house rules --------------------------------------------------------------------------------


def _listed(hint: Any) -> list[OptionValue]:
    """The values that a type spells out."""
    if hint is bool:
        return [True, False]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        return [value for part in get_args(hint) for value in _listed(part)]
    return []


_BOARD = preset("board")
_TRACK = list(_BOARD.track)
_SPACES: dict[str, st.SearchStrategy[Any]] = {
    "max_turns_per_round": st.sampled_from(["none", 1, 5, 40]),
    "players": st.sampled_from(["2-6", "2-4", "3-10"]),
    "board_phases": st.permutations([phase_text(phase) for phase in _BOARD.phases]).map(tuple),
    "board_track": st.permutations(_TRACK).map(lambda ring: (f"{ring[0]}*", *ring[1:])),
}
"""Options whose type does not spell their values out."""


def _values(name: str, without: tuple[str, ...]) -> st.SearchStrategy[Any]:
    hint = get_type_hints(Options, include_extras=True)[name]
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if name in _SPACES:
        return _SPACES[name]
    return st.sampled_from([value for value in _listed(hint) if value not in without])


def _agreed(chosen: dict[str, OptionValue]) -> dict[str, OptionValue]:
    """Without the one combination that `resolve` refuses (O-10)."""
    if chosen.get("skip_repeat") == "until_normal_turn":
        return {**chosen, "skip_plain_discard": chosen.get("skip_plain_discard") or NO_TARGET}
    return chosen


NO_TARGET = "only_if_no_target"


def options(game: str) -> st.SearchStrategy[dict[str, OptionValue]]:
    """House rules of a game, in every combination that `resolve` accepts."""
    rows = GAMES[game].settings
    values = {name: _values(name, setting.without) for name, setting in rows.items()}
    return st.fixed_dictionaries({}, optional=values).map(_agreed)


house: st.SearchStrategy[tuple[str, dict[str, OptionValue]]] = st.sampled_from([*GAMES]).flatmap(
    lambda name: st.tuples(st.just(name), options(name))
)
"""A game and its house rules."""
