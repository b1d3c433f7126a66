"""The settings of sign-in fit together, or the service says at its start what is wrong."""

from pathlib import Path
from typing import Any

import pytest

from phaseledger.service.settings import Settings, SettingsError, oidc_client
from tests.support.cases import looped

ALL = {
    "oidc_issuer": "https://id.club.example",
    "oidc_client_id": "table",
    "oidc_origin": "https://table.example",
    "oidc_application": "Club",
}


def test_all_of_them_make_a_client_and_none_of_them_none(tmp_path: Path) -> None:
    client = oidc_client(Settings(keys_dir=str(tmp_path), root_path="/cards", **ALL))
    assert client is not None
    assert client.redirect == "https://table.example/cards/play/signed-in"
    assert client.secret == ""
    assert oidc_client(Settings()) is None


@looped(
    ("wrong", "sentence"),
    [
        ({"oidc_client_id": ""}, "PHASELEDGER_OIDC_CLIENT_ID missing"),
        ({"oidc_application": " "}, "PHASELEDGER_OIDC_APPLICATION missing"),
        ({"oidc_issuer": ""}, "PHASELEDGER_OIDC_ISSUER missing"),
        ({"oidc_issuer": "http://id.club.example"}, "OIDC_ISSUER is not usable"),
        ({"oidc_origin": "http://192.0.2.7"}, "OIDC_ORIGIN is not usable"),
        ({"oidc_origin": "https://table.example/play"}, "is no origin"),
        ({"oidc_origin": "https://table.example/"}, "is no origin"),
    ],
)
def test_settings_that_do_not_fit_are_refused(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        oidc_client(Settings(**{**ALL, **wrong}))


def test_the_secret_is_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    settings = Settings(keys_dir=str(tmp_path), **ALL)
    secret = tmp_path / "oidc.secret"
    secret.write_text("s3cret\n")
    secret.chmod(0o640)
    with pytest.raises(SettingsError, match="open to other users"):
        oidc_client(settings)
    secret.chmod(0o600)
    client = oidc_client(settings)
    assert client is not None
    assert client.secret == "s3cret"
