// Sliding tiles: click or drag a tile towards the gap, or press an arrow.

import { s } from "../dom.js";
import { ARROWS, NAMES, UNIT, beside, lines, place, rows, squares, swap, under } from "./grid.js";

const MARGIN = 14;
const gap = (view) => view.cells.findIndex((cell) => cell.value === null);

function painter(svg, first) {
  const layer = s("g", {});
  svg.replaceChildren(s("rect", { class: "tray", width: "100%", height: "100%", rx: 22 }), layer);
  const tiles = new Map();
  const size = first.cells.length > 100 ? 34 : 44;
  for (const { value } of first.cells) {
    if (value === null) continue;
    const group = s("g", { class: "tile" },
      s("rect", { x: 3, y: 3, width: UNIT - 6, height: UNIT - 6, rx: 12 }),
      s("text", { x: UNIT / 2, y: UNIT / 2, "font-size": size }, String(value)),
      s("path", { class: "home", d: "M38 81h24" }));
    tiles.set(value, group);
    layer.append(group);
  }
  const put = (tile, x, y) => tiles.get(tile).style.setProperty("transform", `translate(${x}px, ${y}px)`);
  const spot = (view, cell) => place(view, cell).reverse().map((n) => MARGIN + n * UNIT);
  return {
    paint(view, hint = null) {
      const pointed = hint in NAMES ? beside(view, gap(view), hint) : view.cells.findIndex(({ value }) => String(value) === hint);
      view.cells.forEach(({ value, kind }, cell) => {
        if (value === null) return;
        put(value, ...spot(view, cell));
        tiles.get(value).classList.toggle("done", kind === "done");
        tiles.get(value).classList.toggle("pointed", cell === pointed);
      });
    },
    /** Shows tiles on their way, `x` and `y` from their cells. */
    shift(view, cells, x, y) {
      for (const cell of cells) {
        const [left, top] = spot(view, cell);
        put(view.cells[cell].value, left + x, top + y);
      }
    },
  };
}

/** The cells from one to the gap, which slide together, and the way they go; null off the gap's lines. */
function line(view, cell) {
  const to = gap(view);
  if (cell === null || cell === to) return null;
  const [row, col] = place(view, cell);
  const [gapRow, gapCol] = place(view, to);
  if (row !== gapRow && col !== gapCol) return null;
  const toward = row === gapRow ? (col < gapCol ? "R" : "L") : row < gapRow ? "D" : "U";
  const cells = [];
  for (let next = cell; next !== to; next = beside(view, next, toward)) cells.push(next);
  return { cells, toward };
}

function foresee(view, move) {
  const to = gap(view);
  const cell = move in NAMES ? beside(view, to, move) : view.cells.findIndex(({ value }) => String(value) === move);
  const slid = cell === null || cell < 0 ? null : line(view, cell);
  if (!slid) return null;
  const cells = [...view.cells];
  let empty = to;
  for (const from of slid.cells.toReversed()) {
    cells[empty] = { ...cells[from], kind: "placed" };
    empty = from;
  }
  cells[empty] = view.cells[to];
  return { ...view, cells };
}

function control(table, painter) {
  let held = null;
  const slide = (cell) => table.play(String(table.view.cells[cell].value));
  const shift = () => held && painter.shift(table.view, held.cells, held.x, held.y);
  return {
    key(event) {
      const way = ARROWS[event.key];
      if (!way) return false;
      if (beside(table.view, gap(table.view), way) === null) table.say(`The gap cannot go ${NAMES[way]}.`);
      else table.play(way);
      return true;
    },
    tap(point) {
      const cell = under(table.view, point, MARGIN);
      if (cell !== null && table.view.cells[cell].value !== null) slide(cell);
    },
    drag(point, from) {
      held ??= line(table.view, under(table.view, from, MARGIN));
      if (!held) return;
      table.svg.classList.add("dragging");
      const across = held.toward === "L" || held.toward === "R";
      const sign = held.toward === "R" || held.toward === "D" ? 1 : -1;
      const way = Math.max(0, Math.min(UNIT, sign * (across ? point.x - from.x : point.y - from.y)));
      held.far = way > UNIT * 0.35;
      Object.assign(held, { x: across ? sign * way : 0, y: across ? 0 : sign * way });
      shift();
    },
    grabs: (point) => line(table.view, under(table.view, point, MARGIN)) !== null,
    // What the server says of earlier moves must not tear a tile from the finger.
    changed: shift,
    drop(released) {
      table.svg.classList.remove("dragging");
      const { cells, far } = held ?? {};
      held = null;
      if (released && far) slide(cells[0]);
      else table.repaint();
    },
  };
}

const STYLES = `
.tile { transition: transform 0.13s ease-out; }
.dragging .tile { transition: none; }
.tile rect { fill: light-dark(#ffffff, #2a3440); stroke: light-dark(#cfd5d9, #3b4755); stroke-width: 2; }
.tile .home { fill: none; stroke: none; stroke-width: 5; stroke-linecap: round; }
.tile.done rect { fill: light-dark(#d9ecf9, #173c59); stroke: light-dark(#9cc7e6, #2c658f); }
.tile.done text { fill: light-dark(#00487a, #bfe1fb); }
.tile.done .home { stroke: light-dark(#0072b2, #6fbaf5); }
.tile.pointed rect { stroke: var(--thread); stroke-width: 7; }
`;

export const board = {
  painter,
  control,
  foresee,
  styles: STYLES,
  margin: MARGIN,
  unit: UNIT,
  describe: (view) => rows(view, (cell) => view.cells[cell].value ?? "gap"),
  words: (move) => `gap ${NAMES[move] ?? move}`,
  aim: ({ total }) => `Bring ${total === 1 ? "the tile" : `all ${total} tiles`} home`,
  /** A board of one's own: two cells change places. */
  edit: {
    ...squares(MARGIN),
    help: "Choose a tile, then another: they change places.",
    touch: swap,
    blank: (rows, cols) => `${rows}x${cols}\n${Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => (r * cols + c + 1) % (rows * cols)).join(" ")).join("\n")}`,
    write: (view) => `${view.rows}x${view.cols}\n${lines(view, ({ value }) => value ?? 0)}`,
  },
  help: [
    "Bring the tiles into order by sliding them into the gap; those in their place are underlined.",
    "Click or drag a tile: all tiles between it and the gap slide along.",
    "Arrow keys move the gap.",
  ],
};
