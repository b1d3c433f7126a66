// What listens to a field of a form.
//
//   html`<input value=${text} onInput=${withValue(setText)} />`

/** Hands on what stands in the field. @param {(value: string) => unknown} use */
export function withValue(use) {
  return (/** @type {{ target: { value: string } }} */ event) => use(event.target.value);
}
