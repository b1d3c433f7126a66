/**
 * `<phaseledger-table server="https://play.example" game="..." lang="de">`: a table within a page.
 *
 * The seat's token is the property `token`, so that it stands in no document and no address; without it the
 * table is watched. The element is as high as the table, up to the height of the window. It dispatches
 *
 *   phaseledger:turn  { game, version, you, waits }   whom the game waits for, whenever that changes
 *   phaseledger:end   { game, version, you, stage, winners }
 *
 * where seats are numbers, `you` is the own one or null, and `stage` is `ended` or `voided`.
 */

const NAME = "phaseledger-table";
const LOOK = new CSSStyleSheet(); // which no policy of the page holds back
LOOK.replaceSync(`:host { display: block } :host([hidden]) { display: none }
iframe { display: block; width: 100%; height: 640px; max-height: 100dvh; border: 0 }`);

class PhaseledgerTable extends HTMLElement {
  static observedAttributes = ["server", "game", "lang"];

  #token = "";
  #origin = "";
  #asked = false; // whether the table has asked for its seat
  #frame = document.createElement("iframe");
  #heard = (/** @type {MessageEvent} */ event) => this.#hear(event);

  constructor() {
    super();
    this.#frame.referrerPolicy = "no-referrer";
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [LOOK];
    root.append(this.#frame);
  }

  /** The token of the seat. */
  get token() {
    return this.#token;
  }

  set token(token) {
    this.#token = token ?? "";
    this.#handOver();
  }

  connectedCallback() {
    addEventListener("message", this.#heard);
    this.#load();
  }

  disconnectedCallback() {
    removeEventListener("message", this.#heard);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#load();
  }

  #load() {
    const [server, game] = [this.getAttribute("server"), this.getAttribute("game")];
    if (!server || !game) return;
    const base = new URL(`${server.replace(/\/+$/, "")}/`, location.href);
    const address = new URL(`play/embed/${encodeURIComponent(game)}`, base);
    address.hash = new URLSearchParams({ lang: this.lang, handed: "" }).toString();
    if (this.#frame.src === address.href) return;
    this.#origin = base.origin;
    this.#asked = false;
    this.#frame.title = this.title || "phaseledger";
    this.#frame.src = address.href;
  }

  #handOver() {
    const seat = { phaseledger: "seat", token: this.#token };
    if (this.#asked) this.#frame.contentWindow?.postMessage(seat, this.#origin);
  }

  /** @param {MessageEvent} event */
  #hear({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== this.#origin) return;
    const { phaseledger: what, ...detail } = data ?? {};
    if (what === "ready") {
      this.#asked = true;
      this.#handOver();
    } else if (what === "height") this.#frame.style.height = `${Number(detail.height)}px`;
    else if (what === "turn" || what === "end") {
      this.dispatchEvent(new CustomEvent(`phaseledger:${what}`, { detail, bubbles: true }));
    }
  }
}

if (!customElements.get(NAME)) customElements.define(NAME, PhaseledgerTable);

export { PhaseledgerTable };
