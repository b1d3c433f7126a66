"""The titles of the service's own refusals in German, by code."""

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "address_too_long": "Die Adresse ist zu lang.",
    "archived": "Das Spiel wurde archiviert: seine Ereignisse sind in einer Datei, die der "
    "Betreiber hat.",
    "bad_cosignature": "Das ist keine Gegenzeichnung eines veröffentlichten Prüfpunkts.",
    "bad_cursor": "Das ist keine Stelle in dieser Liste.",
    "bad_host": "Die Anfrage nennt nicht genau einen Rechner.",
    "bad_join_code": "Das ist nicht der Code des Tisches.",
    "bad_request": "Die Anfrage ist nicht zu verstehen.",
    "bad_signature": "Der Platz hat diesen Befehl nicht für den jetzigen Stand des Spiels "
    "unterschrieben.",
    "body_cut_off": "Der Inhalt endet, bevor er vollständig ist.",
    "body_too_large": "Der Inhalt ist zu groß.",
    "body_too_slow": "Der Inhalt kam zu langsam an.",
    "bot_answers": "Der Platz hat die Zeit überschritten: ein Bot antwortet bis zu seinem nächsten "
    "Zug.",
    "bundle_too_long": "Das Spiel hat zu viele Ereignisse für ein Bündel: exportiere und prüfe es.",
    "damaged_file": "Die Datei ist so beschädigt, dass sich nicht einmal das erste Ereignis ihres "
    "Spiels zeigen lässt.",
    "draining": "Der Dienst nimmt im Moment keine neuen Befehle an; versuch es noch einmal.",
    "duplicate_key": "Ein Objekt im Inhalt hat einen Schlüssel zweimal.",
    "file_too_long": "Die Datei braucht mehr, als der Dienst für eine aufwendet: `phaseledger "
    "viewer` zeigt sie.",
    "game_not_in_file": "Die Datei hat kein Spiel mit dieser Kennung und keins an dieser Stelle.",
    "game_not_over": "Das Spiel ist nicht zu Ende, und vorher sieht niemand seine verdeckten "
    "Karten.",
    "game_set_aside": "Das Spiel ist beiseitegelegt, denn seine Aufzeichnung ist beschädigt.",
    "headers_too_large": "Die Kopfzeilen sind zu groß.",
    "hidden_cards": "Diese Karten darfst du nicht sehen, solange das Spiel nicht zu Ende ist.",
    "history_lost": "Das Protokoll ist zurückgegangen: das gehört zu einem Verlauf, den es nicht "
    "hat.",
    "idempotency_mismatch": "Der Idempotency-Key gehört zu einer anderen Anfrage.",
    "if_match_needed": "Befehle brauchen hier ein If-Match.",
    "impossible_group": "Eine solche Gruppe kann nicht auf dem Tisch liegen.",
    "internal_error": "Hier ist etwas schiefgegangen; soweit bekannt, ist nichts gespeichert.",
    "invalid_body": "Der Inhalt hat nicht die beschriebene Form.",
    "invalid_parameter": "Ein Parameter hat nicht die beschriebene Form.",
    "join_code_needed": "Der Tisch ist privat: zum Hinsetzen braucht es seinen Code.",
    "ledger_behind": "Das Protokoll ist hinter dem Veröffentlichten zurück; es wird gelesen, nicht "
    "geschrieben.",
    "ledger_time_unknown": "Welche Zeit für das Protokoll gilt, ist nicht bekannt; versuch es noch "
    "einmal.",
    "lobby_exhausted": "In diesem Warteraum ist so viel geschehen, dass sich niemand mehr "
    "hinsetzt.",
    "log_damaged": "Die Aufzeichnung davon ist beschädigt; darauf wird nichts unterschrieben.",
    "loop_busy": "Der Dienst kommt im Moment nicht dazu; versuch es noch einmal.",
    "malformed_json": "Der Inhalt ist kein JSON.",
    "method_not_allowed": "Die Adresse kennt diese Methode nicht.",
    "name_taken": "Jemand am Tisch heißt schon so.",
    "no_checkpoint": "Das öffentliche Protokoll hat noch keinen Prüfpunkt.",
    "no_fresh_token": "Die Token dieses Platzes wurden widerrufen; er bekommt kein anderes.",
    "no_spectators": "Diesem Spiel dürfen nur die zusehen, die mitspielen.",
    "no_such_code": "Kein Tisch, an den man sich setzen kann, hat diesen Code.",
    "no_such_delivery": "Der Webhook hat keine solche Zustellung.",
    "no_such_game": "Dieses Spiel gibt es nicht.",
    "no_such_phase": "Die Spielart hat keine solche Phase.",
    "no_such_problem": "Kein Problem hat diesen Code.",
    "no_such_receipt": "Kein Befehl endet mit diesem Ereignis.",
    "no_such_rule": "Keine Regel hat diese Nummer.",
    "no_such_ruleset": "Diese Spielart gibt es hier nicht.",
    "no_such_token": "Kein Token hat diese Kennung.",
    "no_such_webhook": "Das Spiel hat keinen solchen Webhook.",
    "not_a_game": "Die Datei ist kein Spiel: sie ist weder ein Export noch ein Bündel von "
    "phaseledger.",
    "not_found": "Unter dieser Adresse ist nichts.",
    "not_in_log": "Das öffentliche Protokoll umfasst ein solches Ereignis noch nicht.",
    "not_over": "Das Spiel ist nicht zu Ende.",
    "not_ready": "Der Dienst ist nicht bereit.",
    "other_version": "Die Datei hat eine andere Version, als dieser Dienst liest.",
    "seat_handed_over": "Den Platz hat jetzt ein Bot.",
    "seat_not_kept": "Der Platz wird nicht mehr für dich freigehalten.",
    "seat_reserved": "Der Platz wird für jemanden freigehalten, der das Spiel zuvor gespielt hat.",
    "seat_token_needed": "Das darf nur ein Platz; der Gastgeber hat keinen.",
    "several_games": "Die Datei enthält mehrere Spiele: sag welches, durch seine Kennung oder "
    "seine Stelle ab 1.",
    "size_unknown": "Das öffentliche Protokoll hat keine solche Größe.",
    "stale_version": "Das Spiel hat einen anderen Stand, oder das Kennzeichen ist das eines "
    "anderen Betrachters.",
    "store_unavailable": "Das Ereignisprotokoll ist nicht zu erreichen; versuch es noch einmal.",
    "table_full": "Alle Plätze sind besetzt oder werden freigehalten.",
    "ticket_unknown": "Das Ticket ist hier nicht bekannt: es ist benutzt, abgelaufen oder von "
    "einem anderen Spiel.",
    "token_expired": "Das Token ist abgelaufen.",
    "token_missing": "Dafür braucht es ein Token.",
    "token_mistyped": "Das Token ist falsch abgeschrieben: seine Prüfsumme passt nicht.",
    "token_revoked": "Das Token wurde widerrufen.",
    "token_unknown": "Das Token ist hier nicht bekannt.",
    "too_many_bot_games": "Deine Adresse hat so viele Spiele, in denen nur Bots sitzen, wie sie "
    "haben darf.",
    "too_many_events": "Die Tische der Adresse, die diesen eröffnet hat, haben so viel "
    "geschrieben, wie sie dürfen.",
    "too_many_exports": "Es sind so viele Exporte offen, wie es sein dürfen; versuch es noch "
    "einmal.",
    "too_many_guesses": "Von deiner Adresse kamen zu viele falsche Codes; warte ein wenig.",
    "too_many_pings": "Es wurden zu viele Nachrichten verlangt; warte ein wenig.",
    "too_many_replays": "Es werden schon so viele Dateien gelesen, wie zugleich erlaubt sind; "
    "versuch es noch einmal.",
    "too_many_requests": "Es waren zu viele Anfragen; warte ein wenig.",
    "too_many_streams": "Es sind so viele Verbindungen offen, wie es sein dürfen; versuch es noch "
    "einmal.",
    "too_many_tables": "Deine Adresse hat so viele Tische offen, wie sie haben darf.",
    "too_many_webhooks": "Das Spiel hat so viele Webhooks, wie es haben darf.",
    "unknown_parameter": "Die Operation hat keinen solchen Parameter.",
    "unknown_witness": "Keine Gegenzeichnung darauf stammt von einem Zeugen, den dieses Protokoll "
    "annimmt.",
    "unsupported_file_type": "Der Inhalt muss eine Datei sein: application/octet-stream, wie sie "
    "ist oder mit gzip gepackt.",
    "unsupported_media_type": "Der Inhalt muss einfaches application/json in UTF-8 sein.",
    "version_not_reached": "So weit ist das Spiel noch nicht.",
    "views_behind": "Die Ansichten sind noch nicht so weit wie das Protokoll; versuch es noch "
    "einmal.",
    "views_unavailable": "Die Ansichten können nicht gelesen werden; versuch es noch einmal.",
    "webhook_refused": "An diese Adresse wird kein Webhook gesendet.",
    "webhooks_unavailable": "Dieser Dienst sendet keine Webhooks: sein Protokoll ist im "
    "Arbeitsspeicher.",
}
