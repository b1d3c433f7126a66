/** Cards of the live table come from where they lay, as soon as the next position is drawn. */

import { useLayoutEffect, useRef } from "../vendor/preact.js";
import { land, still, takeOff } from "../parts/flight.js";

const FLIGHT = 260; // milliseconds, less than a commit is looked at

/** @param {{ current: HTMLElement | null }} root @param {import("./live.js").Live} live */
export function useFlights(root, live) {
  const from = useRef(/** @type {import("../parts/flight.js").Places | null} */ (null));
  live.leaving = (moves) => {
    from.current = root.current && !still() && !document.hidden ? takeOff(root.current, moves) : null;
  };
  useLayoutEffect(() => {
    if (from.current && root.current) land(root.current, live.moves, from.current, FLIGHT);
    from.current = null;
  }, [live.moves]);
}
