// A solution to look at, move by move.

import { picture, words } from "../boards/index.js";
import { h } from "../dom.js";
import { transport } from "./transport.js";

/** Shows views one after another; `signal` ends it with the page's view. */
export function player(puzzle, views, moves, signal) {
  const board = picture(puzzle, views[0], "Board");
  const list = h("div", { class: "moves", role: "group", "aria-label": "Moves" }, moves.map((move, i) =>
    h("button", { type: "button", onclick: () => bar.seek(i + 1), title: words(puzzle, move) }, move)));
  const draw = (at) => {
    board.paint(views[at]);
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = list.children[at - 1];
    current?.setAttribute("aria-current", "step");
    if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    return `Move ${at} of ${moves.length}${at ? `: ${words(puzzle, moves[at - 1])}` : ""}`;
  };
  const bar = transport({
    last: moves.length, draw, signal,
    buttons: [["first", "To the start", () => 0], ["back", "Step back", (at) => at - 1], null,
      ["forward", "Step forward", (at) => at + 1], ["last", "To the end", () => moves.length]],
  });
  bar.jump(0);
  bar.element.append(list);
  return h("div", { class: "show" }, h("div", { class: "screen" }, board.element), bar.element);
}
