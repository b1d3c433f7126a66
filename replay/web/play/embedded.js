/**
 * A table within a page of another origin, and what they say to each other: that page hands the seat's
 * token over, and is told whom the game waits for, how it ended, and how high the table is. Which pages
 * may is the operator's to say; the browser asks before it shows the frame, and each message is held to it.
 */

import { useEffect } from "../vendor/preact.js";
import { EMBEDDERS } from "./navigation.js";
import { LANGUAGE, save } from "./storage.js";
import { keep, membership } from "./tokens.js";

let embedder = ""; // the origin of the page around this one, once it has spoken

/** @param {string} what @param {object} detail */
function tell(what, detail) {
  if (embedder) parent.postMessage({ phaseledger: what, ...detail }, embedder);
}

/** Wait for the seat where one is handed over; then show the table. @param {() => void} begin */
export function embedded(begin) {
  const given = new URLSearchParams(location.hash.slice(1));
  const game = decodeURIComponent(location.pathname.split("/").pop() ?? "");
  save(LANGUAGE, given.get("lang") ?? "");
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || !EMBEDDERS.includes(origin) || data?.phaseledger !== "seat") return;
    if (!embedder) {
      embedder = origin;
      keep(game, { token: String(data.token ?? "") });
      begin();
    } else if (data.token !== membership(game).token) location.reload(); // and ask for it
  });
  const told = () => tell("height", { height: document.documentElement.scrollHeight });
  new ResizeObserver(told).observe(document.body);
  if (given.has("handed")) parent.postMessage({ phaseledger: "ready" }, "*"); // which tells nothing
  else begin();
}

/** Tell the page around this one how the game stands. @param {import("./types").GameView | null} view */
export function useTold(view) {
  const { game = "", stage = "", you = null, waits = [], winners = [] } = view?.table ?? {};
  const version = view?.version;
  const waited = waits.map(({ seat }) => seat);
  useEffect(() => {
    if (stage === "playing") tell("turn", { game, version, you, waits: waited });
    if (stage === "ended" || stage === "voided") tell("end", { game, version, you, stage, winners });
  }, [game, stage, String(waited)]);
}
