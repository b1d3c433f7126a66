"""Hypothesis strategies: cards, commands that mean something, and commands that mean nothing."""

from hypothesis import strategies as st

from domain import commands as c
from domain.cards import CODES

card = st.sampled_from(sorted(CODES))
cards = st.lists(card, max_size=11).map(" ".join)
garbage = st.text(max_size=12)
text = cards | garbage
seat = st.integers(min_value=-1, max_value=9)

group = st.builds(c.GroupToLay, text, st.none() | st.integers(min_value=-1, max_value=14))
command: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.Draw, st.sampled_from(["stock", "discard"])),
    st.builds(
        c.Lay, st.lists(group, min_size=1, max_size=3).map(tuple), st.none() | st.integers(0, 12)
    ),
    st.builds(c.Hit, st.integers(-3, 9), text, st.sampled_from(["", "low", "high"])),
    st.builds(c.Discard, text, st.none() | seat),
    st.just(c.Pass()),
    st.builds(c.RevealSecret, text),
    st.just(c.Start()),
    st.builds(c.VoidGame, garbage),
    st.builds(c.TakeSeat, garbage, garbage, text, text),
    st.builds(c.OpenGame, garbage, garbage, st.integers(0, 20)),
)
"""Any command with any arguments, typed but not bounded: the shell bounds, the domain must not
need it.
"""

options = st.fixed_dictionaries(
    {},
    optional={
        "stock_exhausted": st.sampled_from(["reshuffle_all_but_top", "reshuffle_all", "end_round"]),
        "no_card_to_draw": st.sampled_from(["continue_without_draw", "end_round"]),
        "wild_min_scope": st.sampled_from(["group", "phase", "none"]),
        "wild_on_full_run": st.booleans(),
        "wild_on_full_set": st.booleans(),
        "run_wrap": st.booleans(),
        "wild_placement": st.sampled_from(["explicit", "high_then_low"]),
        "going_out": st.sampled_from(["any", "discard_required"]),
        "skip_as_last_card": st.booleans(),
        "initial_skip": st.sampled_from(
            ["skip_first_player", "cover", "return_and_redraw", "keep"]
        ),
        "initial_wild": st.sampled_from(["drawable", "return_and_redraw"]),
        "skip_drawable": st.booleans(),
        "skip_plain_discard": st.sampled_from([True, False, "only_if_no_target"]),
        "skip_repeat": st.sampled_from(["until_served", "until_normal_turn"]),
        "skip_survives_round": st.booleans(),
        "dealer_rotation": st.sampled_from(["left", "fixed"]),
        "first_player": st.sampled_from(["left_of_dealer", "dealer", "random"]),
        "lay_oversize": st.booleans(),
        "final_tie": st.sampled_from(["replay", "shared", "went_out"]),
        "final_tie_replay": st.sampled_from(["tied_only", "everybody"]),
        "final_tie_10rounds": st.sampled_from(["more_phases_then_shared", "shared"]),
        "discard_taken_card": st.booleans(),
        "max_turns_per_round": st.sampled_from(["none", 5, 40]),
        "variant": st.sampled_from(["none", "ten_rounds", "even_phases", "n_phases(3)"]),
    },
).map(
    # The one combination that `resolve` refuses.
    lambda chosen: (
        {**chosen, "skip_plain_discard": "only_if_no_target"}
        if chosen.get("skip_repeat") == "until_normal_turn"
        else chosen
    )
)
"""House rules in every combination that `resolve` accepts."""
