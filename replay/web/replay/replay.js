// The replay: a recorded game from any chair, event by event. Its findings stand above it.
//
//   html`<${Replay} source=${documentSource(document)} />`

import { Component, html } from "../vendor/preact.js";
import { language, speak, t } from "../words.js";
import { spoken } from "../feed/document.js";
import { readAddress, writtenAddress } from "../feed/address.js";
import { land, still, takeOff } from "../parts/flight.js";
import { Announcer } from "../parts/log.js";
import { Dispute } from "../dispute/dispute.js";
import { VerdictBanner, openGrounds } from "../dispute/verdict.js";
import { AccountPanel } from "./account_panel.js";
import { Fault } from "./fault.js";
import { Head } from "./head.js";
import { Help } from "./help.js";
import { stepped, wish } from "./keys.js";
import { Distance } from "./distance.js";
import { Player } from "./player.js";
import { Scene } from "./scene.js";
import { SPEEDS, chairName } from "./transport.js";

/** @typedef {import("../feed/document.js").Source} Source */
/** @typedef {import("../feed/frames.js").Recording} Recording */
/** @typedef {import("../types.js").Judgement} Judgement */
/**
 * A decision tried again, and what was shown before.
 * @typedef {import("../account/again.js").Trial & { from: { seq: number, chair: string } }} Trial
 */
/**
 * @typedef {{ recording: Recording | null, seq: number, chair: string, speed: number, playing: boolean,
 *   finding: number, help: boolean, lang: string, fault: unknown,
 *   analysis: import("../types.js").Analysis | null, trial: Trial | null }} ReplayState
 */
/**
 * `within`: the part of a page, with a head and findings of its own, in which it stands. It takes keys
 * only there, and leaves the address alone.
 * @typedef {{ source: Source, actions?: unknown, within?: Node,
 *   onLanguage?: (lang: string) => void }} ReplayProps
 */

const FLIGHT = 320;

/** @extends {Component<ReplayProps, ReplayState>} */
export class Replay extends Component {
  /** @param {{ source: Source }} props */
  constructor(props) {
    super(props);
    const { source } = props;
    const place = readAddress(location.hash);
    const finding = source.findings[0];
    /** @type {ReplayState} */
    this.state = {
      recording: null,
      // without a place in the address, the first deal: before it nothing lies there
      seq: place.event ?? (finding?.seq ? finding.seq - 1 : source.marks.rounds[0] ?? 1),
      chair: source.chairs.find((chair) => chair === place.chair) ?? source.chairs[0] ?? "spectator",
      speed: SPEEDS.find((speed) => speed === place.speed) ?? 1,
      playing: false,
      finding: 0,
      help: false,
      lang: language(),
      fault: null,
      analysis: null,
      trial: null,
    };
    this.timer = 0;
    this.writer = 0;
    /** @type {Element | null} */
    this.stage = null;
    /** @type {{ moves: import("../types.js").CardMove[], from: Map<string, DOMRect> } | null} */
    this.flight = null;
    /** @param {KeyboardEvent} event */
    this.onKey = (event) => this.pressed(event);
    /** @param {HashChangeEvent} event */
    this.onHash = (event) => this.arrived(new URL(event.newURL).hash);
    /** @param {number} seq */
    this.onSeek = (seq) => this.seek(seq);
    /** @param {Element | null} stage */
    this.onStage = (stage) => {
      this.stage = stage;
    };
  }

  componentDidMount() {
    this.keys().addEventListener("keydown", /** @type {EventListener} */ (this.onKey));
    if (!this.props.within) addEventListener("hashchange", this.onHash);
    this.sit(this.state.chair);
    this.props.source.analysis?.().then(
      (analysis) => this.setState({ analysis }), (fault) => this.setState({ fault }));
  }

  /** Where keys are for the replay. @returns {EventTarget} */
  keys() {
    return this.props.within ?? window;
  }

  componentWillUnmount() {
    this.keys().removeEventListener("keydown", /** @type {EventListener} */ (this.onKey));
    removeEventListener("hashchange", this.onHash);
    clearTimeout(this.timer);
    clearTimeout(this.writer);
  }

  componentDidUpdate() {
    const { flight, stage } = this;
    this.flight = null;
    if (flight && stage) land(stage, flight.moves, flight.from, FLIGHT / Math.max(1, this.state.speed / 2));
  }

  /** Take another chair, or the same one in another language. @param {string} chair */
  async sit(chair) {
    const { source } = this.props;
    try {
      const recording = await source.load(chair, this.state.lang);
      recording.prepare();
      const trial = chair === this.state.chair ? this.state.trial : null;
      this.setState({ recording, chair, trial, seq: recording.clamped(this.state.seq) }, () => this.write());
    } catch (fault) {
      this.setState({ fault });
    }
  }

  /**
   * Show the position after that event.
   * @param {number} seq @param {boolean} [fly] whether cards move there
   */
  seek(seq, fly = false) {
    const { recording, trial } = this.state;
    if (!recording) return;
    const next = recording.clamped(seq);
    const { moves } = recording.line(next);
    if (fly && moves && this.stage && !still()) this.flight = { moves, from: takeOff(this.stage, moves) };
    this.setState({ seq: next, trial: trial?.judgement.seq === next + 1 ? trial : null });
    this.write();
  }

  /** Put the place into the address, not more often than browsers allow. */
  write() {
    clearTimeout(this.writer);
    if (this.props.within) return;
    this.writer = setTimeout(() => {
      const { seq: event, chair, speed } = this.state;
      history.replaceState(history.state, "", writtenAddress({ event, chair, speed }));
    }, 200);
  }

  /**
   * Go where the address says, if somebody changed it. By now the page may have written another.
   * @param {string} hash
   */
  arrived(hash) {
    const { event, chair, speed } = readAddress(hash);
    if (speed && SPEEDS.includes(speed)) this.setState({ speed });
    if (event) this.seek(event);
    if (chair && chair !== this.state.chair && this.props.source.chairs.includes(chair)) this.sit(chair);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const asked = this.state.recording ? wish(event) : undefined;
    if (asked === undefined) return;
    event.preventDefault();
    if (asked.startsWith("chair:")) this.number(Number(asked.slice(6)));
    else if (asked === "play") this.play();
    else if (asked === "help") this.setState({ help: true });
    else if (asked === "next_finding") this.find(1);
    else if (asked === "last_finding") this.find(-1);
    else if (asked === "faster" || asked === "slower") this.hurry(asked === "faster" ? 1 : -1);
    else this.step(asked);
  }

  /** The chair of a digit: seats from 1, 0 for everybody's cards, 9 for a spectator. @param {number} digit */
  number(digit) {
    const wanted = digit === 0 ? "all" : digit === 9 ? "spectator" : String(digit - 1);
    if (this.props.source.chairs.includes(wanted)) this.sit(wanted);
  }

  /** @param {string} step */
  step(step) {
    const { recording, seq } = this.state;
    if (!recording) return;
    this.pause();
    this.seek(stepped(recording, seq, step, this.props.source.marks.rounds), step === "forward");
  }

  /** @param {number} by */
  hurry(by) {
    const speed = SPEEDS[SPEEDS.indexOf(this.state.speed) + by];
    if (speed) this.setState({ speed }, () => this.write());
  }

  play() {
    const { recording, playing, seq } = this.state;
    if (!recording) return;
    if (playing) return this.pause();
    if (seq >= recording.last) this.seek(recording.first);
    this.setState({ playing: true }, () => this.tick());
  }

  pause() {
    clearTimeout(this.timer);
    if (this.state.playing) this.setState({ playing: false });
  }

  tick() {
    this.timer = setTimeout(() => {
      const { recording, seq } = this.state;
      if (!recording || seq >= recording.last) return this.pause();
      this.seek(seq + 1, true);
      this.tick();
    }, 1000 / this.state.speed);
  }

  /** Go to another finding; the first press goes to the one shown. @param {number} by */
  find(by) {
    const { findings } = this.props.source;
    if (!findings.length) return;
    const here = this.state.seq === this.before(this.state.finding);
    const finding = here ? (this.state.finding + by + findings.length) % findings.length : this.state.finding;
    this.pause();
    this.setState({ finding }, () => document.getElementById("finding")?.focus());
    this.seek(this.before(finding));
  }

  /**
   * The event after which a finding's position stands; where it is about none, the one shown.
   * @param {number} finding
   */
  before(finding) {
    const seq = this.props.source.findings[finding]?.seq;
    return seq ? this.state.recording?.clamped(seq - 1) ?? seq - 1 : this.state.seq;
  }

  /** Show luck and errors there. @param {number} seq */
  explain(seq) {
    this.pause();
    this.seek(seq);
    this.setState({}, () => document.getElementById("account")?.focus());
  }

  /** Show the position before a decision as its seat saw it, and ask. @param {Judgement} judgement */
  async attempt(judgement) {
    const { seq, chair } = this.state;
    await this.sit(String(judgement.seat));
    this.seek(judgement.seq - 1);
    this.setState({ trial: { judgement, chosen: null, from: { seq, chair } } }, () => {
      document.getElementById("again")?.focus({ preventScroll: true });
      document.querySelector(".own")?.scrollIntoView({ block: "center" });
    });
  }

  /** @param {Trial} trial @param {number} chosen */
  choose(trial, chosen) {
    this.setState({ trial: { ...trial, chosen } }, () => {
      document.querySelector(".answer")?.scrollIntoView({ block: "nearest" });
    });
  }

  /** Go back to where a decision was chosen to be tried again. @param {Trial} trial */
  async giveUp({ from }) {
    await this.sit(from.chair);
    this.explain(from.seq);
  }

  /** @param {string} lang */
  translate(lang) {
    document.documentElement.lang = speak(lang);
    this.setState({ lang: language() }, () => this.sit(this.state.chair));
    this.props.onLanguage?.(language());
  }

  /** Luck and errors, or what asks for them. @param {Recording} recording */
  explained(recording) {
    const { source } = this.props;
    const { analysis, seq, chair, playing, trial } = this.state;
    if (trial || !(analysis || source.request)) return null;
    const request = () => source.request?.((made) =>
      this.setState({ analysis: made }, () => this.explain(recording.last)));
    const leave = (/** @type {number} */ event) => {
      this.pause();
      this.seek(event);
    };
    return html`<${AccountPanel} analysis=${analysis} request=${request} recording=${recording} seq=${seq}
      chair=${chair} playing=${playing} onEnd=${(/** @type {number} */ end) => this.explain(end)}
      onEvent=${leave} onTry=${(/** @type {Judgement} */ judgement) => this.attempt(judgement)}
      onProofs=${source.verdict && openGrounds} />`;
  }

  render() {
    const { source, actions, within } = this.props;
    const { recording, seq, chair, speed, playing, finding, help, lang, fault, trial } = this.state;
    const rules = source.translations?.[lang]?.rules ?? source.rules;
    const page = within ? "div" : "main";
    const head = !within && html`<${Head} source=${source} rules=${rules} lang=${lang} actions=${actions}
      onLanguage=${(/** @type {string} */ wanted) => this.translate(wanted)}
      onHelp=${() => this.setState({ help: true })} />`;
    const failed = (/** @type {unknown} */ cause) =>
      html`${head}<${page} class="page"><${Fault} fault=${cause} /></${page}>`;
    if (fault) return failed(fault);
    if (!recording) {
      return html`${head}<${page} class="page">
        <p class="soft" role="status">${t("replay.loading")}</p></${page}>`;
    }
    const line = recording.line(seq);
    let position;
    try {
      position = recording.position(seq);
    } catch (broken) {
      return failed(broken);
    }
    const { first, last } = recording;
    const here = t("replay.here", { seq, last, round: line.round, turn: line.turn });
    const phrases = source.translations?.[lang]?.phrases ?? {};
    const { verdict, findings } = spoken({ verdict: source.verdict, findings: source.findings }, phrases);
    const aloud = playing && speed > 1 ? "" : `${line.sentence}. ${(line.more ?? []).join(". ")}`;
    return html`${head}
    <${page} class="page replay" key=${lang}>
      ${verdict && html`<${VerdictBanner} verdict=${verdict} findings=${findings.length}
        onFind=${() => this.find(1)} />`}
      ${!within && findings.length > 0 && html`<${Dispute} source=${{ ...source, findings }} index=${finding}
        seq=${seq} before=${this.before(finding)}
        onFind=${(/** @type {number} */ by) => this.find(by)} />`}
      <${Player} source=${source} recording=${recording} seq=${seq} text=${`${here}: ${line.sentence}`}
        playing=${playing} chair=${chair} speed=${speed} onSeek=${this.onSeek}
        onStep=${(/** @type {string} */ where) => this.step(where)} onPlay=${() => this.play()}
        onChair=${(/** @type {string} */ value) => this.sit(value)}
        onSpeed=${(/** @type {number} */ value) => this.setState({ speed: value }, () => this.write())} />
      ${this.explained(recording)}
      <${Scene} recording=${recording} position=${position} rules=${rules} seq=${seq} here=${here}
        chair=${chair} chairName=${chairName(chair, source.seats)} trial=${trial} onSeek=${this.onSeek}
        onStage=${this.onStage} onBack=${() => trial && this.giveUp(trial)}
        onChoose=${(/** @type {number} */ chosen) => trial && this.choose(trial, chosen)} />
      ${source.distance.length > 0 && html`<${Distance} source=${source} first=${first} last=${last}
        seq=${seq} onSeek=${this.onSeek} />`}
      <${Announcer} sentence=${aloud} />
    </${page}>
    <${Help} open=${help} onClose=${() => this.setState({ help: false })} />`;
  }
}
