"""What a policy asks of a bundle, and what its checks say of that, in French."""

from collections.abc import Mapping

POLICIES: Mapping[str, str] = {
    "policy.cosigned": "Témoins qui ont cosigné le point de contrôle : {count} sur {total}.",
    "policy.witnesses": "{count} témoins",
    "policy.bounded": "{count} témoins qui ont vu l'événement {seq}, et {more} "
    "secondes plus tard pas encore l'événement {next}",
    "policy.finished": "une partie terminée",
    "policy.unfinished": "pas terminée",
    "policy.voided": "interrompue",
    "policy.signed": "des commandes signées de chaque place",
    "policy.seats": "places {values}",
    "policy.checkpoint": "un point de contrôle",
    "policy.all_events": "tous les {count} événements",
    "policy.key": "une clé de {source}",
    "policy.seat_key": "clé {key} de la place {seat}",
    "policy.receipts": "{count} reçus",
    "policy.good_ones": "{count} bons",
    "policy.kept": "Un reçu conservé raconte une autre histoire.",
    "policy.facet": "{facet} (places {values})",
}
