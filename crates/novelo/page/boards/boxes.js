// Dots and Boxes: click an arc, drag from dot to dot, or choose a box with the arrows and draw one of its sides.

import { h, s } from "../dom.js";
import { ARROWS, NAMES, UNIT, WAYS, beside, place, rows } from "./grid.js";

const MARGIN = 36;
const LETTERS = { w: "U", a: "L", s: "D", d: "R" };
const spot = (n) => MARGIN + n * UNIT;

const tables = new WeakMap();

/** The arc with this kind and place. */
function arcAt(view, horizontal, row, col) {
  if (!tables.has(view.arcs)) tables.set(view.arcs, new Map(view.arcs.map((arc) => [key(arc.horizontal, arc.row, arc.col), arc])));
  return tables.get(view.arcs).get(key(horizontal, row, col)) ?? null;
}

const key = (horizontal, row, col) => `${horizontal ? "h" : "v"}${row},${col}`;

/** The side of a box that lies in a direction. */
function side(view, box, way) {
  const [row, col] = place(view, box);
  const horizontal = way === "U" || way === "D";
  return arcAt(view, horizontal, row + (way === "D"), col + (way === "R"));
}

const open = (view, box) => Object.keys(WAYS).filter((way) => side(view, box, way).kind === "empty").map((way) => NAMES[way]);

/** The arc nearest to a point, null if none is near. */
function nearest(view, { x, y }) {
  const [col, row] = [(x - MARGIN) / UNIT, (y - MARGIN) / UNIT];
  const off = (n) => Math.abs(n - Math.round(n));
  if (Math.min(off(row), off(col)) > 0.36) return null;
  return off(row) < off(col) ? arcAt(view, true, Math.round(row), Math.floor(col)) : arcAt(view, false, Math.floor(row), Math.round(col));
}

function painter(svg) {
  return {
    cursor: null,
    over: null,
    paint(view, hint = null) {
      const [closed, lines, dots, marks] = [s("g", { class: "closed" }), s("g", { class: "arcs" }), s("g", { class: "dots" }), s("g", {})];
      view.cells.forEach(({ kind }, box) => {
        if (kind !== "done") return;
        const [row, col] = place(view, box);
        closed.append(s("rect", { x: spot(col), y: spot(row), width: UNIT, height: UNIT }),
          s("path", { class: "tick", d: `M${spot(col) + 34} ${spot(row) + 52}l11 12 22-26` }));
      });
      // Drawn arcs lie above open ones.
      for (const arc of view.arcs.toSorted((a, b) => (a.kind !== "empty") - (b.kind !== "empty"))) {
        const { horizontal, row, col, kind, last, wrong, play } = arc;
        const look = [kind, last && "latest", wrong && "wrong", play === hint && "pointed", play === this.over && "over"];
        lines.append(s("line", { class: look.filter(Boolean).join(" "), x1: spot(col), y1: spot(row),
          x2: spot(col + horizontal), y2: spot(row + !horizontal) }));
      }
      for (let row = 0; row <= view.rows; row++) {
        for (let col = 0; col <= view.cols; col++) dots.append(s("circle", { cx: spot(col), cy: spot(row), r: 9 }));
      }
      if (this.cursor !== null) {
        const [row, col] = place(view, this.cursor);
        marks.append(s("rect", { class: "cursor", x: spot(col) + 16, y: spot(row) + 16, width: UNIT - 32, height: UNIT - 32, rx: 10 }));
      }
      svg.replaceChildren(s("rect", { class: "tray", width: "100%", height: "100%", rx: 18 }), closed, lines, dots, marks);
    },
  };
}

function foresee(view, move) {
  const drawn = view.arcs.findIndex(({ play }) => play === move);
  if (drawn < 0 || view.arcs[drawn].kind !== "empty") return null;
  const arcs = view.arcs.map((arc, i) => (i === drawn ? { ...arc, kind: "placed", last: true } : arc.last ? { ...arc, last: false } : arc));
  const next = { ...view, arcs };
  next.cells = view.cells.map((cell, box) => (cell.kind !== "done" && !open(next, box).length ? { ...cell, kind: "done" } : cell));
  return next;
}

/** The dot near a point, as [row, column]; null between dots. */
function dotAt(view, { x, y }) {
  const exact = [(y - MARGIN) / UNIT, (x - MARGIN) / UNIT];
  const dot = exact.map(Math.round);
  const far = Math.hypot(exact[0] - dot[0], exact[1] - dot[1]) > 0.36;
  return far || dot[0] < 0 || dot[1] < 0 || dot[0] > view.rows || dot[1] > view.cols ? null : dot;
}

function control(table, painter) {
  painter.cursor = 0;
  let pen = null;
  return {
    key(event) {
      const { view } = table;
      const way = ARROWS[event.key];
      const letter = LETTERS[event.key.toLowerCase()];
      if (letter || (way && event.shiftKey)) table.play(side(view, painter.cursor, letter ?? way).play);
      else if (way) {
        painter.cursor = beside(view, painter.cursor, way) ?? painter.cursor;
        table.repaint();
        const [row, col] = place(view, painter.cursor);
        const left = open(view, painter.cursor);
        table.say(`Box in row ${row + 1}, column ${col + 1}: ${left.length ? `open ${left.join(", ")}` : "closed"}.`);
      } else return false;
      return true;
    },
    hover(point) {
      const arc = point && nearest(table.view, point);
      const over = arc?.kind === "empty" ? arc.play : null;
      if (over === painter.over) return;
      painter.over = over;
      table.repaint();
    },
    /** Draws every arc on the way from dot to dot. */
    drag(point, from) {
      const dot = dotAt(table.view, point);
      pen ??= dotAt(table.view, from);
      if (!dot || !pen || dot.join() === pen.join()) return;
      const [down, right] = [dot[0] - pen[0], dot[1] - pen[1]];
      if (Math.abs(down) + Math.abs(right) === 1) {
        const arc = arcAt(table.view, down === 0, Math.min(dot[0], pen[0]), Math.min(dot[1], pen[1]));
        if (arc.kind === "empty") table.play(arc.play);
      }
      pen = dot;
    },
    drop() {
      pen = null;
    },
    grabs: (point) => dotAt(table.view, point) !== null,
    tap(point) {
      const arc = nearest(table.view, point);
      painter.over = null;
      if (arc) table.play(arc.play);
    },
  };
}

const STYLES = `
.boxes .tray { fill: var(--surface); stroke: var(--line); stroke-width: 2; }
.boxes .closed rect { fill: var(--good-soft); }
.boxes .tick { fill: none; stroke: var(--good); stroke-width: 7; stroke-linecap: round; stroke-linejoin: round; }
.boxes .arcs line { stroke-width: 10; stroke-linecap: round; }
.boxes .empty { stroke: light-dark(#b4bbb4, #4b5765); stroke-width: 6 !important; stroke-dasharray: 1 14; }
.boxes .given { stroke: light-dark(#4a5563, #aeb9c6); }
.boxes .placed { stroke: var(--accent); }
.boxes .latest { stroke: var(--thread); }
.boxes .wrong { stroke: var(--bad); stroke-dasharray: 16 12; }
.boxes .over { stroke: var(--accent); stroke-dasharray: none; opacity: 0.4; stroke-width: 10 !important; }
.boxes .pointed { stroke: var(--thread); stroke-dasharray: 14 14; stroke-width: 10 !important; }
.boxes .dots circle { fill: var(--ink); }
`;

/** The arcs of a view as a picture, with the number of boxes to close. */
function boxes(view, goal) {
  const drawn = (horizontal, row, col) => (arcAt(view, horizontal, row, col)?.kind ?? "empty") !== "empty";
  const text = [`goal ${goal}`];
  for (let row = 0; row <= view.rows; row++) {
    text.push(`+${Array.from({ length: view.cols }, (_, col) => (drawn(true, row, col) ? "-" : " ")).join("+")}+`);
    if (row < view.rows) text.push(Array.from({ length: view.cols + 1 }, (_, col) => (drawn(false, row, col) ? "|" : " ")).join(" "));
  }
  return text.join("\n");
}

export const board = {
  painter,
  control,
  foresee,
  styles: STYLES,
  margin: MARGIN,
  unit: UNIT,
  describe: (view) => rows(view, (box) => {
    const left = open(view, box);
    return left.length ? `open ${left.join(" ")}` : "closed";
  }),
  aim: ({ total }) => `Close ${total} ${total === 1 ? "box" : "boxes"}`,
  /** A board of one's own: arcs come and go, and so many boxes are to be closed. */
  edit: {
    help: "Choose an arc to draw it, and again to take it away; drag to draw several.",
    option: { label: "Boxes to close", read: (id) => id.split(":")[2], control: (value) => h("input", { type: "number", min: 1, max: 999, required: true, value }) },
    apply(view, move) {
      const at = view.arcs.findIndex(({ play }) => play === move);
      if (view.arcs[at].kind === "empty") return foresee(view, move);
      const next = { ...view, arcs: view.arcs.with(at, { ...view.arcs[at], kind: "empty", last: false }) };
      next.cells = view.cells.map((cell, box) => (cell.kind === "done" && open(next, box).length ? { ...cell, kind: "empty" } : cell));
      return next;
    },
    blank: (rows, cols) => boxes({ rows, cols, arcs: [] }, 1),
    write: boxes,
  },
  words(move) {
    const [kind, row, col] = move.split(/[ ,]/);
    return `arc ${kind === "h" ? "above" : "left of"} row ${row}, column ${col}`;
  },
  help: [
    "Close as many boxes as the goal asks for with as few arcs as you can.",
    "Click between two dots to draw an arc, or drag from dot to dot to draw several.",
    "Arrow keys choose a box; Shift and an arrow, or W A S D, draw its side.",
  ],
};
