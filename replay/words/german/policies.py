"""What a policy asks of a bundle, and what its checks say of that, in German."""

from collections.abc import Mapping

POLICIES: Mapping[str, str] = {
    "policy.cosigned": "Zeugen, die den Prüfpunkt mitunterschrieben haben: {count} von {total}.",
    "policy.witnesses": "{count} Zeugen",
    "policy.bounded": "{count} Zeugen, die Ereignis {seq} gesehen haben, und "
    "{more} Sekunden danach Ereignis {next} noch nicht",
    "policy.finished": "ein Spiel, das zu Ende ist",
    "policy.unfinished": "nicht zu Ende",
    "policy.voided": "abgebrochen",
    "policy.signed": "unterschriebene Befehle jedes Platzes",
    "policy.seats": "Plätze {values}",
    "policy.checkpoint": "ein Prüfpunkt",
    "policy.all_events": "alle {count} Ereignisse",
    "policy.key": "ein Schlüssel von {source}",
    "policy.seat_key": "Schlüssel {key} von Platz {seat}",
    "policy.receipts": "{count} Quittungen",
    "policy.good_ones": "{count} gute",
    "policy.kept": "Eine aufbewahrte Quittung erzählt eine andere Geschichte.",
    "policy.facet": "{facet} (Plätze {values})",
}
