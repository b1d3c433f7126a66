"""What a policy asks of a bundle, and what its checks say of that, in English."""

from collections.abc import Mapping

POLICIES: Mapping[str, str] = {
    "policy.cosigned": "{count} of {total} witnesses have cosigned the checkpoint.",
    "policy.witnesses": "{count} witnesses",
    "policy.bounded": "{count} witnesses that saw event {seq}, and {more} seconds "
    "later not yet event {next}",
    "policy.finished": "a finished game",
    "policy.unfinished": "unfinished",
    "policy.voided": "voided",
    "policy.signed": "signed commands of every seat",
    "policy.seats": "seats {values}",
    "policy.checkpoint": "a checkpoint",
    "policy.all_events": "all {count} events",
    "policy.key": "a key of {source}",
    "policy.seat_key": "key {key} of seat {seat}",
    "policy.receipts": "{count} receipts",
    "policy.good_ones": "{count} good ones",
    "policy.kept": "A receipt that was kept tells another story.",
    "policy.facet": "{facet} (seats {values})",
}
