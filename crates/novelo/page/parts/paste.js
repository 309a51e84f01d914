// A box into which any text that novelo reads can be pasted.

import * as api from "../api.js";
import { names } from "../boards/index.js";
import { button, field, h, errorLine, select, unique } from "../dom.js";

const EXAMPLE = "sliding:3x3:8,6,7,2,5,4,3,0,1\n\nor rows of numbers, a picture, a list, …";

/** Reads the text on demand and hands over its instances; a mistake is marked where it is. */
export function paste(label, found, { text = "", caption = "Paste an id or a board in any format" } = {}) {
  const errors = errorLine();
  const area = h("textarea", { rows: 5, spellcheck: "false", autocomplete: "off", placeholder: EXAMPLE, value: text });
  const puzzle = select([["", "find out"], ...names()], "");
  errors.element.id = unique("problem");
  const read = async () => {
    errors.clear();
    area.removeAttribute("aria-invalid");
    area.removeAttribute("aria-describedby");
    try {
      if (!area.value.trim()) throw Object.assign(new Error("There is nothing to read yet."), { help: "Paste an instance above." });
      await found(await api.instances(area.value, puzzle.value || null));
    } catch (error) {
      errors.show(error);
      area.setAttribute("aria-invalid", "true");
      area.setAttribute("aria-describedby", errors.element.id);
      const { where } = error;
      if (where?.start !== null && where?.start !== undefined) {
        area.focus();
        area.setSelectionRange(where.start, Math.max(where.end ?? 0, where.start + 1));
      }
    }
  };
  area.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read();
  });
  return h("div", { class: "paste" }, field(caption, area), errors.element,
    h("div", { class: "row reading" }, field("Puzzle", puzzle), button(label, read)));
}
