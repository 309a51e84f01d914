// The search tree as it grew: step through the expansions, look at any node.

import * as api from "../api.js";
import { picture, unroll } from "../boards/index.js";
import { button, field, h, icon, errorLine, s } from "../dom.js";
import { arrange } from "./arrange.js";
import { glass } from "./glass.js";
import { readSpec } from "./runs.js";

const KEY = [
  ["expanded", "expanded"], ["frontier", "frontier"], ["repeated", "seen before"],
  ["cut", "pruned"], ["cut limit", "at the depth limit"], ["goal", "goal"], ["current", "expanded now"],
  ["expanded backward", "reached from the goal"],
];

const number = (value) => (value === null ? "–" : String(Math.round(value * 1000) / 1000));

/** Gives each node its depth, f, iteration, place in the order of expansion (or null), and its place on the solution (or null). */
function complete({ nodes, expansions, iterations, path }, { name, values }) {
  // What the estimate is multiplied by, where the method has a weight.
  const weight = Number(values.weight ?? 1);
  const order = new Map(expansions.map((id, at) => [id, at]));
  const onPath = new Map(path.map((id, at) => [id, at]));
  const full = [];
  nodes.forEach((node, id) => {
    full.push({
      ...node,
      f: node.h === null ? null : name === "greedy" ? node.h : node.g + weight * node.h,
      depth: node.parent === null ? 0 : full[node.parent].depth + 1,
      expanded: order.get(id) ?? null,
      iteration: Math.max(0, iterations.findLastIndex(([, first]) => first <= id)),
      solution: onPath.get(id) ?? null,
      goal: id === path.at(-1),
    });
  });
  return full;
}

/** What a node is after a number of expansions. */
function standing(node, step) {
  if (node.fate === "repeated") return "repeated";
  if (node.fate === "dead" || node.fate === "cut") return "cut";
  if (node.fate === "limit" && !node.goal) return "cut limit";
  const expanded = node.expanded !== null && node.expanded < step;
  if (node.goal && (expanded || node.expanded === null)) return "goal";
  return expanded ? "expanded" : "frontier";
}

/** A circle, a diamond, a square or a star: the shape tells what the colour tells. */
function shape(kind) {
  switch (kind) {
    case "repeated": return [s("path", { class: "shape", d: "M0-15 15 0 0 15-15 0Z" })];
    case "cut": case "cut limit": return [s("rect", { class: "shape", x: -11, y: -11, width: 22, height: 22, rx: 3 }), s("path", { class: "mark", d: "M-11 11 11-11" })];
    case "goal": return [s("circle", { class: "shape", r: 17 }), s("circle", { class: "shape", r: 13 })];
    default: return [s("circle", { class: "shape", r: 15 })];
  }
}

/** The mark of a node that was reached from the goal. */
const side = () => s("circle", { class: "side", cx: -13, cy: -12, r: 6 });

/** The viewer of a trace; the report says by which method the nodes were ordered, and which moves lead to the goal. */
export function tree(instance, trace, report, signal) {
  const method = readSpec(report.method, []);
  const nodes = complete(trace, method);
  const places = arrange(nodes);
  const last = trace.expansions.length;
  let step = last;
  let picked = 0;

  const layer = s("g", {});
  const svg = s("svg", { class: "nodes", role: "img" }, layer);
  const view = glass(svg, layer);
  const slider = h("input", { type: "range", min: 0, max: last, value: step, oninput: () => seek(Number(slider.value)) });
  const where = h("p", { class: "aim" });
  const ghf = h("dl", { class: "ghf" });
  const why = h("p", { class: "why" });
  const face = h("div", {});
  const errors = errorLine();

  /** Nodes there are after the present step, in the iteration that it belongs to. */
  const present = () => {
    const latest = nodes.findLast((node) => node.expanded !== null && node.expanded < Math.max(1, step));
    const iteration = latest?.iteration ?? 0;
    return nodes.map((node, id) => ({ node, id }))
      .filter(({ node }) => node.iteration === iteration && node.born <= step);
  };

  const draw = () => {
    const shown = present();
    const edges = s("g", {});
    const marks = s("g", {});
    for (const { node, id } of shown) {
      const [x, y] = places[id];
      if (node.parent !== null) {
        const [px, py] = places[node.parent];
        const way = node.solution !== null && nodes[node.parent].solution !== null && step === last ? " way" : "";
        edges.append(s("path", { class: `edge${way}`, d: `M${px} ${py + 15}C${px} ${py + 34} ${x} ${y - 34} ${x} ${y - 15}` }));
      }
      const kind = standing(node, step);
      const current = node.expanded === step - 1 ? " current" : "";
      const label = node.f ?? node.g;
      const backward = node.backward ? " backward" : "";
      marks.append(s("g", { class: `node ${kind}${backward}${current}${id === picked ? " picked" : ""}`, transform: `translate(${x} ${y})`, "data-id": id },
        s("circle", { class: "halo", r: 21 }), ...shape(kind), node.backward ? side() : null, s("text", { y: 0 }, number(label)),
        node.expanded !== null && node.expanded < step ? s("text", { class: "order", x: 23, y: -15 }, String(node.expanded + 1)) : null));
    }
    layer.replaceChildren(edges, marks);
    svg.setAttribute("aria-label", `Search tree after ${step} of ${last} expansions: ${shown.length} nodes`);
  };

  const seek = (to) => {
    step = Math.max(0, Math.min(last, to));
    slider.value = step;
    const iteration = present()[0]?.node.iteration ?? 0;
    const bound = trace.iterations.length > 1 ? `, bound ${number(trace.iterations[iteration][0])}` : "";
    where.textContent = `Expansion ${step} of ${last}${bound}${trace.complete ? "" : ` (only the first ${nodes.length} nodes are kept)`}`;
    slider.setAttribute("aria-valuetext", where.textContent);
    const current = nodes.findIndex((node) => node.expanded === step - 1);
    pick(current >= 0 ? current : present()[0]?.id ?? 0);
    view.follow(places[picked]);
  };

  const pick = async (id) => {
    picked = id;
    draw();
    const node = nodes[id];
    ghf.replaceChildren(...["g", "h", "f"].map((name) => h("div", {}, h("dt", {}, name), h("dd", {}, number(node[name])))));
    why.textContent = explain(node, step, method.name);
    const moves = node.solution !== null ? report.moves.slice(0, node.solution) : node.backward ? null : actions(nodes, id);
    // A state that was reached from the goal is known by moves that lead on from it.
    if (!moves) return face.replaceChildren();
    try {
      const answer = await api.views(instance.id, moves);
      if (signal.aborted || picked !== id) return;
      errors.clear();
      face.replaceChildren(picture(instance.puzzle, unroll(answer).at(-1), `State of node ${id}`).element);
    } catch (error) {
      face.replaceChildren();
      errors.show(error);
    }
  };

  svg.addEventListener("click", (event) => {
    const id = event.target.closest(".node")?.dataset.id;
    if (id !== undefined && !view.dragged()) pick(Number(id));
  });
  const stepper = (name, label, to) => button("", () => seek(to()), { icon: name, "aria-label": label, title: label });
  const zoomer = (name, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
  const key = h("ul", { class: "key-list" }, KEY.map(([kind, text]) => h("li", {},
    s("svg", { viewBox: "-20 -20 40 40", class: "nodes", "aria-hidden": "true" }, s("g", { class: `node ${kind}` }, ...shape(kind), kind.endsWith("backward") ? side() : null)), text)));
  seek(last);
  requestAnimationFrame(() => view.fit(places.filter((place, id) => nodes[id].iteration === nodes.at(-1).iteration)));
  return h("div", { class: "tree" },
    h("div", { class: "about" },
      h("div", { class: "forest" }, svg, h("div", { class: "zoom" },
        zoomer("plus", "Larger", () => view.zoom(1.4)), zoomer("minus", "Smaller", () => view.zoom(1 / 1.4)),
        zoomer("fit", "Show all", () => view.fit(present().map(({ id }) => places[id]))))), key),
    h("div", { class: "about" },
      h("div", { class: "transport" }, field("Position", slider), where,
        h("div", { class: "row", role: "group", "aria-label": "Steps" },
          stepper("first", "Before the first expansion", () => 0), stepper("back", "One expansion back", () => step - 1),
          stepper("forward", "One expansion on", () => step + 1), stepper("last", "After the last expansion", () => last))),
      ghf, why, face, errors.element));
}

/** The actions that lead from the root to a node. */
function actions(nodes, id) {
  const found = [];
  for (let at = id; nodes[at].parent !== null; at = nodes[at].parent) found.unshift(nodes[at].action);
  return found;
}

const LAST_IN = { bfs: "it waited longest", bidirectional: "it waited longest on its side", dfs: "it was found last", dls: "it was found last", ids: "it was found last", idastar: "it was found last and f is within the bound" };

/** Why a node is where it is, in a sentence. */
function explain(node, step, algorithm) {
  const reason = because(node, step, algorithm);
  return node.backward && node.action ? `${reason} Reached from the goal, at a cost of ${number(node.g)} to it.` : reason;
}

function because(node, step, algorithm) {
  const kind = standing(node, step);
  const [g, f] = [number(node.g), number(node.f)];
  const reason = LAST_IN[algorithm] ?? { ucs: `no node on the frontier had a smaller g than ${g}`, greedy: `no node on the frontier had a smaller h than ${number(node.h)}` }[algorithm] ?? `no node on the frontier had a smaller f than ${f}`;
  switch (kind) {
    case "repeated": return "Not kept: this state was reached before at no greater cost, or lies on the path itself.";
    case "cut limit": return "At the depth limit: tested, and not expanded.";
    case "cut": return node.fate === "dead" ? "Pruned: the heuristic knows that no goal can be reached from here." : "Pruned: it lies beyond the bound of this iteration.";
    case "goal": return node.backward ? "The goal, from which the second tree grows." : `A goal, reached at cost ${g}.`;
    case "expanded": return `Expanded as number ${node.expanded + 1}: ${reason}.`;
    default: return node.expanded === null ? "On the frontier: found, but never expanded." : `On the frontier; it will be expanded as number ${node.expanded + 1}.`;
  }
}
