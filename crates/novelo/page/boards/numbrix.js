// Numbrix: choose a cell and type, or drag from a number to go on counting. Numbers that follow each other are joined.

import { h, icon, s } from "../dom.js";
import { ARROWS, UNIT, WAYS, beside, centre, corners, lines, place, rows, under, way } from "./grid.js";

const MARGIN = 10;

function painter(svg) {
  return {
    cursor: null,
    typed: "",
    /** Numbers that might be in a cell, as the player has noted them. */
    marks: {},
    paint(view, hint = null) {
      const cellOf = new Map(view.cells.map(({ value }, cell) => [value, cell]));
      const last = view.cells.length;
      const size = last > 999 ? 30 : last > 99 ? 36 : 42;
      const [grid, thread, numbers] = [s("g", {}), s("g", { class: "thread" }), s("g", {})];
      view.cells.forEach(({ value, kind, last: latest, wrong, play }, cell) => {
        const [x, y] = centre(view, cell, MARGIN);
        const pointed = hint !== null && play !== null && hint.startsWith(play);
        const look = ["cell", kind, latest && "latest", wrong && "wrong", pointed && "pointed"].filter(Boolean).join(" ");
        grid.append(s("rect", { class: look, x: x - 48, y: y - 48, width: 96, height: 96, rx: 10 }));
        if (pointed) numbers.append(s("text", { class: "offered", x, y, "font-size": size }, hint.slice(play.length)));
        const noted = value === null ? (this.marks[cell] ?? []).filter((mark) => !cellOf.has(mark)) : [];
        noted.slice(0, 6).forEach((mark, i) => numbers.append(s("text", { class: "noted", x: x - 29 + (i % 3) * 29, y: y - 30 + Math.floor(i / 3) * 58, "font-size": last > 99 ? 15 : 19 }, String(mark))));
        if (value === null) return;
        const next = cellOf.get(value + 1);
        if (next !== undefined && way(view, cell, next)) {
          const [x2, y2] = centre(view, next, MARGIN);
          thread.append(s("line", { x1: x, y1: y, x2, y2 }));
        }
        if (value === 1 || value === last) thread.append(s("circle", { cx: x, cy: y, r: 38 }));
        numbers.append(s("text", { class: look, x, y, "font-size": size }, String(value)));
        if (wrong) numbers.append(s("path", { class: "cross", d: `M${x + 24} ${y - 40}l14 14m0-14l-14 14` }));
      });
      if (this.cursor !== null) {
        const [x, y] = centre(view, this.cursor, MARGIN);
        numbers.append(s("rect", { class: "cursor", x: x - 46, y: y - 46, width: 92, height: 92, rx: 10 }));
        if (this.typed) numbers.append(s("text", { class: "typed", x, y, "font-size": size }, this.typed));
      }
      svg.replaceChildren(s("rect", { class: "tray", width: "100%", height: "100%", rx: 16 }), grid, thread, numbers);
    },
  };
}

/** Whether a number is on the board's scale and not yet on it. */
const free = (view, value) =>
  value >= 1 && value <= view.cells.length && !view.cells.some((cell) => cell.value === value);

/** Numbers that would join up with a neighbour of the cell. */
function joining(view, cell) {
  const neighbours = Object.keys(WAYS).map((name) => beside(view, cell, name)).filter((next) => next !== null);
  const values = neighbours.map((next) => view.cells[next].value).filter((value) => value !== null);
  const near = new Set(values.flatMap((value) => [value - 1, value + 1]));
  return [...near].filter((value) => free(view, value)).sort((a, b) => a - b);
}

function foresee(view, move) {
  const cell = view.cells.findIndex(({ play }) => play !== null && move.startsWith(play));
  if (cell < 0) return null;
  const there = view.cells[cell];
  const value = Number(move.slice(there.play.length)) || null;
  if (value === null ? there.value === null : there.value !== null || !free(view, value)) return null;
  const cells = view.cells.map((one) => (one.last ? { ...one, last: false } : one));
  cells[cell] = { ...there, value, kind: value === null ? "empty" : "placed", last: true, wrong: false };
  return { ...view, cells };
}

function control(table, painter) {
  let carried = null;
  let pencil = false;
  painter.marks = table.memory.get() ?? {};
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Numbers that would join up" });
  painter.cursor = Math.max(0, table.view.cells.findIndex((cell) => cell.value === null));

  const chosen = () => table.view.cells[painter.cursor];
  const choose = (cell) => {
    painter.cursor = cell;
    painter.typed = "";
    table.repaint();
    offer();
  };
  /** Notes a number in a cell, or takes the note away. */
  const note = (cell, value) => {
    const now = painter.marks[cell] ?? [];
    painter.marks = { ...painter.marks, [cell]: now.includes(value) ? now.filter((mark) => mark !== value) : [...now, value].sort((a, b) => a - b) };
    table.memory.set(painter.marks);
    table.repaint();
    table.say(`Noted: ${painter.marks[cell].join(", ") || "nothing"}.`);
    return true;
  };
  const put = (cell, value) => {
    painter.typed = "";
    if (pencil && carried === null && value !== "" && table.view.cells[cell].value === null) return note(cell, Number(value));
    const { play, value: there } = table.view.cells[cell];
    if (play !== null) {
      // Writing over a number takes it back first.
      if (there !== null && value !== "" && there !== Number(value)) table.play(play);
      return there === Number(value) ? table.repaint() : table.play(`${play}${value}`);
    }
    table.repaint();
    table.say("This number is given and stays.");
    return false;
  };
  const commit = () => painter.typed && put(painter.cursor, painter.typed);
  const speak = () => {
    const [row, col] = place(table.view, painter.cursor);
    const { value, kind } = chosen();
    table.say(`Row ${row + 1}, column ${col + 1}: ${value ?? "empty"}${kind === "given" ? ", given" : ""}.`);
  };
  const clear = () => {
    if (painter.typed) {
      painter.typed = painter.typed.slice(0, -1);
      table.repaint();
    } else if (chosen().value !== null) put(painter.cursor, "");
    else if (painter.marks[painter.cursor]?.length) note(painter.cursor, painter.marks[painter.cursor].at(-1));
  };
  const digit = (key) => {
    if (chosen().play === null) return table.say("This number is given and stays.");
    painter.typed = `${painter.typed}${key}`.replace(/^0+/, "");
    // When no further digit could follow, the number is complete.
    if (painter.typed && Number(painter.typed) * 10 > table.view.cells.length) return commit();
    return table.repaint();
  };
  const offer = () => {
    const open = chosen().value === null;
    const numbers = open ? joining(table.view, painter.cursor) : [];
    const chip = (n) => h("button", { type: "button", class: "chip", onclick: () => put(painter.cursor, n) }, String(n));
    chips.replaceChildren(...(numbers.length ? numbers.map(chip)
      : [h("span", { class: "quiet" }, open ? "No neighbour yet: type a number." : "Choose an empty cell.")]));
  };
  const toggle = h("button", { type: "button", class: "pencil", "aria-pressed": "false", title: "Note what might be in a cell (M)", onclick: () => {
    pencil = !pencil;
    toggle.setAttribute("aria-pressed", String(pencil));
    table.say(pencil ? "Pencil: numbers are notes." : "Pen: numbers are written.");
  } }, icon("pencil"), "Notes");
  /** Goes on counting into a cell, if that is where the next number can be; a finger that cuts a corner goes round it. */
  const carry = (cell) => {
    const { view } = table;
    const value = carried.value + carried.step;
    const fits = (next) => view.cells[next].value === value || (view.cells[next].value === null && free(view, value));
    if (cell === null || cell === carried.cell) return;
    if (!way(view, carried.cell, cell)) {
      const corner = corners(view, carried.cell, cell).find(fits);
      if (corner === undefined) return;
      carry(corner);
      return carry(cell);
    }
    if (!fits(cell)) return;
    if (view.cells[cell].value === null) {
      painter.cursor = cell;
      if (!put(cell, value)) return;
    }
    Object.assign(carried, { cell, value });
  };

  return {
    key(event) {
      const direction = ARROWS[event.key];
      if (direction) {
        commit();
        choose(beside(table.view, painter.cursor, direction) ?? painter.cursor);
        speak();
      } else if (/^[0-9]$/.test(event.key)) digit(event.key);
      else if (event.key === "Enter") commit();
      else if (event.key === "Backspace" || event.key === "Delete") clear();
      else if (event.key === "Escape") choose(painter.cursor);
      else if (event.key === "m") toggle.click();
      else return false;
      return true;
    },
    tap(point) {
      const cell = under(table.view, point, MARGIN);
      if (cell === null) return;
      commit();
      choose(cell);
      speak();
    },
    drag(point, from) {
      const { view } = table;
      const start = under(view, from, MARGIN);
      const value = start === null ? null : view.cells[start].value;
      if (!carried && value === null) return;
      carried ??= { cell: start, value, step: free(view, value + 1) ? 1 : -1 };
      carry(under(view, point, MARGIN));
    },
    drop() {
      carried = null;
    },
    grabs(point) {
      const cell = under(table.view, point, MARGIN);
      return cell !== null && table.view.cells[cell].value !== null;
    },
    changed: offer,
    pad() {
      const key = (label, name, press) => h("button", { type: "button", class: "key", "aria-label": name, onclick: press }, label);
      return h("div", { class: "pad" }, h("div", { class: "row" }, chips, toggle), h("div", { class: "digits", role: "group", "aria-label": "Digits" },
        [..."1234567890"].map((d) => key(d, d, () => digit(d))), key("⌫", "Take back", clear), key("↵", "Enter", commit)));
    },
  };
}

const STYLES = `
.numbrix rect.given { fill: light-dark(#dfe4e0, #28313c); }
.numbrix rect.latest { stroke: var(--thread); stroke-width: 4; }
.numbrix rect.wrong { fill: var(--bad-soft); }
.numbrix rect.pointed { stroke: var(--thread); stroke-dasharray: 14 9; }
.numbrix .thread line { stroke: light-dark(#f3b98d, #8a4d24); stroke-width: 20; stroke-linecap: round; }
.numbrix .thread circle { fill: light-dark(#f3b98d, #8a4d24); stroke: none; }
.numbrix text.given { font-weight: 700; stroke: none; }
.numbrix text.placed { fill: light-dark(#00487a, #a9d8fb); font-weight: 550; stroke: none; }
.numbrix text.wrong { fill: var(--bad); }
.numbrix .noted { fill: var(--quiet); font-weight: 500; }
.numbrix .offered, .numbrix .typed { fill: var(--thread); }
`;

export const board = {
  painter,
  control,
  foresee,
  styles: STYLES,
  margin: MARGIN,
  unit: UNIT,
  describe: (view) => rows(view, (cell) => view.cells[cell].value ?? "empty"),
  aim: ({ total }) => `Write the ${total} missing numbers`,
  /** A board of one's own: every number can be written and taken back. */
  edit: {
    help: "Choose a cell and type its number; Backspace takes it back. Or drag from a number to go on counting.",
    loosen: (view) => ({ ...view, cells: view.cells.map((cell, at) => {
      const [row, col] = place(view, at);
      return { ...cell, play: `${row + 1},${col + 1}=` };
    }) }),
    apply: (view, move) => foresee(view, move),
    blank: (rows, cols) => `${rows}x${cols}\n${Array.from({ length: rows }, () => Array(cols).fill(0).join(" ")).join("\n")}`,
    write: (view) => `${view.rows}x${view.cols}\n${lines(view, ({ value }) => value ?? 0)}`,
  },
  words(move) {
    const [row, col, value] = move.split(/[,=]/);
    return `${value} at row ${row}, column ${col}`;
  },
  help: [
    "Write every number once, so that each touches the one before and the one after: up, down, left or right.",
    "Choose a cell with the mouse or the arrow keys and type a number; Backspace takes it back.",
    "Or drag from a number through empty cells to go on counting. Numbers that join up are linked by the thread.",
    "With Notes, or the key M, numbers are pencil marks: what might be in a cell.",
  ],
};
