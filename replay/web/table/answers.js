/**
 * What the person does at the table: a command where one is meant, a question back where it may be several
 * or is dear, and the reason of the rules where there is none.
 */

import { useEffect, useRef, useState } from "../vendor/preact.js";
import { settings } from "../play/settings.js";
import { isDear } from "./labels.js";
import { gesture, meant, nextHit } from "./offers.js";

/** @typedef {import("../play/types").Command} Command */

const MOMENT = 2000; // milliseconds in which a discard can be taken back

/**
 * @param {ReturnType<typeof import("./live.js").play>} controls
 * @param {ReturnType<typeof import("./own_hand.js").useOwnHand>} own
 * @param {Command[]} commands
 * @param {Command[]} offers
 */
export function useAnswers(controls, own, commands, offers) {
  const { live } = controls;
  const [pending, setPending] = useState(/** @type {Command | null} */ (null));
  const [several, setSeveral] = useState(/** @type {Command[] | null} */ (null));
  const [chain, setChain] = useState(/** @type {{ place: string, version: number } | null} */ (null));
  const [leaving, setLeaving] = useState(/** @type {Command | null} */ (null));
  const left = useRef(leaving);
  left.current = leaving;
  const version = live.view?.version ?? 0;

  /** Put aside what is asked back, or not sent yet. */
  const back = () => {
    setPending(null);
    setLeaving(null);
  };

  /** @param {Command} command */
  function send(command) {
    own.spend(command);
    controls.send(command);
  }

  /** @param {Command} command @param {boolean} [sure] */
  function act(command, sure = false) {
    back();
    if (!sure && isDear(command)) {
      setPending(command);
      return;
    }
    setChain(null);
    if (command.type === "discard" && settings().takeBack) setLeaving(command);
    else send(command);
  }

  /** Do what is meant, or ask which, or say why there is nothing.
   * @param {Command[]} candidates @param {string} where the place that was meant */
  async function choose(candidates, where) {
    const command = candidates.length ? candidates[0] : meant(where, own.cards);
    if (candidates.length > 1) {
      back();
      setSeveral(candidates);
    }
    else if (candidates.length && command) act(command);
    else if (!live.flight && await controls.explain(command ?? null) && command) act(command);
  }

  /** Several cards go to a group one after the other, as far as the service lists them.
   * @param {string} place */
  function chained(place) {
    const next = own.cards.length > 1 ? nextHit(commands, own.cards, place) : null;
    back();
    if (next) send(next);
    setChain(next && { place, version });
    return next !== null;
  }

  /** Something is tapped, or cards are dropped on it. @param {string} where */
  function place(where) {
    const candidates = gesture(offers, where, own.cards);
    if (candidates.length || !chained(where)) choose(candidates, where);
  }

  useEffect(() => {
    if (!leaving) return undefined;
    const go = () => {
      setLeaving(null);
      send(leaving);
    };
    const hidden = () => document.hidden && go(); // a phone that is locked stops the clock
    const timer = setTimeout(go, MOMENT);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", hidden);
    };
  }, [leaving]);

  useEffect(() => () => {
    if (left.current) controls.send(left.current); // who leaves the table has not taken it back
  }, []);

  useEffect(() => {
    if (chain && !live.flight && live.asked && version > chain.version) chained(chain.place);
  }, [live.asked, live.flight]);

  return { pending, leaving, several, back, unask: () => setPending(null), setSeveral, act, choose, place };
}
