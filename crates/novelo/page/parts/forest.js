// The picture of a search tree at one of its moments. It grows and follows by itself; boards appear where there is room.

import { picture } from "../boards/index.js";
import { h, icon, s } from "../dom.js";
import { ACROSS, DOWN, arrange } from "./arrange.js";
import { glass } from "./glass.js";
import { standing } from "./growth.js";

/** Below this scale nothing can be read, so the picture follows instead of showing all. */
const LEGIBLE = 0.5;
/** Under a finger a node must be larger than under a mouse. */
const TOUCHABLE = 0.72;
/** A board is drawn when its cells have this many pixels. */
const CELL = 12;
/** With more nodes than this only those in sight are drawn. */
const MANY = 400;
/** The strip at the foot where the overview and the buttons lie: no node that is followed is drawn under them. */
const FOOT = 60;
/** The side of a board in a node. */
const SIDE = 58;

/** A number in at most four places. */
export const number = (value) => (value === null || value === undefined ? "–" : String(Number(value.toPrecision(3))));

/** A circle, a diamond, a square or a ring: the shape tells what the colour tells. */
export function shape(kind) {
  switch (kind) {
    case "repeated": return [s("path", { class: "shape", d: "M0-16 16 0 0 16-16 0Z" })];
    case "cut": case "cut limit": return [s("rect", { class: "shape", x: -14, y: -14, width: 28, height: 28, rx: 4 }), s("path", { class: "mark", d: "M-14 14 14-14" })];
    case "goal": return [s("circle", { class: "shape", r: 27 }), s("circle", { class: "shape", r: 22 })];
    default: return [s("circle", { class: "shape", r: 24 })];
  }
}

/** The mark of a node that was reached from the goal. */
export const side = () => s("circle", { class: "side", cx: -18, cy: -18, r: 8 });

export class Forest {
  /**
   * `pick(node, chosen)` is called when a person comes to a node; `chosen` if it was clicked or entered. Nothing is drawn smaller
   * than `least`; levels are `down` apart; without `boarded` nodes have no boards in them.
   */
  constructor(instance, growth, pick, { least = null, down = DOWN, boarded = true } = {}) {
    Object.assign(this, { instance, growth, pick, least, down, boarded, picked: null, marked: null, now: null, following: true, drawn: new Map() });
    this.layer = s("g", {});
    this.svg = s("svg", { class: "nodes", role: "group", "aria-label": "Search tree" }, this.layer);
    this.map = h("canvas", { class: "map", "aria-hidden": "true", hidden: true });
    this.glass = glass(this.svg, this.layer, (byHand) => {
      if (!byHand) return;
      this.following = false;
      this.paint();
    });
    const tool = (name, label, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
    this.follow = tool("fit", "Follow the search", () => {
      this.following = true;
      this.paint();
    });
    this.tools = h("div", { class: "zoom" }, tool("plus", "Larger", () => this.glass.zoom(1.4)), tool("minus", "Smaller", () => this.glass.zoom(1 / 1.4)), this.follow);
    this.element = h("div", { class: "forest" }, this.svg, this.map, this.tools);
    this.svg.addEventListener("click", ({ target }) => {
      const id = target.closest(".node")?.dataset.id;
      if (id !== undefined && !this.glass.dragged()) this.pick(this.growth.nodes[id], true);
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.now && this.paint()).observe(this.svg);
  }

  /** Arrow keys go from node to node: up to the parent, down to the first child, sideways along the level. */
  key(event) {
    const id = event.target.closest(".node")?.dataset.id;
    if (id === undefined) return;
    const node = this.growth.nodes[id];
    const { present } = this.now;
    const level = present.filter(({ depth }) => depth === node.depth).sort((a, b) => this.places.get(a)[0] - this.places.get(b)[0]);
    const beside = (by) => level[level.indexOf(node) + by];
    const next = { ArrowUp: node.above, ArrowDown: node.below.find((one) => present.includes(one)), ArrowLeft: beside(-1), ArrowRight: beside(1), Enter: node }[event.key];
    if (!next) return;
    event.preventDefault();
    this.pick(next, event.key === "Enter");
    this.drawn.get(next.id)?.focus({ preventScroll: true });
  }

  /** Shows a moment of the search; `last` is whether it is the end. */
  show(now, last, picked) {
    Object.assign(this, { now, last, picked });
    // Where there is no room for the button that follows again, the next moment does.
    if (!this.tools.offsetHeight) this.following = true;
    this.places = arrange(now.present, this.down);
    this.paint();
  }

  paint() {
    const { now, places, growth, down } = this;
    const xs = [...places.values()];
    const box = [Math.min(...xs.map(([x]) => x)) - ACROSS, -down * 0.6, Math.max(...xs.map(([x]) => x)) + ACROSS, Math.max(...xs.map(([, y]) => y)) + down * 0.7];
    const at = places.get(now.current) ?? places.get(now.present.at(-1));
    if (this.following) this.glass.frame(box, at, this.least ?? (matchMedia("(pointer: coarse)").matches ? TOUCHABLE : LEGIBLE), 1.1, this.tools.offsetHeight && FOOT);
    const seen = this.glass.seen();
    const scale = this.glass.scale();
    const { rows, cols } = growth.boards.start;
    const boards = this.boarded && (scale * SIDE) / Math.max(rows, cols) >= CELL;
    const inSight = (node) => {
      const [x, y] = places.get(node);
      return x > seen[0] - ACROSS && x < seen[2] + ACROSS && y > seen[1] - down && y < seen[3] + down;
    };
    const shown = now.present.length > MANY ? now.present.filter(inSight) : now.present;
    // Marks are moved from picture to picture, which takes the focus from them.
    const focused = this.svg.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    const edges = s("g", {});
    const marks = s("g", {});
    const before = this.drawn;
    this.drawn = new Map();
    for (const node of shown) {
      const [x, y] = places.get(node);
      if (node.above && places.has(node.above)) {
        const [px, py] = places.get(node.above);
        const way = now.event.kind === "goal" && node.solution !== null && node.above.solution !== null ? " way" : "";
        // Below a board stands its key, which no edge may cross.
        const from = py + (boards ? 56 : 26);
        edges.append(s("path", { class: `edge${way}`, d: `M${px} ${from}C${px} ${from + 26} ${x} ${y - 66} ${x} ${y - 26}` }));
      }
      const element = this.node(node, boards, before.get(node.id));
      element.setAttribute("transform", `translate(${x} ${y})`);
      this.drawn.set(node.id, element);
      marks.append(element);
    }
    this.layer.replaceChildren(edges, marks);
    if (focused !== undefined) this.drawn.get(Number(focused))?.focus({ preventScroll: true });
    this.overview(box, seen);
  }

  /** The mark of a node, made anew only where its look has changed. */
  node(node, boards, old) {
    const { now, growth } = this;
    const kind = standing(node, now, this.last);
    const order = now.taken.has(node) ? node.expanded + 1 : null;
    const left = growth.inPlace && now.taken.has(node) && !now.line.includes(node);
    const small = !["new", "better", "root"].includes(node.fate) && kind !== "goal";
    const view = boards && !small ? growth.view(node.id) : null;
    const look = ["node", kind, node.backward && "backward", node === now.current && "current", node === this.picked && "picked",
      left && "left", view && "boarded", this.marked?.(node) && "only"].filter(Boolean).join(" ");
    const label = kind.startsWith("cut") && node.f === null && growth.label !== "g" ? "∞" : number(node[growth.label]);
    const words = `${look}|${order}`;
    const tab = node === this.picked ? 0 : -1;
    if (old?.words === words) {
      old.setAttribute("tabindex", tab);
      return old;
    }
    const name = `Node ${node.id}, ${{ cut: "pruned", "cut limit": "at the depth limit", repeated: "seen before" }[kind] ?? kind}, g ${number(node.g)}, h ${number(node.h)}, f ${number(node.f)}`;
    const face = view && picture(this.instance.puzzle, view).element;
    if (face) for (const [key, value] of [["x", -SIDE / 2], ["y", -SIDE / 2], ["width", SIDE], ["height", SIDE]]) face.setAttribute(key, value);
    const element = s("g", { class: look, "data-id": node.id, role: "img", tabindex: tab, "aria-label": name },
      s("circle", { class: "halo", r: small ? 22 : 33 }),
      face ? [s("rect", { class: "shape", x: -33, y: -33, width: 66, height: 66, rx: 8 }), face] : shape(kind),
      node.backward ? side() : null,
      s("text", face ? { y: 46, class: "key" } : { y: 0, class: label.length > 3 ? "long" : null }, face ? `${growth.label} ${label}` : label),
      order && s("text", { class: "order", x: face ? 38 : 30, y: face ? -38 : -24 }, String(order)));
    element.words = words;
    return element;
  }

  /** The whole tree in a corner, while only a part of it is seen. */
  overview([left, top, right, bottom], seen) {
    const { map, now, places, down } = this;
    map.hidden = !this.tools.offsetHeight || (seen[0] <= left + ACROSS && seen[2] >= right - ACROSS && seen[3] >= bottom - down && seen[1] <= top + down);
    if (map.hidden) return;
    // In the shape of the tree, as large as there is room beside the buttons.
    const room = [Math.min(180, this.svg.clientWidth - this.tools.offsetWidth - 40), FOOT - 16];
    const scale = Math.min(room[0] / (right - left), room[1] / (bottom - top));
    map.width = Math.max(20, (right - left) * scale);
    map.height = Math.max(20, (bottom - top) * scale);
    const pen = map.getContext("2d");
    const style = getComputedStyle(map);
    const spot = (x, y, w, height) => pen.fillRect((x - left) * scale, (y - top) * scale, w, height);
    pen.clearRect(0, 0, map.width, map.height);
    for (const node of now.present) {
      pen.fillStyle = style[node === now.current ? "outlineColor" : now.taken.has(node) ? "color" : "borderColor"];
      spot(...places.get(node), node === now.current ? 5 : 2, node === now.current ? 5 : 2);
    }
    pen.strokeStyle = style.outlineColor;
    pen.strokeRect((seen[0] - left) * scale, (seen[1] - top) * scale, (seen[2] - seen[0]) * scale, (seen[3] - seen[1]) * scale);
  }
}
