// The search tree as it grows: it plays by itself, with the frontier, what is expanded and the pseudocode beside it.

import { picture } from "../boards/index.js";
import { h, s } from "../dom.js";
import { Forest, number, shape, side } from "./forest.js";
import { Growth, standing } from "./growth.js";
import { lively, transport } from "./transport.js";

const KEY = [
  ["expanded", "expanded"], ["frontier", "frontier"], ["repeated", "seen before", ({ fate }) => fate === "repeated"],
  ["cut", "pruned", ({ fate }) => fate === "cut" || fate === "dead"], ["cut limit", "at the depth limit", ({ fate }) => fate === "limit"],
  ["goal", "goal"], ["current", "in hand"], ["expanded backward", "reached from the goal", ({ backward }) => backward],
];
/** As many nodes of a list are shown. */
const LISTED = 40;
/** A search that is played at normal speed takes no longer than this. */
const SECONDS = 40;

/** What the shapes and colours mean, as far as they occur in a search. */
export const legend = (...growths) => h("ul", { class: "key-list" }, KEY.filter(([, , occurs]) => !occurs || growths.some(({ nodes }) => nodes.some(occurs))).map(([kind, text]) => h("li", {},
  s("svg", { viewBox: "-30 -30 60 60", class: "nodes", "aria-hidden": "true" }, s("g", { class: `node ${kind}` }, ...shape(kind), kind.endsWith("backward") ? side() : null)), text)));

/** The line of a search's pseudocode that is carried out. */
export function code(lesson) {
  if (!lesson) return { element: "", light() {} };
  // A line that is too long goes on further in than it began.
  const lines = lesson.pseudocode.map(({ text }) => {
    const line = h("li", {}, text.trimStart());
    line.style.setProperty("--in", text.length - text.trimStart().length);
    return line;
  });
  return {
    element: h("ol", { class: "code", "aria-label": "Pseudocode" }, lines),
    light: (event) => lines.forEach((line, i) => {
      const lit = lesson.pseudocode[i].events.includes(event);
      line.classList.toggle("lit", lit);
      if (lit) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }),
  };
}

/** Nodes in a row, each with its board and numbers. */
export function strip(title, instance, growth, pick) {
  const items = new Map();
  const head = h("h3", {}, title);
  const list = h("ol", { class: "strip", tabindex: 0, "aria-label": title });
  const item = (node) => {
    const view = growth.view(node.id);
    return h("li", {}, h("button", { type: "button", onclick: () => pick(node) },
      view && picture(instance.puzzle, view).element,
      h("span", {}, node.h === null ? [h("b", {}, `g ${number(node.g)}`)] : [h("b", {}, `${growth.label} ${number(node[growth.label])}`), ` ${number(node.g)} + ${number(node.h)}`])));
  };
  return {
    element: h("section", { class: "listed" }, head, list),
    show(nodes, name, note) {
      head.textContent = `${name} · ${nodes.length}${nodes.length > 1 ? ` · ${note}` : ""}`;
      list.setAttribute("aria-label", head.textContent);
      for (const node of nodes.slice(0, LISTED)) if (!items.has(node)) items.set(node, item(node));
      list.replaceChildren(...nodes.slice(0, LISTED).map((node) => items.get(node)));
      if (nodes.length > LISTED) list.append(h("li", { class: "quiet" }, `and ${nodes.length - LISTED} more`));
      if (!nodes.length) list.append(h("li", { class: "quiet" }, "none"));
    },
  };
}

/** The viewer of a trace; `result` is what a job of that kind gives, `lesson` what the registry says of the algorithm. */
export function tree(instance, result, lesson, signal) {
  const growth = new Growth(result, lesson);
  const { trace } = growth;
  const last = growth.events.length;
  const total = trace.expansions.length;
  let [now, where] = [growth.at(1), 1];
  const ghf = h("dl", { class: "ghf" });
  const why = h("p", { class: "why", role: "status" });
  const face = h("div", { class: "state" });
  const lines = code(lesson);
  const choose = (node) => {
    bar.seek(bar.at());
    describe(node);
  };
  const forest = new Forest(instance, growth, choose);
  const [frontier, closed] = [strip("Frontier", instance, growth, choose), strip("Closed", instance, growth, choose)];
  const describe = (node) => {
    ghf.replaceChildren(...["g", "h", "f"].map((name) => h("div", {}, h("dt", {}, name), h("dd", {}, number(node[name])))));
    why.textContent = explain(node, now, growth, where === last);
    const view = growth.view(node.id);
    face.replaceChildren(...(view ? [picture(instance.puzzle, view, `State of node ${node.id}`).element] : []));
    forest.show(now, where === last, node);
  };
  const draw = (at) => {
    now = growth.at(at);
    where = at;
    const { iterations } = trace;
    forest.now = now;
    frontier.show(growth.inPlace ? now.line : now.frontier, growth.inPlace ? "Path" : "Frontier", growth.inPlace ? "from the start" : "next first");
    closed.show(growth.inPlace ? [] : now.closed, growth.inPlace ? "Closed: it keeps none" : "Closed", "latest first");
    lines.light(now.event.kind);
    forest.svg.setAttribute("aria-label", `Search tree after ${now.done} of ${total} expansions: ${now.present.length} nodes`);
    describe(now.current);
    const bound = iterations.length > 1 ? `, ${trace.measure} ${number(iterations[now.iteration][0])}` : "";
    return `Expansion ${now.done} of ${total}${bound} · ${now.present.length} ${now.present.length === 1 ? "node" : "nodes"}${trace.complete ? "" : ` (only the first ${trace.nodes.length} are kept)`}`;
  };
  const bar = transport({
    least: 1, last, draw, signal, rate: Math.max(2, last / SECONDS),
    buttons: [["first", "Before the first expansion", () => growth.ends[0]],
      ["rewind", "One expansion back", (at) => growth.ends.findLast((end) => end < at) ?? 1], ["back", "One step back", (at) => at - 1], null,
      ["forward", "One step on", (at) => at + 1], ["skip", "One expansion on", (at) => growth.ends.find((end) => end > at) ?? last],
      ["last", "After the last expansion", () => last]],
  });
  const element = h("div", { class: "tree", onkeydown: (event) => keys(event, bar, growth) },
    h("div", { class: "about" }, forest.element, legend(growth), frontier.element, closed.element),
    h("div", { class: "about" }, bar.element, h("div", { class: "inhand" }, face, ghf), why, lines.element,
      h("p", { class: "quiet" }, "Space plays, comma and full stop step, with Shift by expansion; arrows go from node to node.")));
  bar.jump(1);
  if (lively()) bar.play();
  return element;
}

/** The keys of the player, wherever the focus is in the tree. */
function keys(event, bar, growth) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const at = bar.at();
  const to = { ",": at - 1, ".": at + 1, "<": growth.ends.findLast((end) => end < at) ?? 1, ">": growth.ends.find((end) => end > at) ?? growth.events.length }[event.key];
  if (event.key === " " && event.target.tagName !== "BUTTON") bar.toggle();
  else if (to !== undefined) bar.seek(to);
  else return;
  event.preventDefault();
}

/** Why the node that is expanded was the next, by what the algorithm goes by. */
const REASONS = {
  oldest: () => "it waited longest", newest: () => "it was found last",
  g: ({ g }) => `no node on the frontier had a smaller g than ${number(g)}`,
  h: (node) => `no node on the frontier had a smaller h than ${number(node.h)}`,
  f: ({ f }) => `no node on the frontier had a smaller f than ${number(f)}`,
  other: () => "its pseudocode says by what rule",
};

/** That reason, in words. */
export const reason = (node, growth) => (node.above ? (growth.wasFirst(node) && REASONS[growth.next] || REASONS.other)(node) : "it is where the search begins");

/** Why a node is what it is, in a sentence. */
export function explain(node, now, growth, last) {
  const kind = standing(node, now, last);
  const { trace } = growth;
  const words = () => {
    switch (kind) {
      case "repeated": return "Not kept: this state was reached before at no greater cost, or lies on the path itself.";
      case "cut limit": return "At the depth limit: tested, and not expanded.";
      case "cut": return node.fate === "dead" ? "Pruned: the heuristic knows that no goal can be reached from here."
        : trace.measure === "bound" ? `Pruned: its f, ${number(node.f)}, is beyond the bound of this iteration, ${number(trace.iterations[node.iteration]?.[0])}.`
          : "Pruned: there was no room for it, or no path through it is cheaper than the best known.";
      case "goal": return node.backward ? "The goal, from which the second tree grows." : growth.nodes.some(({ backward }) => backward) ? "Here the two searches meet." : `A goal, reached at cost ${number(node.g)}.`;
      case "expanded": return `Expanded as number ${node.expanded + 1}: ${reason(node, growth)}.`;
      default: return node.expanded !== null ? `On the frontier; it will be expanded as number ${node.expanded + 1}.`
        : node.goal ? "On the frontier: a goal, not yet looked at." : "On the frontier: found, but never expanded.";
    }
  };
  return node.backward && node.action ? `${words()} Reached from the goal, at a cost of ${number(node.g)} to it.` : words();
}
