// Dots and Boxes: click an arc, or choose a box with the arrows and draw one of its sides.

import { s } from "../dom.js";
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

function control(table, painter) {
  painter.cursor = 0;
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

export const board = {
  painter,
  control,
  styles: STYLES,
  margin: MARGIN,
  unit: UNIT,
  describe: (view) => rows(view, (box) => {
    const left = open(view, box);
    return left.length ? `open ${left.join(" ")}` : "closed";
  }),
  words(move) {
    const [kind, row, col] = move.split(/[ ,]/);
    return `arc ${kind === "h" ? "above" : "left of"} row ${row}, column ${col}`;
  },
  help: [
    "Close as many boxes as the goal asks for with as few arcs as you can.",
    "Click between two dots to draw an arc.",
    "Arrow keys choose a box; Shift and an arrow, or W A S D, draw its side.",
  ],
};
