// Unequal Length Mazes: drag the thread through the cells, or walk with the arrows.

import { s } from "../dom.js";
import { ARROWS, NAMES, UNIT, beside, centre, corners, lines, place, rows, squares, under, way } from "./grid.js";

const MARGIN = 10;
const TURNS = { U: 0, R: 90, D: 180, L: 270 };

/** The straight pieces of a path: where they begin and end, and their lengths. */
function pieces(view) {
  const found = [];
  view.path.forEach((to, i) => {
    if (i === 0) return;
    const from = view.path[i - 1];
    const go = way(view, from, to);
    const latest = found.at(-1);
    if (latest?.go === go) Object.assign(latest, { to, length: latest.length + 1 });
    else found.push({ go, from, to, length: 1 });
  });
  return found;
}

function painter(svg) {
  return {
    paint(view, hint = null) {
      const at = (cell) => centre(view, cell, MARGIN);
      const [grid, lengths, marks] = [s("g", {}), s("g", { class: "lengths" }), s("g", {})];
      const walked = new Set(view.path);
      view.cells.forEach(({ kind, wrong }, cell) => {
        const [x, y] = at(cell);
        const look = kind === "wall" ? "wall" : walked.has(cell) ? "walked" : "floor";
        grid.append(s("rect", { class: look, x: x - 48, y: y - 48, width: 96, height: 96, rx: kind === "wall" ? 4 : 10 }));
        if (wrong) marks.append(s("path", { class: "cross", d: `M${x + 24} ${y - 40}l14 14m0-14l-14 14` }));
      });
      const thread = s("polyline", { class: "thread", points: view.path.map((cell) => at(cell).join(",")).join(" ") });
      const straight = pieces(view);
      for (const { from, to, length } of straight) {
        const [[x1, y1], [x2, y2]] = [at(from), at(to)];
        const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
        lengths.append(s("circle", { cx: x, cy: y, r: 18 }), s("text", { x, y, "font-size": 23 }, String(length)));
      }
      const flag = (cell, letter, kind) => {
        const [x, y] = at(cell);
        marks.append(s("g", { class: kind }, s("circle", { cx: x, cy: y, r: 33 }), s("text", { x, y, "font-size": 36 }, letter)));
      };
      const end = view.cells.findIndex((cell) => cell.kind === "end");
      if (end >= 0) flag(end, "E", "flag end");
      flag(view.path[0], "S", "flag");
      const head = view.path.at(-1);
      if (straight.length) {
        marks.append(s("g", { class: "head", transform: `translate(${at(head).join(" ")}) rotate(${TURNS[straight.at(-1).go]})` },
          s("circle", { r: 27 }), s("path", { d: "M0 -15 12 11 0 5 -12 11Z" })));
      }
      const next = hint in TURNS ? beside(view, head, hint) : null;
      if (next !== null) {
        const [x, y] = at(next);
        marks.append(s("rect", { class: "pointed", x: x - 45, y: y - 45, width: 90, height: 90, rx: 10 }));
      }
      svg.replaceChildren(s("rect", { class: "tray", width: "100%", height: "100%", rx: 16 }), grid, thread, lengths, marks);
    },
  };
}

/** Two pieces that follow each other must differ in length, and no cell is walked twice. */
function foresee(view, move) {
  const { path } = view;
  const to = move in NAMES ? beside(view, path.at(-1), move) : null;
  if (to === null || view.cells[to].kind === "wall") return null;
  if (to === path.at(-2)) return { ...view, path: path.slice(0, -1) };
  const [before, latest] = pieces(view).slice(-2);
  if (path.includes(to) || (latest && latest.go !== move && latest.length === before.length)) return null;
  return { ...view, path: [...path, to] };
}

/** The ways along a row or column from one cell to another, null if they are not in line. */
function straight(view, from, to) {
  const [[r1, c1], [r2, c2]] = [place(view, from), place(view, to)];
  if (r1 !== r2 && c1 !== c2) return null;
  const go = r1 === r2 ? (c1 < c2 ? "R" : "L") : r1 < r2 ? "D" : "U";
  return Array(Math.abs(r1 - r2) + Math.abs(c1 - c2)).fill(go);
}

/** The steps that lead from the end of the thread to a cell: back along the thread, or straight on. */
function ways(view, cell) {
  const back = view.path.indexOf(cell);
  if (back < 0) return straight(view, view.path.at(-1), cell);
  const trail = view.path.slice(back).reverse();
  return trail.slice(1).map((to, i) => way(view, trail[i], to));
}

function control(table) {
  // Where a drag was refused: the reason is told once.
  let refused = null;
  /** Steps one after another; the first that cannot be made ends the rest. */
  const walk = (steps) => steps.every((step) => table.play(step));
  /** A finger that cuts a corner goes round it, on the side where there is a way. */
  const round = (view, cell) => {
    const ends = corners(view, view.path.at(-1), cell).map((corner) => [way(view, view.path.at(-1), corner), way(view, corner, cell)]);
    return ends.find(([first, then]) => foresee(foresee(view, first) ?? view, then)?.path.at(-1) === cell);
  };
  return {
    key(event) {
      const { path } = table.view;
      if (ARROWS[event.key]) walk([ARROWS[event.key]]);
      else if (event.key === "Backspace" && path.length > 1) walk([way(table.view, path.at(-1), path.at(-2))]);
      else return false;
      return true;
    },
    tap(point) {
      const cell = under(table.view, point, MARGIN);
      const steps = cell === null ? [] : ways(table.view, cell);
      if (steps) walk(steps);
      else table.say("Choose a cell in line with the end of the thread.");
    },
    drag(point) {
      const { view } = table;
      const cell = under(view, point, MARGIN);
      if (cell === null || cell === refused || cell === view.path.at(-1)) return;
      refused = walk(ways(view, cell) ?? round(view, cell) ?? []) ? null : cell;
    },
    drop() {
      refused = null;
    },
    grabs(point) {
      const { view } = table;
      const cell = under(view, point, MARGIN);
      return cell !== null && (view.path.includes(cell) || way(view, view.path.at(-1), cell) !== undefined);
    },
  };
}

const STYLES = `
.mazes .floor { fill: var(--surface); }
.mazes .walked { fill: var(--thread-soft); }
.mazes .wall { fill: light-dark(#3c4652, #4b5868); }
.mazes .thread { fill: none; stroke: var(--thread); stroke-width: 14; stroke-linecap: round; stroke-linejoin: round; }
.mazes .lengths circle { fill: var(--thread-soft); stroke: var(--thread); stroke-width: 3; }
.mazes .lengths text { fill: light-dark(#7a3300, #ffd3b5); }
.mazes .flag circle { fill: var(--surface); stroke: var(--thread); stroke-width: 6; }
.mazes .flag.end circle { stroke: var(--good); stroke-dasharray: 12 7; }
.mazes .head circle { fill: var(--thread); }
.mazes .head path { fill: var(--surface); }
.mazes .pointed { fill: none; stroke: var(--thread); stroke-width: 5; stroke-dasharray: 14 9; }
`;

export const board = {
  painter,
  control,
  foresee,
  styles: STYLES,
  margin: MARGIN,
  unit: UNIT,
  describe: (view) => rows(view, (cell) => (cell === view.path.at(-1) ? "you" : { empty: "free" }[view.cells[cell].kind] ?? view.cells[cell].kind)),
  aim: ({ total }) => `Lead the thread through all ${total} cells`,
  /** A maze of one's own: blocks come and go. */
  edit: {
    ...squares(MARGIN),
    help: "Choose a cell to block it, and again to free it. The thread goes from S to E.",
    touch: (view, cell) => {
      const { kind } = view.cells[cell];
      if (kind !== "wall" && kind !== "empty") return null;
      return { ...view, cells: view.cells.with(cell, { ...view.cells[cell], kind: kind === "wall" ? "empty" : "wall" }) };
    },
    blank: (rows, cols) => Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) =>
      (r === rows - 1 && c === 0 ? "S" : r === 0 && c === cols - 1 ? "E" : ".")).join("")).join("\n"),
    write: (view) => lines(view, ({ kind }, cell) => (cell === view.path[0] ? "S" : kind === "end" ? "E" : kind === "wall" ? "#" : "."), ""),
  },
  words: (move) => (move.startsWith("turn") ? `turn ${NAMES[move.at(-1)]}` : `step ${NAMES[move]}`),
  help: [
    "Lead the thread from S to E through every free cell. Two pieces that follow each other must differ in length.",
    "Drag from the end of the thread, or click a cell in line with it. Going back along the thread takes it up again.",
    "Arrow keys walk one step; Backspace walks back.",
  ],
};
