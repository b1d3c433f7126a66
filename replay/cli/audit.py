"""The command `audit`: games one by one in words, or many at once as NDJSON."""

from collections.abc import Iterable
from functools import partial
from time import monotonic
from typing import Annotated

from cyclopts import Parameter

from phaseledger.replay.audit import batch
from phaseledger.replay.audit.audit import audit
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import HERE, GameTarget, Json, StoreOptions
from phaseledger.replay.batch.pool import cores
from phaseledger.replay.batch.work import run_on_all
from phaseledger.replay.records.findings import UNREADABLE, AuditVerdict
from phaseledger.replay.records.source import SourceError
from phaseledger.replay.terminal import (
    DAMAGED,
    FINDINGS,
    SOUND,
    UsageError,
    guarded,
    print_json,
    say,
    tell,
)
from phaseledger.replay.text import clean
from phaseledger.replay.transcript.walk import verdict_lines


def judge(verdicts: Iterable[AuditVerdict]) -> int:
    """The exit code of `audit` for these verdicts."""
    codes = [finding.code for verdict in verdicts for finding in verdict.findings]
    if any(code in UNREADABLE for code in codes):
        return DAMAGED
    return FINDINGS if codes else SOUND


@guarded
def audit_command(
    *targets: GameTarget,
    every: Annotated[
        bool,
        Parameter(
            name="--all",
            negative="",
            show_default=False,
            help="Many games at once: all of the store or, where any are named, of files and of "
            "folders of files.",
        ),
    ] = False,
    quiet: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Name only games that are not sound."),
    ] = False,
    jobs: Annotated[
        int | None,
        Parameter(help="Processes of --all. Default: one a core.", show_default=False),
    ] = None,
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Check that games are whole, follow from their seeds and decisions, and kept every promise.

    Five checks in one pass. Whole: event numbers, types, canonical bytes, hash chain. Same: every
    decision, decided again from the seed, gives the same events byte for byte. Folded: the events
    lead to the state decided on. Conserved: no card is lost. Promised: all commitments were kept.
    The first bad event of a game is named, with its rule and the expected and recorded values.

    A game without an end is sound, with a note: only its head hash, kept elsewhere, can tell that
    no whole command was cut off at its end.

    With --json: {sound, games: [{game, sound, status, ruleset, events, head, findings: [{code,
    game, seq, expected, recorded, text, rule?, reject?, place?}], notes}], damage: [sentence]}.

    With --all, on all cores: one line of JSON for each finding, {code, game, seq, expected,
    recorded, text, rule?, reject?, place?, source?}, and the sum on standard error. ``source`` is
    the file; one that cannot be read to its end is a finding too, ``damaged``. The store is seen as
    of one moment. The lines and their order depend on the games alone, not on --jobs. Of a folder,
    files ending in .ndjson or .jsonl are read, also in folders below it; one file is one process's
    work. With --json as well: a line for each game, as in ``games`` above, and for each such file.

    For example: phaseledger audit games.ndjson

    Or: phaseledger audit --all --jobs 2 > findings.ndjson

    Or: phaseledger audit --all simulated/ cup.ndjson | jq -r .code | sort | uniq -c
    """
    if not every and not targets:
        raise UsageError("Say which games: GAME or FILE, one or more, or --all.")
    if every:
        return _audit_many(targets, store, cores() if jobs is None else jobs, json=json)
    if jobs is not None:
        raise UsageError("--jobs goes with --all.")
    return _audit_each(targets, store, json=json, quiet=quiet)


# --- one by one ---------------------------------------------------------------------------------


def _audit_each(targets: Iterable[str], store: StoreOptions, *, json: bool, quiet: bool) -> int:
    count, code = 0, SOUND
    verdicts: list[AuditVerdict] = []
    damage: list[str] = []
    for target in targets:
        try:
            with inputs.rows(target, store, "auditing") as rows:
                for verdict in audit(rows):
                    count += 1
                    if json or not verdict.sound:
                        verdicts.append(verdict)
                    if not json:
                        _report(verdict, target, quiet=quiet)
        except SourceError as error:
            damage.append(clean(str(error)))
            code = max(code, error.exit_code)
    unsound = sum(not verdict.sound for verdict in verdicts)
    if json:
        print_json({"sound": not unsound and not damage, "games": verdicts, "damage": damage})
    else:
        for sentence in damage:
            tell(sentence)
        if count:
            tell(f"Games: {count - unsound:,} sound, {unsound:,} not sound.")
    return max(code, judge(verdicts))


def _report(verdict: AuditVerdict, source: str, *, quiet: bool) -> None:
    if quiet and verdict.sound:
        return
    for line in verdict_lines(verdict, source):
        say(line)


# --- many at once -------------------------------------------------------------------------------


def _audit_many(targets: tuple[str, ...], store: StoreOptions, jobs: int, *, json: bool) -> int:
    sound = wrong = unfinished = events = broken = 0
    code, start = SOUND, monotonic()
    with run_on_all(
        partial(batch.audit_part, every=json), targets, store, jobs, "auditing"
    ) as parts:
        for part in parts:
            for verdict in part.verdicts:
                print_json(verdict)
            for finding in part.findings:
                broken += finding.code == "damaged"
                if not json or finding.code == "damaged":
                    print_json(finding)
            sound += part.sound
            wrong += part.wrong
            unfinished += part.unfinished
            events += part.events
            code = max(code, part.exit_code)
    seconds = monotonic() - start
    tell(f"Games: {sound:,} sound ({unfinished:,} of them without an end), {wrong:,} not sound.")
    if broken:
        tell(f"Files that cannot be read, or not to their end: {broken:,}.")
    tell(
        f"Events: {events:,} in {seconds:,.1f} s with --jobs {jobs}: "
        f"{events / seconds:,.0f} a second."
    )
    return code
