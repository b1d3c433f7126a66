// A component that is drawn anew only where what it is given, or the language, has changed.

import { Component } from "../vendor/preact.js";
import { language } from "../words.js";

/**
 * @template {object} P
 * @param {(props: P) => any} draw
 */
export function memo(draw) {
  return class extends /** @type {typeof Component<P>} */ (Component) {
    /** @param {P} next */
    shouldComponentUpdate(next) {
      const keys = /** @type {(keyof P)[]} */ (Object.keys({ ...this.props, ...next }));
      return this.language !== language() || keys.some((key) => next[key] !== this.props[key]);
    }

    render() {
      this.language = language();
      return draw(this.props);
    }
  };
}
