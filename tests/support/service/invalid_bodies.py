"""Bodies of `POST /v1/games` that must be refused, and how: body, status, code."""

ONE = b'{"ruleset": "classic", "seats": [{"kind": "bot"}]'
TWO = ONE[:-1] + b', {"kind": "bot"}]'
MALFORMED, INVALID, TWICE = (400, "malformed_json"), (400, "invalid_body"), (400, "duplicate_key")
OUT_OF_RANGE = b', "options": {"max_turns_per_round": -1}}'
DEEP = b"[" * 20_000 + b"]" * 20_000

BODIES: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", *MALFORMED),
    "malformed": (b'{"ruleset": "classic", ', *MALFORMED),
    "trailing": (ONE + b"}x", *MALFORMED),
    "invalid UTF-8": (b'{"ruleset": "\xff\xfe", "seats": []}', *MALFORMED),
    "lone surrogate": (rb'{"ruleset": "\ud800", "seats": []}', *MALFORMED),
    "no object": (b"[]", *INVALID),
    "null": (b"null", *INVALID),
    "wrong types": (b'{"ruleset": 7, "seats": [{"kind": "bot"}]}', *INVALID),
    "number as text": (ONE + b', "dealer": "0"}', *INVALID),
    "beyond int64": (ONE + b', "dealer": 99999999999999999999}', *INVALID),
    "digits without end": (b'{"dealer": ' + b"9" * 5000 + b"}", *INVALID),
    "4,000 digits": (b'{"dealer": ' + b"9" * 4000 + b"}", *INVALID),
    "a key twice": (ONE + b', "ruleset": "board"}', *TWICE),
    "a key twice inside": (TWO[:-2] + b', "kind": "bot"}]}', *TWICE),
    "a key twice by an escape": (ONE + rb', "d\u0065aler": 0, "dealer": 1}', *TWICE),
    "a NUL": (b"\x00", *MALFORMED),
    "infinity": (b'{"dealer": 1e999}', *INVALID),
    "unknown field": (ONE + b', "stake": 1}', *INVALID),
    "unknown kind": (b'{"ruleset": "classic", "seats": [{"kind": "cat"}]}', *INVALID),
    "no seats": (b'{"ruleset": "classic", "seats": []}', *INVALID),
    "NUL in a name": (ONE[:-2] + rb', "name": "a\u0000b"}]}', *INVALID),
    "line feed at the end of a name": (ONE[:-2] + rb', "name": "ab\n"}]}', *INVALID),
    "NUL in the rule set": (ONE.replace(b'c"', rb'c\u0000"') + b"}", 422, "unknown_ruleset"),
    "deep": (b'{"ruleset":' + b"[" * 50_000, *MALFORMED),
    "many lists": (b'{"ruleset":[' + b"[]," * 20_000 + b"1]}", *MALFORMED),
    "deep within an option": (ONE + b', "options": {"a": ' + DEEP + b"}}", *MALFORMED),
    "unknown option": (TWO + b', "options": {"a": 1}}', 422, "bad_option"),
    "option out of range": (TWO + OUT_OF_RANGE, 422, "bad_option"),
    "too few seats": (ONE + b"}", 422, "seats_out_of_range"),
    "dealer without a seat": (TWO + b', "dealer": 5}', 422, "no_such_seat"),
    "too large": (b" " * 9_000_000, 413, "body_too_large"),
    "a little too large": (b" " * 65_537, 413, "body_too_large"),
}
