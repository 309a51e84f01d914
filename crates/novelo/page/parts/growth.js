// A search as it grew: the events of its trace in order, and what there is after each of them.

import { advance } from "../boards/index.js";
import { readSpec } from "./runs.js";

/** Which of two nodes of the frontier comes first, by what the algorithm goes by; ties as the open list breaks them. */
const ORDERS = {
  oldest: (a, b) => a.birth - b.birth,
  newest: (a, b) => b.time - a.time || a.birth - b.birth,
  g: (a, b) => a.g - b.g || b.birth - a.birth,
  h: (a, b) => a.h - b.h || b.birth - a.birth,
  f: (a, b) => a.f - b.f || a.h - b.h || b.birth - a.birth,
};

export class Growth {
  /** From the result of a trace, and the lesson of the algorithm that made it. */
  constructor({ trace, boards, report }, lesson) {
    const { expansions, iterations, path } = trace;
    // What the estimate is multiplied by, where the method has a weight.
    const weight = Number(readSpec(report.method, []).values.weight ?? 1);
    Object.assign(this, { trace, boards, report, lesson, next: lesson?.next ?? "oldest", views: [], keys: [] });
    const order = new Map(expansions.map((id, at) => [id, at]));
    const onPath = new Map(path.map((id, at) => [id, at]));
    const ahead = path.filter((id) => !trace.nodes[id].backward);
    this.found = ahead.at(-1) ?? null;
    this.nodes = [];
    trace.nodes.forEach((node, id) => {
      const above = node.parent === null ? null : this.nodes[node.parent];
      const full = {
        ...node, id, above, below: [], depth: above ? above.depth + 1 : 0, f: node.h === null ? null : node.g + weight * node.h,
        expanded: order.get(id) ?? null, solution: onPath.get(id) ?? null, goal: id === path.at(-1) || id === this.found,
        iteration: Math.max(0, iterations.findLastIndex(([, first]) => first <= id)),
        // Breadth-first search looks at its successors in batches; in truth they follow their parent.
        time: above && this.next === "oldest" ? above.order + 1 : node.born,
      };
      full.order = full.expanded ?? node.born;
      above?.below.push(full);
      this.nodes.push(full);
    });
    /** Whether it keeps one path only, its nodes being found one by one. */
    this.inPlace = this.next === "newest" && this.nodes.some(({ above, time }) => above && time > above.order + 1);
    this.label = { g: "g", h: "h", f: "f" }[this.next] ?? (this.nodes.some(({ f }) => f !== null) ? "f" : "g");
    this.events = [];
    /** How many events there are when so many expansions are done. */
    this.ends = [];
    const births = Map.groupBy(this.nodes, ({ time }) => time);
    for (let done = 0; done <= expansions.length; done++) {
      for (const node of births.get(done) ?? []) {
        node.birth = this.events.length;
        this.events.push({ kind: node.above ? node.fate : node.iteration ? "iteration" : "start", node, done });
      }
      this.ends.push(this.events.length);
      if (done < expansions.length) {
        const node = this.nodes[expansions[done]];
        node.takenAt = this.events.length;
        this.events.push({ kind: "take", node, done: done + 1 });
      }
    }
    if (this.found !== null) this.events.push({ kind: "goal", node: this.nodes[this.found], done: expansions.length });
    else if (trace.complete) this.events.push({ kind: "end", node: null, done: expansions.length });
    this.ends[expansions.length] = this.events.length;
  }

  /** The board of a node; null where it is not known. */
  view(id) {
    if (this.views[id] !== undefined) return this.views[id];
    const line = [];
    for (let at = this.nodes[id]; at && this.views[at.id] === undefined; at = at.above) line.unshift(at);
    for (const node of line) {
      const frame = this.boards.frames[node.id];
      const before = node.above ? this.views[node.above.id] : this.boards.start;
      this.views[node.id] = frame && before ? advance(before, frame) : null;
    }
    return this.views[id];
  }

  /** Whether a node was the first of the frontier when it was expanded, by what the algorithm goes by: some go by more. */
  wasFirst(node) {
    // A search from both ends has a frontier at each.
    const frontier = this.at(node.takenAt).frontier.filter(({ backward }) => backward === node.backward);
    if (!frontier.includes(node)) return false;
    return ["g", "h", "f"].includes(this.next) ? frontier.every((other) => other[this.next] >= node[this.next]) : frontier[0] === node;
  }

  /** What tells states apart: the board, as text. */
  state(id) {
    const view = this.view(id);
    return (this.keys[id] ??= view ? JSON.stringify([view.cells.map(({ value }) => value), view.path, view.arcs.map(({ kind }) => kind !== "empty")]) : `#${id}`);
  }

  /** What there is after so many events: the nodes of the iteration, the frontier in its order, those expanded, the latest first. */
  at(position) {
    const event = this.events[Math.max(0, position - 1)];
    const latest = this.events.slice(0, position).findLast(({ node }) => node);
    const iteration = latest.node.iteration;
    const [present, gone] = [[], new Set()];
    const open = new Map();
    const closed = [];
    for (let i = 0; i < Math.max(1, position); i++) {
      const { kind, node } = this.events[i];
      if (!node || node.iteration !== iteration) continue;
      if (kind === "take") {
        open.delete(node);
        closed.unshift(node);
      } else if (kind !== "goal") {
        present.push(node);
        if (kind === "better") for (const old of open.keys()) if (this.state(old.id) === this.state(node.id)) gone.add(old);
        if (["start", "iteration", "new", "better"].includes(kind)) open.set(node, true);
      }
    }
    const current = event.node ?? latest.node;
    const line = [];
    for (let at = current; at; at = at.above) line.unshift(at);
    const frontier = [...open.keys()].filter((node) => !gone.has(node) && !(node.goal && event.kind === "goal")).sort(ORDERS[this.next] ?? ORDERS.oldest);
    return { event, iteration, present, frontier, closed, current, line, taken: new Set(closed), done: event.done };
  }
}

/** What a node is at a position: the class it is drawn with. */
export function standing(node, { taken, event }, last) {
  if (node.fate === "repeated") return "repeated";
  if (node.fate === "dead" || node.fate === "cut") return "cut";
  if (node.goal && (node.backward || (last && event.kind === "goal"))) return "goal";
  if (node.fate === "limit") return "cut limit";
  return taken.has(node) ? "expanded" : "frontier";
}
