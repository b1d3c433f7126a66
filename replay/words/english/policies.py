"""What a policy asks of a bundle, and what its checks say of that, in English."""

from collections.abc import Mapping

POLICIES: Mapping[str, str] = {
    "policy.cosigned": "Witnesses that have cosigned the checkpoint: {count} of {total}.",
    "policy.witnesses": "{count} witnesses",
    "policy.witnesses@one": "{count} witness",
    "policy.bounded": "{count} witnesses that saw event {seq}, and {more} s later not yet event "
    "{next}",
    "policy.bounded@one": "{count} witness that saw event {seq}, and {more} s later not yet event "
    "{next}",
    "policy.finished": "a finished game",
    "policy.unfinished": "unfinished",
    "policy.voided": "voided",
    "policy.signed": "signed commands of every seat",
    "policy.seats": "seats {values}",
    "policy.checkpoint": "a checkpoint",
    "policy.all_events": "all {count} events",
    "policy.all_events@one": "the one event",
    "policy.key": "a key of {source}",
    "policy.key_of_bundle": "a key of the bundle",
    "policy.seat_key": "key {key} of seat {seat}",
    "policy.receipts": "{count} receipts",
    "policy.receipts@one": "{count} receipt",
    "policy.good_ones": "good ones: {count}",
    "policy.kept": "A receipt that was kept tells another story.",
    "policy.facet": "{facet} (seats {values})",
    "policy.facet@one": "{facet} (seat {values})",
}
