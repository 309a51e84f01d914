// A solution to look at: play, pause, step, speed, slider.

import { picture, words } from "../boards/index.js";
import { button, field, h, select } from "../dom.js";

const SPEEDS = [["0.5", "half speed"], ["1", "normal"], ["2", "double"], ["5", "fast"], ["20", "very fast"]];

/** Shows views one after another; `signal` ends it with the page's view. */
export function player(puzzle, views, moves, signal) {
  let at = 0;
  let timer = null;
  const board = picture(puzzle, views[0], "Board");
  const where = h("p", { class: "aim" });
  const slider = h("input", { type: "range", min: 0, max: moves.length, value: 0, oninput: () => seek(Number(slider.value)) });
  const speed = select(SPEEDS, "1");
  const step = (name, label, to) => button("", () => seek(to()), { icon: name, "aria-label": label, title: label });
  const toggle = button("", () => (timer ? pause() : play()), { kind: "primary" });
  const list = h("div", { class: "moves", role: "group", "aria-label": "Moves" }, moves.map((move, i) =>
    h("button", { type: "button", onclick: () => seek(i + 1), title: words(puzzle, move) }, move)));

  const show = () => {
    board.paint(views[at]);
    slider.value = at;
    const move = at ? `: ${words(puzzle, moves[at - 1])}` : "";
    where.textContent = `Move ${at} of ${moves.length}${move}`;
    slider.setAttribute("aria-valuetext", where.textContent);
    const current = list.children[at - 1];
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    if (!current) return;
    current.setAttribute("aria-current", "step");
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  };
  const jump = (to) => {
    at = Math.max(0, Math.min(moves.length, to));
    show();
  };
  const face = () => {
    const playing = timer !== null;
    const next = button("", () => {}, { icon: playing ? "pause" : "play" });
    toggle.replaceChildren(...next.childNodes);
    toggle.setAttribute("aria-label", playing ? "Pause" : "Play");
  };
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    face();
  };
  const seek = (to) => {
    pause();
    jump(to);
  };
  const tick = () => {
    jump(at + 1);
    if (at < moves.length) timer = setTimeout(tick, 500 / Number(speed.value));
    else pause();
  };
  const play = () => {
    if (at === moves.length) jump(0);
    timer = setTimeout(tick, 250 / Number(speed.value));
    face();
  };
  signal.addEventListener("abort", pause);
  face();
  show();
  const transport = h("div", { class: "transport" }, field("Move", slider), where,
    h("div", { class: "row", role: "group", "aria-label": "Player" },
      step("first", "To the start", () => 0), step("back", "Step back", () => at - 1), toggle,
      step("forward", "Step forward", () => at + 1), step("last", "To the end", () => moves.length)),
    field("Speed", speed), list);
  transport.querySelector("label").textContent = "Position";
  return h("div", { class: "show" }, h("div", { class: "screen" }, board.element), transport);
}
