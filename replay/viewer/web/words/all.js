// Every language, for pages that can fetch none later.

import { de } from "./de.js";
import { fr } from "./fr.js";
import { learn } from "./index.js";

/** Take in the words of every language. */
export function learnAll() {
  learn({ de, fr });
}
