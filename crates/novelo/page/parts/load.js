// A view that needs the server before it can be shown.

import { h, sentence } from "../dom.js";
import { address } from "../route.js";

/** Fills `root`, or says in it why that failed. */
export async function load(root, fill) {
  root.setAttribute("aria-busy", "true");
  let found;
  try {
    found = await fill();
  } catch (error) {
    root.replaceChildren(h("h1", {}, "This cannot be shown"), h("p", { class: "problem unloaded", role: "alert" }, sentence(error)),
      h("p", {}, h("a", { class: "button", href: address("play") }, "All puzzles")));
    if (!("status" in error)) console.error(error);
  }
  root.removeAttribute("aria-busy");
  return found;
}
