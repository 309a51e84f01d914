// A box into which any text that novelo reads can be pasted.

import * as api from "../api.js";
import { names, picture } from "../boards/index.js";
import { button, field, h, errorLine, select, unique, whole } from "../dom.js";
import { parse } from "../route.js";

const EXAMPLE = "sliding:3x3:8,6,7,2,5,4,3,0,1\n\nor rows of numbers, a picture, a list, a link to this page, …";

/** The ids that an address of this page holds, a line each; any other text as it is. */
function unlinked(text) {
  const link = /^\s*\S*#\/\S+\s*$/.test(text) && parse(text.slice(text.indexOf("#")).trim());
  return link ? link.id ?? link.query.get("instances")?.split("|").join("\n") ?? text : text;
}

/**
 * Reads the text on demand and hands over its instances; a mistake is marked where it is. Where one is wanted (`single`), of
 * several the person chooses; one without a solution is handed over only when that was read.
 */
export function paste(label, found, { text = "", caption = "Paste an id, a link or a board in any format", single = true } = {}) {
  const errors = errorLine();
  const area = h("textarea", { rows: 5, spellcheck: "false", autocomplete: "off", placeholder: EXAMPLE, value: text });
  const puzzle = select([["", "find out"], ...names()], "");
  const choice = h("div", { class: "choice" });
  errors.element.id = unique("problem");
  const hand = async (list) => {
    choice.replaceChildren();
    await found(list);
  };
  const warn = (list) => {
    const [{ impossible }] = list;
    choice.replaceChildren(h("p", { class: "problem", role: "alert" }, whole(`This board has no solution: ${impossible}`)),
      button(`${label} all the same`, () => hand(list).catch((error) => errors.show(error))));
  };
  const take = (list) => (single && list[0].impossible ? warn(list) : hand(list));
  const choose = (list) => choice.replaceChildren(h("p", { role: "status" }, `There are ${list.length} boards in this text. Which one?`),
    h("ul", { class: "picked" }, list.map((one, i) => h("li", {}, h("button", { type: "button", class: "plain", onclick: () => take([one]) },
      picture(one.puzzle, one.view).element, h("span", {}, one.name ?? `Number ${i + 1}`))))));
  const read = async () => {
    errors.clear();
    choice.replaceChildren();
    area.removeAttribute("aria-invalid");
    area.removeAttribute("aria-describedby");
    try {
      if (!area.value.trim()) throw Object.assign(new Error("There is nothing to read yet."), { help: "Paste an instance above." });
      const list = await api.instances(unlinked(area.value), puzzle.value || null);
      await (single && list.length > 1 ? choose(list) : take(list));
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
  return h("div", { class: "paste" }, field(caption, area), errors.element, choice,
    h("div", { class: "row reading" }, field("Puzzle", puzzle), button(label, read)), formats());
}

/** What can be pasted, by puzzle. */
function formats() {
  const list = h("dl", { class: "formats" });
  const element = h("details", {}, h("summary", {}, "What can be pasted"), list);
  element.addEventListener("toggle", async () => {
    const { puzzles } = await api.registry();
    list.replaceChildren(...puzzles.flatMap(({ title, formats: text, example }) => [h("dt", {}, title), h("dd", {}, `${whole(text)} Id: `, h("code", {}, example))]));
  }, { once: true });
  return element;
}
