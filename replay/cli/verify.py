"""The command `verify`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace

from phaseledger.domain.words import Language, reason_of
from phaseledger.replay.batch.inputs import (
    ClusterAddress,
    Json,
    LangOption,
    optional,
    require_distinct,
)
from phaseledger.replay.batch.pool import workers_of
from phaseledger.replay.evidence.verify.batch import (
    Kept,
    VerifiedFiles,
    damaged_file,
    partings_of,
    verify_all,
)
from phaseledger.replay.evidence.verify.checks.receipts import KeptReceipt
from phaseledger.replay.evidence.verify.codes import CODES
from phaseledger.replay.evidence.verify.evidence import SCHEMA, Document
from phaseledger.replay.evidence.verify.files.evidence import (
    EvidenceFiles,
    dispute_content,
    is_bundle_file,
    read_evidence,
)
from phaseledger.replay.evidence.verify.files.receipts import read_receipts
from phaseledger.replay.evidence.verify.policy import Policy, PolicyError, read_policy
from phaseledger.replay.evidence.verify.questions.answer_text import parting_lines
from phaseledger.replay.evidence.verify.questions.question import (
    EXAMPLES,
    TableQuestion,
    question_of,
)
from phaseledger.replay.evidence.verify.sightings import (
    SeenInclusion,
    Sighting,
    read_sightings,
    sightings_of,
)
from phaseledger.replay.evidence.verify.text import judgement_lines
from phaseledger.replay.evidence.verify.verdict_words import VerdictWords
from phaseledger.replay.evidence.verify.verify import (
    ExaminedBundle,
    answered,
    exit_code,
    in_language,
    verify,
)
from phaseledger.replay.formats.records.source import SourceError
from phaseledger.replay.terminal import SOUND, UsageError, guarded, output, print_json, say, tell

FEW = 8
"""The most files that are verified in this process, sooner than others would start."""


@guarded
def verify_command(
    *bundles: Annotated[
        str,
        Parameter(
            name="BUNDLE",
            allow_leading_hyphen=True,
            help="A bundle or a dispute file, or - for standard input.",
        ),
    ],
    policy: Annotated[
        Path | None,
        Parameter(help="A TOML file that names the keys to believe (docs/reference/verify.md)."),
    ] = None,
    receipt: Annotated[
        tuple[Path, ...], optional("A file of receipts that you kept, one a line; may be repeated.")
    ] = (),
    kept_by_others: Annotated[
        bool,
        optional(
            "Your word that others than the operator kept the receipts given here. Without "
            "it they can contradict the operator, and raise no grade: it can make receipts itself."
        ),
    ] = False,
    sightings: Annotated[
        tuple[Path, ...],
        optional(
            "A file of the log's checkpoints that you kept, with proofs between them and this "
            "bundle's, one a line; may be repeated."
        ),
    ] = (),
    about: Annotated[
        str | None,
        optional(
            f"Ask about part of the game: who vouches for it, and what that proves. Such as "
            f"{EXAMPLES}."
        ),
    ] = None,
    event: Annotated[int | None, optional("As --about, by the event's number.")] = None,
    dispute: Annotated[
        Path | None,
        optional(
            "A file to write for a referee: all bundles and receipts given here in one, which "
            "verify reads."
        ),
    ] = None,
    report: Annotated[Path | None, Parameter(help="An HTML file to write for people.")] = None,
    quiet: Annotated[bool, optional("Tell only of what is not sound.")] = False,
    bots: Annotated[
        bool,
        Parameter(
            help="Have bots move again. Without it takes half the time, and comes to the grade "
            "of the page (`phaseledger verifier`), which has no bots.",
        ),
    ] = True,
    jobs: Annotated[
        int | None, optional(f"Processes, for more than {FEW} files. Default: one a core.")
    ] = None,
    cluster: ClusterAddress = "",
    lang: LangOption = "en",
    json: Json = False,
) -> int:
    """Settle what happened in a game from its bundle, without its server, store or network.

    The first line has the grade (proven, attested, recorded, consistent; test for a table that
    was opened for tests), and what an operator who lies could have done unseen.

    A game that is over is proved twice: its events alone lead to its end with no card lost and
    every promise kept; and its secrets and recorded decisions alone, decided again, give the same
    events byte for byte. Seals, hash chain, signatures of seats, receipts and the checkpoint of the
    public log are checked too. Of a game that goes on, less can be checked; it says what.

    Without --policy signatures are held against the keys that the bundle itself names, which
    prove no identity. Several bundles of one game must tell one story, and so must receipts that a
    player kept; where they do not, it says at which event the stories part, who vouches for either,
    and whose receipts back which. --dispute writes all of it into one file for a referee.

    Exit codes: 0 sound, 1 the game is wrong, 2 usage, 4 a receipt is of no game here, 5 unreadable
    or damaged input, or output that cannot be written, 6 the operator's evidence does not hold,
    7 sound, but the policy asks for more.

    Many files are verified on all cores, and only a little of each stays in memory. The answer is
    the same for any --jobs.

    --lang is the language of the verdict and its --report, and of what --about asks: "Zug 17",
    "tour 17".

    With --json: a document as docs/reference/verify.schema.json describes it, in English.

    For example: phaseledger verify game.bundle --policy club.toml --receipt mine.ndjson

    Or: phaseledger verify mine.bundle yours.bundle --receipt mine.ndjson --dispute bob.dispute

    Or: phaseledger verify bob.dispute --policy club.toml

    Or: phaseledger verify game.bundle --policy club.toml --about "Bob turn 17"
    """
    words, told_in = VerdictWords(lang), "en" if json else lang
    with _refusals_in(words):
        question = question_of(about, event, told_in if about is None else lang)
    if not bundles:
        raise UsageError("Say which bundles: one file or more, or - for standard input.")
    for name in bundles:
        if name.startswith("-") and name != "-":
            raise UsageError(f"There is no option {name}; a file of that name is ./{name}.")
    try:
        trust_policy = read_policy(str(policy)) if policy else None
    except PolicyError as error:
        raise UsageError(str(error)) from None
    receipt_files = [str(path) for path in receipt]
    read = [*bundles, *receipt_files, *map(str, [*sightings, *([policy] if policy else [])])]
    require_distinct(read, [dispute, report])
    with _refusals_in(words):
        log_sightings = _log_sightings(sightings, trust_policy)
        if dispute:
            _write_dispute(dispute, bundles, receipt_files)
    is_batch = len(bundles) > FEW and not (report or question)
    is_batch = is_batch and all(map(is_bundle_file, bundles))
    workers = workers_of(jobs, cluster)
    if (jobs is not None or cluster) and not is_batch:
        raise UsageError(
            f"--jobs and --cluster are for more than {FEW} bundles, with no --report, no --about "
            "and no pipe."
        )
    examined: Sequence[ExaminedBundle] = []
    receipts: Sequence[KeptReceipt] = ()
    if is_batch:
        with _refusals_in(words):
            receipts = tuple(
                kept._replace(by_others=kept_by_others)
                for name in receipt_files
                for kept in read_receipts(name)
            )
        kept = Kept(
            policy=trust_policy,
            receipts=receipts,
            sightings=log_sightings,
            bots=bots,
            lang=told_in,
        )
        verified = verify_all(bundles, kept, workers)
    else:
        with _refusals_in(words):
            evidence = read_evidence(bundles, receipt_files)
            receipts = [held._replace(by_others=kept_by_others) for held in evidence.receipts]
            evidence = evidence._replace(receipts=receipts)
            verified, examined = _examined(
                evidence, trust_policy, log_sightings, question, bots=bots
            )
    document = _document(verified, str(policy or ""))
    spoken, examined = _told_in(lang, document, examined, receipts, question)
    if report:
        _write_report(report, spoken, examined, words)
    if json:
        print_json(document)
    else:
        _tell(spoken, words, quiet=quiet)
    return document.exit_code


def _examined(
    evidence: EvidenceFiles,
    policy: Policy | None,
    sightings: Sequence[Sighting],
    question: TableQuestion | None,
    *,
    bots: bool,
) -> tuple[VerifiedFiles, list[ExaminedBundle]]:
    if evidence.damage:  # what was kept may be of a game whose bundle cannot be read
        sightings = sightings_of(sightings, {bundle.header.game for bundle in evidence.bundles})
    examined = verify(evidence.bundles, policy, evidence.receipts, sightings, question, bots=bots)
    verified = VerifiedFiles(
        [examination.judgement for examination in examined],
        [damaged_file(error) for error in evidence.damage],
        partings_of(examined, evidence.receipts),
    )
    return verified, examined


def _log_sightings(paths: Sequence[Path], policy: Policy | None) -> tuple[Sighting, ...]:
    sightings = tuple(kept for path in paths for kept in read_sightings(str(path)))
    is_witnessed = policy is not None and policy.times == "witnessed"
    if not is_witnessed and any(isinstance(kept, SeenInclusion) for kept in sightings):
        raise UsageError('Inclusion proofs are for a policy with `times = "witnessed"`.')
    return sightings


def _document(verified: VerifiedFiles, policy: str) -> Document:
    codes = [
        CODES[problem.code].exit_code
        for judgement in verified.judgements
        for problem in judgement.problems
    ]
    code = exit_code([*codes, *(damaged.exit_code for damaged in verified.damage)])
    return Document(
        schema=SCHEMA,
        exit_code=code,
        sound=code == SOUND,
        policy=policy,
        bundles=tuple(verified.judgements),
        damage=tuple(damaged.sentence for damaged in verified.damage),
        stories=tuple(verified.stories),
    )


def _told_in(
    lang: Language,
    document: Document,
    examined: Sequence[ExaminedBundle],
    receipts: Sequence[KeptReceipt],
    question: TableQuestion | None,
) -> tuple[Document, Sequence[ExaminedBundle]]:
    """The document, and what it judges, with the events told in that language."""
    if lang == "en" or not examined:
        return document, examined
    examined = in_language(examined, lang)
    if question:
        examined = answered(examined, receipts, question, lang)
    spoken = replace(
        document,
        bundles=tuple(judgement for _, judgement in examined),
        stories=tuple(partings_of(examined, receipts, lang)),
    )
    return spoken, examined


@contextmanager
def _refusals_in(words: VerdictWords) -> Iterator[None]:
    """Refuse a question, or what is given beside bundles, in the language of those words."""
    try:
        yield
    except (UsageError, SourceError) as refusal:
        raise type(refusal)(words.say(reason_of(refusal))) from None


def _tell(document: Document, words: VerdictWords, *, quiet: bool) -> None:
    for sentence in document.damage:
        tell(words.say(sentence))
    if document.damage:
        tell(words.line("unreadable"))
    for parting in document.stories:
        say(*parting_lines(parting, words))
    for judgement in document.bundles:
        if quiet and not judgement.problems and not judgement.question:
            continue
        say(*judgement_lines(judgement, words))
        if judgement.signers and not document.policy:
            say(f"  {words.line('note', text=words.line('unvouched'))}")


def _write_dispute(path: Path, bundles: Sequence[str], receipt_files: Sequence[str]) -> None:
    content = dispute_content(bundles, receipt_files)
    with output(path) as file:
        file.writelines(content)


def _write_report(
    path: Path, document: Document, examined: Sequence[ExaminedBundle], words: VerdictWords
) -> None:
    from phaseledger.replay.evidence.verify.html_report import html_report

    with output(path) as file:
        file.write(html_report(document, examined, words).encode())
