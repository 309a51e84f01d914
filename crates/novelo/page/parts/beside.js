// Two searches on one board, in step: who looks where, and what only one of them sees.

import { picture } from "../boards/index.js";
import { count, h, seconds, select, field } from "../dom.js";
import { Forest } from "./forest.js";
import { Growth } from "./growth.js";
import { legend } from "./tree.js";
import { lively, transport } from "./transport.js";

/** Positions of the clock, when it goes by time. */
const TICKS = 400;
/** Two trees have half the room: they are drawn smaller and closer before the picture follows, and the boards in hand stand above. */
const CLOSE = { least: 0.42, down: 104, boarded: false };

/** One of the two: its name, its counts, the board in hand, its tree. */
function column(instance, name, result, lesson) {
  const growth = new Growth(result, lesson);
  const counts = h("p", { class: "aim" });
  const face = h("div", { class: "state" });
  const forest = new Forest(instance, growth, () => {}, CLOSE);
  const { report, trace } = growth;
  const total = trace.expansions.length;
  const end = trace.complete && report.outcome === "solved" ? `solved at cost ${report.cost}${report.optimal ? ", the best" : ""}`
    : trace.complete ? report.outcome : "and so on";
  return {
    growth, forest, name, total, time: report.seconds,
    element: h("section", { class: "column", "aria-label": name }, h("div", { class: "inhand" }, face, h("div", {}, h("h3", {}, name), counts)), forest.element),
    /** The states it has looked at after so many expansions. */
    states: (done) => new Set(trace.expansions.slice(0, done).map((id) => growth.state(id))),
    show(done, others) {
      const position = growth.ends[Math.min(done, total)];
      const now = growth.at(Math.max(1, position));
      const last = position === growth.events.length;
      forest.marked = (node) => now.taken.has(node) && !others.has(growth.state(node.id));
      forest.show(now, last, now.current);
      forest.svg.setAttribute("aria-label", `Tree of ${name} after ${Math.min(done, total)} expansions: ${now.present.length} nodes`);
      counts.replaceChildren(h("b", {}, `${count(now.done)} looked at`), `, ${count(now.present.length)} found${last ? `; ${end} after ${seconds(report.seconds)}` : ""}`);
      const view = growth.view(now.current.id);
      face.replaceChildren(...(view ? [picture(instance.puzzle, view, `${name} is here`).element] : []));
    },
  };
}

/** Both, and what they have in common; `by` is what they keep step by: expansions or time. */
export function beside(instance, names, results, lessons, by, changed, signal) {
  const pair = names.map((name, i) => column(instance, name, results[i], lessons[i]));
  const common = h("p", { class: "verdict", role: "status" });
  const slow = Math.max(...pair.map(({ time }) => time));
  const most = Math.max(...pair.map(({ total }) => total));
  const stepping = select([["expansions", "by expansions"], ["time", "by time"]], by, (value) => changed(value));
  const last = by === "time" ? TICKS : most;
  const done = ({ total, time }, at) => (by === "time" ? Math.min(total, Math.floor((at / TICKS) * (slow / time) * total)) : Math.min(at, total));
  const draw = (at) => {
    const now = pair.map((one) => done(one, at));
    const seen = pair.map((one, i) => one.states(now[i]));
    pair.forEach((one, i) => one.show(now[i], seen[1 - i]));
    const alone = seen.map((set, i) => [...set].filter((state) => !seen[1 - i].has(state)).length);
    common.textContent = `Both have looked at ${count(seen[0].size - alone[0])} ${seen[0].size - alone[0] === 1 ? "state" : "states"}; only ${names[0]} at ${count(alone[0])}, only ${names[1]} at ${count(alone[1])}.`;
    return by === "time" ? `${seconds((slow * at) / TICKS)} of ${seconds(slow)}` : `${count(at)} of ${count(most)} expansions`;
  };
  const bar = transport({
    last, draw, signal, rate: Math.max(2, last / 30), more: field("In step", stepping),
    buttons: [["first", "To the start", () => 0], ["back", "One step back", (at) => at - 1], null,
      ["forward", "One step on", (at) => at + 1], ["last", "To the end", () => last]],
  });
  bar.jump(0);
  if (lively()) bar.play();
  const only = h("p", { class: "quiet" }, "A thick ring: only this one has looked at the state so far.");
  return h("div", { class: "besides" }, common, bar.element, h("div", { class: "columns" }, pair.map(({ element }) => element)), legend(...pair.map(({ growth }) => growth)), only);
}
