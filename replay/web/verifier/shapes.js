// Whether values have the shape that docs/reference/format.md gives them, by SHAPES: a JSON Schema for each
// event, command and part of them.

import { isObject, isText } from "./values.js";

const inBounds = (number, { minimum, maximum, exclusiveMaximum }) =>
  number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity) &&
  number < (exclusiveMaximum ?? Infinity);
const hasLength = (length, least = 0, most = Infinity) => length >= least && length <= most;

// Objects: `additionalProperties` is false, or the shape of each value.
function fitsObject(value, { properties = {}, required = [], additionalProperties: others = {} }) {
  return isObject(value) && required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, fact]) => {
      if (Object.hasOwn(properties, name)) return fits(fact, properties[name]);
      return others !== false && fits(fact, others);
    });
}

const FITS = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  integer: (value, shape) => Number.isSafeInteger(value) && inBounds(value, shape),
  string: (value, { minLength, maxLength, pattern }) =>
    isText(value) && hasLength([...value].length, minLength, maxLength) &&
    (pattern === undefined || new RegExp(pattern, "u").test(value)),
  array: (value, { minItems, maxItems, items = {} }) =>
    Array.isArray(value) && hasLength(value.length, minItems, maxItems) &&
    value.every((item) => fits(item, items)),
  object: fitsObject,
};

export function fits(value, shape) {
  if (shape.$ref) return fits(value, SHAPES[shape.$ref]);
  if (shape.anyOf) return shape.anyOf.some((one) => fits(value, one));
  if (shape.enum) return shape.enum.includes(value);
  return shape.type === undefined || FITS[shape.type](value, shape);
}
