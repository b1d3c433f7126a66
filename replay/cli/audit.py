"""The command `audit`: games one by one in words, or many at once as NDJSON."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated, get_args

from phaseledger.domain.words import Language, amount, decimal, message, reason_of, spoken
from phaseledger.replay.batch import inputs
from phaseledger.replay.batch.inputs import (
    HERE,
    ClusterAddress,
    GameTarget,
    Json,
    LangOption,
    ResumeFile,
    StoreOptions,
    optional,
)
from phaseledger.replay.batch.pool import Workers, workers_of
from phaseledger.replay.batch.results import open_results
from phaseledger.replay.batch.work import run_on_all
from phaseledger.replay.evidence.audit import batch
from phaseledger.replay.evidence.audit.audit import audit
from phaseledger.replay.evidence.audit.public_log import KeptCheckpoint, LogFinding
from phaseledger.replay.evidence.walk import verdict_lines
from phaseledger.replay.formats.records.findings import AuditVerdict, FindingCode
from phaseledger.replay.formats.records.source import DamagedSource, SourceError
from phaseledger.replay.formats.signing import notes
from phaseledger.replay.formats.text_files import read_text
from phaseledger.replay.terminal import FINDINGS, SOUND, UsageError, guarded, print_json, say, tell
from phaseledger.replay.text import clean


@guarded
def audit_command(
    *targets: GameTarget,
    every: Annotated[
        bool,
        optional(
            "Many games at once: all of the store or, where any are named, of files and of "
            "folders of files.",
            "--all",
        ),
    ] = False,
    quiet: Annotated[bool, optional("Name only games that are not sound.")] = False,
    jobs: Annotated[int | None, optional("Processes of --all. Default: one a core.")] = None,
    cluster: ClusterAddress = "",
    resume: ResumeFile = None,
    referee: Annotated[
        bool,
        optional("Have each event judged by a second referee too, who has the rule book alone."),
    ] = False,
    checkpoint: Annotated[
        tuple[Path, ...],
        optional(
            "A checkpoint of the store's public log that was published, or a folder of them; "
            "may be repeated. Default: those that the service keeps in PHASELEDGER_PUBLISHED_DIR."
        ),
    ] = (),
    archive: Annotated[
        Path | None,
        optional("The folder of the store's archived games, whose files are audited as well."),
    ] = None,
    lang: LangOption = "en",
    json: Json = False,
    store: StoreOptions = HERE,
) -> int:
    """Check that games are whole, follow from their seeds and decisions, and kept every promise.

    Five checks in one pass. Whole: event numbers, types, canonical bytes, hash chain. Same: every
    decision, decided again from the seed, gives the same events byte for byte. Folded: the events
    lead to the state decided on. Conserved: no card is lost. Promised: all commitments were kept.
    The first bad event of a game is named, with its rule and the expected and recorded values.
    All of that trusts the rules that played. With --referee each event is judged once more by
    another program, written from the rule book alone: its objection is a finding, against_rules.

    A game without an end is sound, with a note: only its head hash, kept elsewhere, can tell that
    no whole command was cut off at its end. For a store, --all without targets can: it holds the
    events against the store's own public log, and that against checkpoints that were published.
    Checkpoints are taken as they are: `verify` sees whether they are signed. Of games that were
    archived the store has the leaves alone; with --archive their files are audited, and held
    against these.

    With --json: {sound, games: [{game, sound, status, ruleset, events, head, findings: [{code,
    game, seq, expected, recorded, text, rule?, reject?, place?}], notes}], damage: [sentence]}.

    With --all, on all cores: one line of JSON for each finding, {code, game, seq, expected,
    recorded, text, rule?, reject?, place?, source?}, and the sum on standard error. ``source`` is
    the file; one that cannot be read to its end is a finding too, ``damaged``. The public log's are
    ``event_lost``, ``event_not_logged``, ``tree_differs``, ``checkpoint_differs``,
    ``checkpoint_ahead`` and ``log_unknown``; ``game`` is empty where it cannot be told.
    Those of archived games are ``tombstone_differs``, ``archive_lost`` and ``archive_differs``.
    The store is seen as of one moment. The lines and their order depend on the games alone, not on
    --jobs. Of a folder, files ending in .ndjson or .jsonl are read, also in folders below it; one
    file is one process's work. With --json as well: a line for each game, as in ``games`` above,
    and for each such file.

    With --resume as well, an audit that was broken off goes on when the same command is given once
    more, and prints what it would have printed without a break. Files and games that have changed
    since are audited anew, and the store's log as a whole is held against its checkpoints each
    time. A file of results that is damaged, or another command's, is refused and left as it is.

    --lang is the language of what is printed for people, and of the sum of --all; JSON is in
    English.

    For example: phaseledger audit games.ndjson

    Or: phaseledger audit games.ndjson --lang de

    Or: phaseledger audit --all --jobs 2 > findings.ndjson

    Or: phaseledger audit --all simulated/ cup.ndjson | jq -r .code | sort | uniq -c
    """
    if not every and not targets:
        raise UsageError("Say which games: GAME or FILE, one or more, or --all.")
    if every:
        if targets and (checkpoint or archive):
            raise UsageError(
                "--checkpoint and --archive go with the whole store: --all without targets."
            )
        workers = workers_of(jobs, cluster)
        return _audit_many(
            targets, store, workers, resume, checkpoint, archive, lang, json=json, referee=referee
        )
    if jobs is not None or cluster or resume or checkpoint or archive:
        raise UsageError("--jobs, --cluster, --resume, --checkpoint and --archive go with --all.")
    return _audit_each(targets, store, lang, json=json, quiet=quiet, referee=referee)


# --- one by one ---------------------------------------------------------------------------------


def _audit_each(
    targets: Sequence[str],
    store: StoreOptions,
    lang: Language,
    *,
    json: bool,
    quiet: bool,
    referee: bool,
) -> int:
    inputs.require_distinct(inputs.game_id(target) or target for target in targets)
    count, code = 0, SOUND
    verdicts: list[AuditVerdict] = []
    damage: list[str] = []
    for target in targets:
        try:
            with inputs.rows(target, store, "auditing") as rows:
                for verdict in audit(rows, with_referee=referee):
                    count += 1
                    if json or not verdict.sound:
                        verdicts.append(verdict)
                    if not json and not (quiet and verdict.sound):
                        say(*verdict_lines(verdict, target, lang))
        except SourceError as error:
            damage.append(clean(reason_of(error)))
            code = max(code, error.exit_code)
    unsound = sum(not verdict.sound for verdict in verdicts)
    if json:
        print_json({"sound": not unsound and not damage, "games": verdicts, "damage": damage})
    else:
        tell(*(spoken(sentence, lang) for sentence in damage))
        if count:
            tell(_sum(lang, "games", count=count - unsound, more=unsound))
    codes = (finding.code for verdict in verdicts for finding in verdict.findings)
    return max(code, batch.exit_code(codes))


def _sum(lang: Language, code: str, /, **amounts: int) -> str:
    """The message of that code with amounts as the language writes them."""
    texts = {name: amount(number, lang) for name, number in amounts.items()}
    return message(lang, f"audit.{code}", **texts)


# --- many at once -------------------------------------------------------------------------------


def kept_checkpoints(named: Iterable[Path]) -> tuple[KeptCheckpoint, ...]:
    """The checkpoints in the files and folders, or the ones that the service keeps.

    Raises:
        DamagedSource: a file is not there, cannot be read, or is no checkpoint.

    """
    paths = list(named)
    if not paths and inputs.default_published and (folder := inputs.default_published()).is_dir():
        paths = [folder]
    files = [
        file
        for path in paths
        for file in (sorted(path.glob("*.checkpoint")) if path.is_dir() else [path])
    ]
    inputs.require_distinct(files)
    return tuple(map(_kept_checkpoint, files))


def _kept_checkpoint(file: Path) -> KeptCheckpoint:
    try:
        return KeptCheckpoint(notes.checkpoint(notes.note(read_text(file)).text), str(file))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DamagedSource(f"{file}: cannot be read as a checkpoint: {reason}.") from None


def _audit_many(
    targets: tuple[str, ...],
    store: StoreOptions,
    workers: Workers,
    resume: Path | None,
    checkpoints: Sequence[Path],
    archive: Path | None,
    lang: Language,
    *,
    json: bool,
    referee: bool,
) -> int:
    kept, logs = () if targets else kept_checkpoints(checkpoints), set[str]()
    sound = wrong = unfinished = events = broken = archived = 0
    code, start = SOUND, monotonic()
    asked = {"--json": str(json), "--referee": str(referee)}
    with (
        open_results(resume, "audit --all", asked, batch.RESULTS) as results,
        run_on_all(
            partial(batch.audit_part, every=json, kept=kept, archive=archive, with_referee=referee),
            targets,
            store,
            workers,
            "auditing",
            with_logs=True,
            kept=results,
        ) as parts,
    ):
        for part in parts:
            for verdict in part.verdicts:
                print_json(verdict)
            for finding in part.findings:
                broken += finding.code == "damaged"
                if not json or finding.code not in get_args(FindingCode):
                    print_json(finding)
            sound += part.sound
            wrong += part.wrong
            unfinished += part.unfinished
            events += part.events
            logs.update(part.logs)
            archived += part.archived
            code = max(code, part.exit_code)
    for checkpoint, file in kept if checkpoints else ():
        if checkpoint.origin not in logs:
            expected, recorded = f"{checkpoint.origin}, as {file} says", ", ".join(sorted(logs))
            print_json(batch.log_line(LogFinding("log_unknown", expected, recorded or "none")))
            code = max(code, FINDINGS)
    seconds = monotonic() - start
    tell(_sum(lang, "games_open", count=sound, total=unfinished, more=wrong))
    if logs:
        own = sum(entry.checkpoint.origin in logs for entry in kept)
        tell(message(lang, "audit.logs", own, logs=", ".join(sorted(logs)), count=own))
    if archived:
        tell(_sum(lang, "archive" if archive else "archived", count=archived))
    if broken:
        tell(_sum(lang, "unread", count=broken))
    by = f"--cluster {workers.cluster}" if workers.cluster else f"--jobs {workers.processes}"
    rate = amount(round(events / seconds), lang)
    spoken = {"count": amount(events, lang), "seconds": decimal(seconds, 1, lang), "rate": rate}
    tell(message(lang, "audit.rate", option=by, **spoken))
    return code
