"""Entity tags: which are current, and which versions If-Match allows."""

from itertools import product

from phaseledger.service.api.requests.etags import current_tags, expected_versions, is_known
from phaseledger.service.schemas.versions import KnownVersion
from tests.support.cases import looped

HEAD = "5f0e0a3f8d1c4b7e" + "0" * 48
OTHER = "a" * 16
SUFFIXES = ("-gzip", "-br", "--gzip", ";gzip", ":zstd", "-deflate", "-gzip-br")
"""Of Apache's mod_deflate and mod_brotli, Jetty, Caddy, lighttpd, and of two one after another."""


@looped(("seat", "has_gone_back"), product([None, 0, 11], [False, True]))
def test_a_tag_of_another_history_is_never_current(seat: int | None, has_gone_back: bool) -> None:
    current = current_tags(41, seat, HEAD, has_gone_back=has_gone_back)
    number = "41" if seat is None else f"41.{seat}"
    assert is_known(f'"{number}-{HEAD[:16]}"', *current)
    assert is_known(f'"7", W/"{number}-{HEAD[:16]}"', *current)
    assert is_known("*", *current)
    for suffix in SUFFIXES:
        assert is_known(f'"7", "{number}-{HEAD[:16]}{suffix}"', *current)
        assert not is_known(f'"42{suffix}"', *current)
        assert not is_known(f'"{number}-{OTHER}{suffix}"', *current)
    assert not is_known(f'"{number}-{OTHER}"', *current)
    assert not is_known(f'"42-{HEAD[:16]}"', *current)
    # A number alone fits as long as nothing tells that there ever was another history.
    assert is_known(f'"{number}"', *current) != has_gone_back
    assert current[0] == (f'"{number}-{HEAD[:16]}"' if has_gone_back else f'"{number}"')


@looped(
    ("if_match", "versions"),
    [
        ('"41"', {KnownVersion(41)}),
        ('"41.1"', {KnownVersion(41)}),
        ('"41.0"', set()),
        *((f'"7.1", W/"41.1{suffix}"', {KnownVersion(7), KnownVersion(41)}) for suffix in SUFFIXES),
        (f'"41.1-{OTHER}-gzip"', {KnownVersion(41, OTHER)}),
        ('"41.0-gzip"', set()),
        ('"41-tar"', set()),
        (f'"41-{OTHER}"', {KnownVersion(41, OTHER)}),
        (f'W/"41.1-{OTHER}", "42"', {KnownVersion(41, OTHER), KnownVersion(42)}),
        (f'"41.0-{OTHER}"', set()),
        ('"41-abc"', set()),
        ('"x"', set()),
        ('"' + "9" * 900 + '"', set()),
        ("", None),
        ("*", None),
    ],
)
def test_if_match_allows_the_versions_that_it_names(
    if_match: str, versions: set[KnownVersion] | None
) -> None:
    assert expected_versions(if_match, 1) == versions
