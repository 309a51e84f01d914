// The size of a board, a number a side.

import { field, h } from "../dom.js";

/** Fields for a size such as "4x4"; what has no columns goes by one number. */
export function sizeFields(size, most) {
  const inputs = size.split("x").map((value) => h("input", { type: "number", min: 1, max: most, step: 1, required: true, value }));
  return {
    elements: inputs.map((input, i) => field(inputs.length === 1 ? "Size" : ["Rows", "Columns"][i], input)),
    numbers: () => inputs.map(({ value }) => Number(value)),
    written: () => inputs.map(({ value }) => value).join("x"),
    reportValidity: () => inputs.every((input) => input.reportValidity()),
  };
}
