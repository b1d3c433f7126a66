/** What the package has for programs; `element.js` has `<phaseledger-table>` for pages. */

export * from "./client.js";
export { patched } from "./patch.js";
export { Away, Refusal } from "./requests.js";
