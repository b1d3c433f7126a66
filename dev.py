#!/usr/bin/env python3
"""Set up and run: a virtual environment, the project in it, then the demo or every test.

Needs nothing but Python 3.11 or newer. The environment is `.venv` beside this file, or the
directory that PHASELEDGER_VENV names; it is brought up to date whenever pyproject.toml changes, and
the kernel is compiled anew whenever its sources do.
"""

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = Path(os.environ.get("PHASELEDGER_VENV") or ROOT / ".venv").absolute()
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "phaseledger.stamp"
KERNEL = ROOT / "domain" / "kernel"
COMPILER = ROOT / "hatch_build.py"
RELEASE = ROOT / "release.py"
KERNEL_STAMP = VENV / "kernel.stamp"
CHECKS = (
    ("ruff", "format", "--check", "."),
    ("ruff", "check", "."),
    ("mypy",),
    ("lint-imports",),
)
COLLECT = ("pytest", "--collect-only", "-qqqq")
"""Compiles the tests on the processor that the checks leave idle, once for all workers."""
FAST = (
    *("tests/architecture", "tests/domain", "tests/golden", "tests/projections", "tests/contract"),
    *(
        "tests/replay/formats/bundle",
        "tests/replay/formats/records",
        "tests/replay/formats/signing",
    ),
    *("tests/replay/transcript", "tests/replay/formats/test_seat.py"),
    "tests/service/eventlog/test_store_contract.py",
    *("-m", "not postgres and not system and not campaign"),
)
"""The rules, what they lead to, the formats, and both contracts over memory."""
MEMORY = Path("/dev/shm")  # noqa: S108 - what is put there has names of its own
ROOM = 4 << 30
"""Bytes free in memory's file system from which the tests' databases are put there."""
DOMAIN = "tests/domain"
BY_FILE = ("--dist", "loadfile", "--no-loadscope-reorder")
"""A file is one worker's, so what its tests share is made once; the longest come first."""
FOR_TESTS = (
    *("PHASELEDGER_TEST_DSN", "PHASELEDGER_BROWSER", "PHASELEDGER_CHROMIUM"),
    "PHASELEDGER_NODE",
)
"""The settings that are the tests' own: a database server, a browser, and Node.js."""


def main() -> None:
    """Read the command line; arguments that are not ours go on to what is run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser(
        "demo",
        help="four bots play a game through the real service; further arguments go to it",
        add_help=False,
    )
    demo.set_defaults(run=run_demo)
    docs = commands.add_parser("docs", help="build the site that `phaseledger docs` shows")
    docs.set_defaults(run=build_docs)
    release = commands.add_parser(
        "release",
        help="build the last commit into dist/: source distribution, wheels, SBOM, SHA256SUMS",
    )
    release.set_defaults(run=build_release)
    test = commands.add_parser(
        "test",
        help="format, lint, types, layers, tests; further arguments go to pytest",
        description="Runs every check and stops at the first that fails. Further arguments go to "
        "pytest, run from the project's directory; the coverage of a part is not judged.",
        allow_abbrev=False,
    )
    test.add_argument(
        "--fast",
        action="store_true",
        help="what takes less than 90 seconds on two quiet cores, for the inner loop: format, "
        "lint, types, layers, and the tests of the domain, of the golden games, of formats, and of "
        "the contracts over memory; no database, no browser, no built wheel, no coverage",
    )
    test.add_argument(
        "--system",
        action="store_true",
        help="what starts processes and browsers: kills, outages, installation, generated clients, "
        "proxies, every screen; the whole suite has one of each kind",
    )
    test.add_argument(
        "--campaign",
        action="store_true",
        help="what the whole suite leaves to a campaign, some minutes on two quiet cores: more "
        "seeds, screens, widths, games and commands of what it has samples of",
    )
    test.set_defaults(run=run_tests)
    given, rest = parser.parse_known_args()
    given.run(given, rest)


def run_demo(_given: argparse.Namespace, arguments: list[str]) -> NoReturn:
    """Give way to `phaseledger demo`, in the caller's own directory."""
    prepare(groups=())
    environment = {name: value for name, value in os.environ.items() if name != "PHASELEDGER_VENV"}
    program = VENV / "bin" / "phaseledger"
    # In place of this process, so that Ctrl-C reaches the demo alone and it stops its database.
    os.execve(program, [str(program), "demo", *arguments], environment)  # noqa: S606


def build_docs(_given: argparse.Namespace, _arguments: list[str]) -> None:
    """Build the site into the package; a fault of a page is an error."""
    prepare(groups=("docs",))
    began = time.monotonic()
    if failed := subprocess.run([PYTHON, COMPILER, "docs"], check=False).returncode:
        sys.exit(failed)
    say(f"The site is built, in {time.monotonic() - began:.0f} s: {VENV}/bin/phaseledger docs")


def build_release(_given: argparse.Namespace, _arguments: list[str]) -> None:
    """Build the last commit as it is published."""
    prepare(groups=("release",))
    sys.exit(subprocess.run([PYTHON, RELEASE], check=False).returncode)


def run_tests(given: argparse.Namespace, arguments: list[str]) -> NoReturn:
    """Run the checks, then give way to pytest; the exit code is that of the first to fail."""
    prepare(groups=("dev",))
    # The caller's own settings are not the tests' business, and neither is whether Python keeps
    # what it has compiled: the tests start some thousand processes.
    environment = {
        name: value
        for name, value in os.environ.items()
        if (not name.startswith("PHASELEDGER_") or name in FOR_TESTS)
        and name != "PYTHONDONTWRITEBYTECODE"
    }
    environment["PATH"] = f"{VENV / 'bin'}{os.pathsep}{environment.get('PATH', os.defpath)}"
    if "TMPDIR" not in environment and fits_in_memory():
        environment["TMPDIR"] = str(MEMORY)
    os.chdir(ROOT)
    is_whole = not (given.fast or given.system or given.campaign or arguments)
    if not (given.system or given.campaign):  # they follow the whole suite
        run_checks(environment, (*CHECKS, COLLECT) if is_whole else CHECKS)
    *first, last = runs_of_pytest(
        fast=given.fast, system=given.system, campaign=given.campaign, arguments=arguments
    )
    for run in first:
        heading(" ".join(run))
        command = [str(VENV / "bin" / run[0]), *run[1:]]
        if failed := subprocess.run(command, env=environment, check=False).returncode:
            sys.exit(failed)
    heading(" ".join(last))
    os.execve(VENV / "bin" / last[0], last, environment)  # noqa: S606


def fits_in_memory() -> bool:
    """Whether the tests' files have room there: a database on a disk waits for it at each commit.

    Where programs may not be run from it, tests could not either.
    """
    try:
        there = os.statvfs(MEMORY)
    except OSError:
        return False
    return there.f_bavail * there.f_frsize >= ROOM and not there.f_flag & os.ST_NOEXEC


def runs_of_pytest(
    *,
    fast: bool = False,
    system: bool = False,
    campaign: bool = False,
    arguments: Sequence[str] = (),
) -> list[list[str]]:
    """The commands that run the tests, one after the other.

    The domain's own tests have to cover it. All others run without being traced, which would make
    some take four times as long, and so do a few of the domain's that cover nothing more.
    """
    pytest = ["pytest", "-n", "3", "--dist", "worksteal"]  # many wait for a server
    traced = ["pytest", "-n", "2", "--dist", "worksteal"]  # these compute
    by_file = ["pytest", "-n", "4", *BY_FILE]
    if fast:
        return [[*pytest, *FAST, *arguments]]
    if system:
        return [[*by_file, "-m", "system and not campaign", *arguments]]
    if campaign:
        return [[*pytest, "-m", "campaign", *arguments]]
    if arguments:
        return [[*pytest, *arguments]]
    return [
        [*traced, DOMAIN, "-m", "not untraced and not campaign", "--cov"],
        [*by_file, "-m", "(untraced or not domain) and not system and not campaign"],
    ]


def run_checks(environment: dict[str, str], checks: Sequence[Sequence[str]]) -> None:
    """Run the checks side by side, and end with the first of them that fails.

    Of what passes, the last line is shown.
    """
    with ExitStack() as stack:
        running = []
        for program, *options in checks:
            process = subprocess.Popen(
                [str(VENV / "bin" / program), *options],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            running.append(stack.enter_context(process))
            stack.callback(process.kill)
        for check, process in zip(checks, running, strict=True):
            heading(" ".join(check))
            output = process.communicate()[0].rstrip()
            if process.returncode:
                say(output)
                say(f"{check[0]} failed: the checks stop here.")
                sys.exit(process.returncode)
            say(output.rpartition("\n")[2])


def prepare(groups: tuple[str, ...]) -> None:
    """Bring the environment up to date, with these dependency groups of pyproject.toml."""
    refuse_unfit_machine()
    project = (ROOT / "pyproject.toml").read_bytes()
    basis = hashlib.sha256(f"{ROOT}\n{VENV}\n{sys.version}\n".encode() + project).hexdigest()
    stamped = STAMP.read_text().split() if STAMP.exists() else []
    current = stamped[:1] == [basis] and works()
    if current and set(groups) <= set(stamped):
        compile_kernel()
        return
    began = time.monotonic()
    say(f"Setting up {VENV} ...")
    if not current:
        make_environment()
    options = [option for group in ("build", *groups) for option in ("--group", group)]
    # Most of what is installed is never imported; what is, Python compiles then.
    pip("install", "--no-compile", "--editable", f"{ROOT}[server]", *options)
    KERNEL_STAMP.write_text(kernel_basis())
    STAMP.write_text("\n".join([basis, *groups]))
    say(f"Done in {time.monotonic() - began:.0f} s.")


def compile_kernel() -> None:
    """Compile the kernel anew if it, or how it is translated, has changed."""
    basis = kernel_basis()
    if KERNEL_STAMP.exists() and KERNEL_STAMP.read_text() == basis:
        return
    say("Compiling the kernel ...")
    if failed := subprocess.run([PYTHON, COMPILER], check=False).returncode:
        sys.exit(failed)
    KERNEL_STAMP.write_text(basis)


def kernel_basis() -> str:
    """The hash of all that the compiled kernel is made of."""
    files = [*sorted(KERNEL.rglob("*.py")), COMPILER]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def refuse_unfit_machine() -> None:
    """End with a sentence where set-up cannot succeed."""
    if os.name != "posix":
        sys.exit("phaseledger runs on Linux and macOS; on Windows use WSL.")
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            "This Python cannot make virtual environments: ensurepip is missing. "
            "On Debian and Ubuntu: apt install python3-venv."
        )


def works() -> bool:
    """Whether the environment's interpreter still starts; its base may be gone."""
    try:
        return subprocess.run([PYTHON, "-c", ""], check=False).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """Make it from nothing, over an outdated one of our own but over nothing else."""
    if VENV.exists():
        if any(VENV.iterdir()) and not STAMP.exists():
            sys.exit(f"{VENV} was not made by dev.py: remove it, or name another directory.")
        shutil.rmtree(VENV)
    VENV.mkdir(parents=True)
    STAMP.touch()  # so that what an interruption leaves behind counts as ours
    venv.create(VENV, with_pip=True, symlinks=True)
    pip("install", "--upgrade", "pip>=25.1")  # older ones do not know dependency groups


def pip(*arguments: str) -> None:
    """Run the environment's pip, silent unless it fails."""
    ended = subprocess.run(
        [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        check=False,
    )
    if ended.returncode:
        sys.exit(f"{ended.stdout}\npip failed; its own words are above.")


def heading(text: str) -> None:
    """Announce a check."""
    say(f"\n=== {text} ===")


def say(text: str) -> None:
    """Talk, on stderr: stdout belongs to the program that is run."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before any requirement is checked
        sys.exit(f"phaseledger needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    main()
