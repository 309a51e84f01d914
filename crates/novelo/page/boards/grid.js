// Cells and directions: what the boards share.

/** The side of a cell in the units of the pictures. */
export const UNIT = 100;

/** Key names and the letters of directions. */
export const ARROWS = { ArrowUp: "U", ArrowDown: "D", ArrowLeft: "L", ArrowRight: "R" };

/** Rows and columns that a direction goes. */
export const WAYS = { U: [-1, 0], D: [1, 0], L: [0, -1], R: [0, 1] };

export const NAMES = { U: "up", D: "down", L: "left", R: "right" };

/** Row and column of a cell, from 0. */
export const place = (view, cell) => [Math.floor(cell / view.cols), cell % view.cols];

/** Where the middle of a cell is drawn. */
export const centre = (view, cell, margin) => place(view, cell).reverse().map((n) => margin + (n + 0.5) * UNIT);

/** The cell next to another, or null beyond the edge. */
export function beside(view, cell, way) {
  const [row, col] = place(view, cell);
  const [r, c] = [row + WAYS[way][0], col + WAYS[way][1]];
  return r < 0 || c < 0 || r >= view.rows || c >= view.cols ? null : r * view.cols + c;
}

/** The cell under a point, or null; `margin` surrounds the board. */
export function under(view, point, margin) {
  const [row, col] = [Math.floor((point.y - margin) / UNIT), Math.floor((point.x - margin) / UNIT)];
  return row < 0 || col < 0 || row >= view.rows || col >= view.cols ? null : row * view.cols + col;
}

/** How the cells of a grid are chosen one by one: which lies where, its frame, and its name. */
export const squares = (margin) => ({
  at: (view, point) => under(view, point, margin),
  frame: (view, cell) => {
    const [x, y] = centre(view, cell, margin);
    return { x: x - 45, y: y - 45, width: 90, height: 90, rx: 12 };
  },
  name: (view, cell) => {
    const [row, col] = place(view, cell);
    const { value, kind } = view.cells[cell];
    return `Row ${row + 1}, column ${col + 1}: ${value ?? kind}.`;
  },
});

/** The view in which two cells have changed places; null before the second is chosen. */
export function swap(view, cell, before) {
  if (before === null) return null;
  const cells = [...view.cells];
  [cells[cell], cells[before]] = [cells[before], cells[cell]];
  return { ...view, cells };
}

/** The way from a cell to a neighbour, or undefined. */
export const way = (view, from, to) => Object.keys(WAYS).find((name) => beside(view, from, name) === to);

/** The cells that lie between two that touch at a corner. */
export function corners(view, from, to) {
  const [[r1, c1], [r2, c2]] = [place(view, from), place(view, to)];
  return Math.abs(r1 - r2) === 1 && Math.abs(c1 - c2) === 1 ? [r1 * view.cols + c2, r2 * view.cols + c1] : [];
}

/** The cells of a view as text, a line a row, below its size. */
export const lines = (view, cell, between = " ") => Array.from({ length: view.rows }, (_, r) =>
  Array.from({ length: view.cols }, (_, c) => cell(view.cells[r * view.cols + c], r * view.cols + c)).join(between)).join("\n");

/** "Row 1: …. Row 2: …." for screen readers. */
export const rows = (view, cell) =>
  Array.from({ length: view.rows }, (_, r) =>
    `Row ${r + 1}: ${Array.from({ length: view.cols }, (_, c) => cell(r * view.cols + c)).join(", ")}.`).join(" ");
