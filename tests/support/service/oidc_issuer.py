"""An OpenID Connect issuer on a real socket, whose faults a test plants."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jws, jwt
from joserfc.jwk import ECKey, RSAKey

CLIENT = "phaseledger-tests"
SECRET = "a secret/of the client"
KEYS = {name: RSAKey.generate_key(2048, {"kid": name, "use": "sig"}) for name in ("one", "two")}
"""Made once: that takes a while."""
EC = ECKey.generate_key("P-256", {"kid": "curve"})


class OidcIssuer:
    """The issuer: what it says of itself, its keys, and the person who signs in next.

    ``claims`` are put into every ID token, over the usual ones; None leaves one out.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.keys: list[Any] = [KEYS["one"]]
        self.signer: Any = KEYS["one"]
        self.algorithm = "RS256"
        self.header: dict[str, Any] = {}
        self.person: dict[str, Any] = {"sub": "person-1", "preferred_username": "Ada"}
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.document: dict[str, Any] = {
            "issuer": url,
            "authorization_endpoint": f"{url}/authorize?tenant=club",
            "token_endpoint": f"{url}/token",
            "userinfo_endpoint": f"{url}/userinfo",
            "jwks_uri": f"{url}/keys",
            "scopes_supported": ["openid", "profile", "email"],
            "response_types_supported": ["code", "id_token"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        }
        self.asked: list[str] = []
        """The paths of all requests."""
        self.sent: dict[str, Any] = {}
        """The parameters with which a browser came last."""
        self.exchanged: dict[str, str] = {}
        """The form of the last exchange of a code."""
        self.answer: Callable[[str], bytes | None] = lambda _: None
        """Another answer to a path; None: the usual one. A ConnectionError gives none."""
        self._codes: dict[str, dict[str, Any]] = {}

    @property
    def jwks(self) -> dict[str, Any]:
        """The document of its keys; what is no key stands there as it is."""
        kinds = (RSAKey, ECKey)
        return {
            "keys": [
                key.as_dict(private=False) if isinstance(key, kinds) else key for key in self.keys
            ]
        }

    def like_discord(self) -> None:
        """Say as little as Discord: no scopes, no response with an ID token, names in userinfo."""
        for name in ("scopes_supported", "id_token_signing_alg_values_supported"):
            del self.document[name]
        self.document["response_types_supported"] = ["code", "token"]
        self.person = {"sub": "80351110224678912"}
        self.claims = {"nonce": None}
        self.userinfo = {"sub": "80351110224678912", "preferred_username": "nelly", "locale": "de"}

    def id_token(self, **more: Any) -> str:
        """An ID token for the person, signed."""
        now = int(time.time())
        usual = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, **self.person}
        claims = {**usual, **more, **self.claims}
        header = {"alg": self.algorithm, "kid": self.signer.kid, **self.header}
        return jwt.encode(
            {name: value for name, value in header.items() if value is not None},
            {name: value for name, value in claims.items() if value is not None},
            self.signer,
            registry=jws.JWSRegistry(algorithms=[self.algorithm], strict_check_header=False),
        )

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser goes once the person has signed in."""
        self.sent = query
        code = f"code-{len(self._codes)}"
        self._codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        self.exchanged = {**form, "authorization": authorization}
        asked = self._codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if asked is None or asked["code_challenge"] != _encoded(digest):
            return 400, {"error": "invalid_grant"}
        token = self.id_token(nonce=asked["nonce"])
        return 200, {"id_token": token, "access_token": "access", "token_type": "Bearer"}


@contextmanager
def oidc_issuer(port: int = 0) -> Iterator[OidcIssuer]:
    """An issuer, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            issuer.asked.append(parts.path)
            if parts.path == "/authorize":
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                return self._send(303, b"", Location=issuer.authorize(query))
            documents: dict[str, Callable[[], Any]] = {
                "/.well-known/openid-configuration": lambda: issuer.document,
                "/keys": lambda: issuer.jwks,
                "/userinfo": lambda: issuer.userinfo,
            }
            try:
                other = issuer.answer(parts.path)
            except ConnectionError:
                self.close_connection = True
                return None
            if other is not None:
                return self._send(200, other)
            if parts.path not in documents:
                return self._send(404, b"")
            return self._send(200, json.dumps(documents[parts.path]()).encode())

        def do_POST(self) -> None:
            issuer.asked.append(self.path)
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            status, answer = issuer.exchange(form, self.headers.get("authorization", ""))
            self._send(status, json.dumps(answer).encode())

        def _send(self, status: int, content: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Write no log."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    issuer = OidcIssuer(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def without_key(token: str, algorithm: str, key: RSAKey) -> str:
    """The token, signed anew by whoever takes a public key for a secret; or not signed at all."""
    head = {"alg": algorithm, "kid": key.kid}
    text = f"{_encoded(json.dumps(head).encode())}.{token.split('.')[1]}"
    secret = key.as_pem(private=False)
    signed = hmac.digest(secret, text.encode(), "sha256") if algorithm == "HS256" else b""
    return f"{text}.{_encoded(signed)}"


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
