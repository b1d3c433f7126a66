"""What a policy asks of a bundle, and what its checks say of that, in French."""

from collections.abc import Mapping

POLICIES: Mapping[str, str] = {
    "policy.cosigned": "Témoins qui ont cosigné le point de contrôle : {count} sur {total}.",
    "policy.witnesses": "{count} témoins",
    "policy.witnesses@one": "{count} témoin",
    "policy.bounded": "{count} témoins qui ont vu l'événement {seq}, et {more} s plus tard pas "
    "encore l'événement {next}",
    "policy.bounded@one": "{count} témoin qui a vu l'événement {seq}, et {more} s plus tard pas "
    "encore l'événement {next}",
    "policy.finished": "une partie terminée",
    "policy.unfinished": "pas terminée",
    "policy.voided": "interrompue",
    "policy.signed": "des commandes signées de chaque place",
    "policy.seats": "places {values}",
    "policy.checkpoint": "un point de contrôle",
    "policy.all_events": "tous les {count} événements",
    "policy.all_events@one": "l'unique événement",
    "policy.key": "une clé de {source}",
    "policy.key_of_bundle": "une clé du paquet",
    "policy.seat_key": "clé {key} de la place {seat}",
    "policy.receipts": "{count} reçus",
    "policy.receipts@one": "{count} reçu",
    "policy.good_ones": "bons : {count}",
    "policy.kept": "Un reçu conservé raconte une autre histoire.",
    "policy.facet": "{facet} (places {values})",
    "policy.facet@one": "{facet} (place {values})",
}
