"""Bundles spelt as none may be spelt."""

from tests.support.replay.tampering_tools import Parts, Tampering, way, written

MISSPELT: dict[str, Tampering] = {}


@way(MISSPELT)
def a_key_twice(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'{"event":{"at":', b'{"event":{"at":1,"at":', 1)


@way(MISSPELT)
def white_space(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'{"event":{"at":', b'{"event":{"at": ', 1)


@way(MISSPELT)
def a_number_beyond_2_53(parts: Parts, pick: int) -> bytes:
    parts[2][1]["at"] = 2**53 + 1
    return written(parts)


@way(MISSPELT)
def a_number_of_2_53(parts: Parts, pick: int) -> bytes:
    parts[2][1]["at"] = 2**53
    return written(parts)


@way(MISSPELT)
def a_number_with_a_point(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'"seq":1,', b'"seq":1.0,', 1)


@way(MISSPELT)
def a_null(parts: Parts, pick: int) -> bytes:
    parts[2][1]["data"]["asks"] = None
    return written(parts)


@way(MISSPELT)
def invalid_utf_8(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'"name":"', b'"name":"\xff', 1)


@way(MISSPELT)
def half_a_character(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b'"name":"', b'"name":"\\ud800', 1)


@way(MISSPELT)
def a_byte_order_mark(parts: Parts, pick: int) -> bytes:
    return b"\xef\xbb\xbf" + written(parts)


@way(MISSPELT)
def other_line_ends(parts: Parts, pick: int) -> bytes:
    return written(parts).replace(b"\n", b"\r\n")


@way(MISSPELT)
def a_field_more(parts: Parts, pick: int) -> bytes:
    parts[2][1]["note"] = ""
    return written(parts)


@way(MISSPELT)
def a_field_less(parts: Parts, pick: int) -> bytes:
    del parts[2][1]["cmd"]
    return written(parts)


@way(MISSPELT)
def the_file_cut(parts: Parts, pick: int) -> bytes:
    whole = written(parts).splitlines(keepends=True)
    return b"".join(whole[: 3 + pick % (len(whole) - 3)])


@way(MISSPELT)
def the_last_line_feed_cut(parts: Parts, pick: int) -> bytes:
    return written(parts)[:-1]


@way(MISSPELT)
def a_wrong_number_of_lines(parts: Parts, pick: int) -> bytes:
    parts[-1][1]["lines"] += 1
    return written(parts, counted=False)


@way(MISSPELT)
def a_wrong_number_of_events(parts: Parts, pick: int) -> bytes:
    parts[0][1]["events"] += 1
    return written(parts, counted=False)


@way(MISSPELT)
def a_seal_opened_elsewhere(parts: Parts, pick: int) -> Parts:
    at = next(i for i, (kind, _) in enumerate(parts) if kind == "opens")
    parts.insert(at + 2, parts.pop(at))
    return parts


@way(MISSPELT)
def the_secrets_in_another_order(parts: Parts, pick: int) -> Parts:
    at = next(i for i, (kind, _) in enumerate(parts) if kind == "secret")
    parts[at], parts[at + 1] = parts[at + 1], parts[at]
    return parts
