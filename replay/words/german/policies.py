"""What a policy asks of a bundle, and what its checks say of that, in German."""

from collections.abc import Mapping

POLICIES: Mapping[str, str] = {
    "policy.cosigned": "Zeugen, die den Prüfpunkt mitunterschrieben haben: {count} von {total}.",
    "policy.witnesses": "{count} Zeugen",
    "policy.witnesses@one": "{count} Zeuge",
    "policy.bounded": "{count} Zeugen, die Ereignis {seq} gesehen haben, und {more} s danach "
    "Ereignis {next} noch nicht",
    "policy.bounded@one": "{count} Zeuge, der Ereignis {seq} gesehen hat, und {more} s danach "
    "Ereignis {next} noch nicht",
    "policy.finished": "ein Spiel, das zu Ende ist",
    "policy.unfinished": "nicht zu Ende",
    "policy.voided": "abgebrochen",
    "policy.signed": "unterschriebene Befehle jedes Platzes",
    "policy.seats": "Plätze {values}",
    "policy.checkpoint": "ein Prüfpunkt",
    "policy.all_events": "alle {count} Ereignisse",
    "policy.all_events@one": "das eine Ereignis",
    "policy.key": "ein Schlüssel von {source}",
    "policy.key_of_bundle": "ein Schlüssel des Bündels",
    "policy.seat_key": "Schlüssel {key} von Platz {seat}",
    "policy.receipts": "{count} Quittungen",
    "policy.receipts@one": "{count} Quittung",
    "policy.good_ones": "gute: {count}",
    "policy.kept": "Eine aufbewahrte Quittung erzählt eine andere Geschichte.",
    "policy.facet": "{facet} (Plätze {values})",
    "policy.facet@one": "{facet} (Platz {values})",
}
