// Play, pause, step, speed and a slider over the positions of anything that can be shown one after another.

import { button, field, h, select } from "../dom.js";

const SPEEDS = [["0.25", "slow"], ["0.5", "half speed"], ["1", "normal"], ["2", "double"], ["5", "fast"], ["20", "very fast"]];

/**
 * `draw(at)` shows a position and gives it in words. `buttons` are [icon, label, where it leads from a position] with null
 * for the one that plays; `rate` is positions a second at normal speed.
 */
export function transport({ least = 0, last, rate = 2, buttons, draw, signal, more = [] }) {
  let at = least;
  let timer = null;
  const where = h("p", { class: "aim" });
  const slider = h("input", { type: "range", min: least, max: last, value: least, oninput: () => seek(Number(slider.value)) });
  const speed = select(SPEEDS, "1");
  const toggle = button("", () => (timer ? pause() : play()), { kind: "primary", icon: "play", "aria-label": "Play", title: "Play" });
  const jump = (to) => {
    at = Math.max(least, Math.min(last, to));
    slider.value = at;
    where.textContent = draw(at);
    slider.setAttribute("aria-valuetext", where.textContent);
  };
  const face = () => {
    const name = timer === null ? "Play" : "Pause";
    toggle.firstChild.replaceWith(button("", null, { icon: name.toLowerCase() }).firstChild);
    toggle.setAttribute("aria-label", name);
    toggle.title = name;
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
  const play = () => {
    if (at >= last) jump(least);
    let [begun, from] = [performance.now(), at];
    const tick = () => {
      const pace = rate * Number(speed.value);
      const due = Math.floor(from + ((performance.now() - begun) / 1000) * pace);
      if (due > at) jump(due);
      if (at >= last) return pause();
      timer = setTimeout(tick, Math.max(30, 500 / pace));
    };
    speed.onchange = () => ([begun, from] = [performance.now(), at]);
    timer = setTimeout(tick, 30);
    face();
  };
  signal.addEventListener("abort", pause);
  const row = h("div", { class: "row", role: "group", "aria-label": "Player" }, buttons.map((one) => one === null ? toggle
    : button("", () => seek(one[2](at)), { icon: one[0], "aria-label": one[1], title: one[1] })));
  const element = h("div", { class: "transport" }, field("Position", slider), where, row, h("div", { class: "row" }, field("Speed", speed), more));
  return { element, seek, play, jump, toggle: () => toggle.click(), at: () => at, playing: () => timer !== null };
}

/** Whether things may move by themselves. */
export const lively = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;
