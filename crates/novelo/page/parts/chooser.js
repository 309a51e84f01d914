// Which instance is looked at: its picture and id, and ways to take another.

import { picture } from "../boards/index.js";
import { button, h, icon, whole } from "../dom.js";
import { address } from "../route.js";
import { load } from "./load.js";
import { share } from "./share.js";

/** A panel with the chosen instance, and `others`, the one to take another in; `changed(instance)` is called when one is taken. */
export function chooser(registry, instance, changed) {
  const title = (name) => registry.puzzles.find((puzzle) => puzzle.name === name).title;
  const shown = h("div", { class: "chosen" });
  const fill = async () => {
    // Few want another board: what reads one is loaded when it is asked for.
    const [{ paste }, { maker }] = await Promise.all([import("./paste.js"), import("./maker.js")]);
    others.replaceChildren(h("div", { class: "changing" }, maker(registry, instance.puzzle, take), paste("Take it", ([first]) => take(first))));
  };
  const change = button("Change", () => {
    if (!others.querySelector(".changing")) load(others, fill);
    others.hidden = !others.hidden;
    change.setAttribute("aria-expanded", String(!others.hidden));
  }, { kind: "plain", icon: "restart", "aria-expanded": "false" });
  const copy = share(() => location.hash);
  const others = h("section", { class: "panel others", hidden: true, "aria-label": "Another instance" });
  const show = (next) => {
    shown.replaceChildren(...[picture(next.puzzle, next.view, title(next.puzzle)).element,
      h("div", {}, h("h2", {}, title(next.puzzle), " ", h("small", {}, next.size)), h("code", { title: next.id }, next.id)),
      next.goal && h("div", { class: "aimed" }, h("h3", {}, "The goal"), picture(next.puzzle, next.goal, "The goal").element),
      next.impossible && h("p", { class: "problem" }, whole(`This board has no solution: ${next.impossible}`)),
      h("div", { class: "row" }, change, copy, h("a", { class: "button plain", href: address("play", next.id) }, icon("puzzle"), "Play it"))].filter(Boolean));
  };
  const take = (next) => {
    others.hidden = true;
    change.setAttribute("aria-expanded", "false");
    show(next);
    changed(next);
  };
  show(instance);
  return { element: h("section", { class: "panel", "aria-label": "Instance" }, shown), others };
}
