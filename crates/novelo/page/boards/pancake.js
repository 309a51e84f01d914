// Pancakes: click one to flip it with all above it, or choose with the arrows and press Enter.

import { s, select } from "../dom.js";
import { swap } from "./grid.js";

const MARGIN = 16;
/** The height of a pancake, and how wide the narrowest is. */
const HIGH = 44;
const LEAST = 64;

const width = (view) => 240 + 24 * view.rows;
const size = (view) => [width(view), view.rows * HIGH + 2 * MARGIN + 10];
const top = (row) => MARGIN + row * HIGH;

/** The pancake at a height of the picture, or null. */
function under(view, { y }) {
  const row = Math.floor((y - MARGIN) / HIGH);
  return row < 0 || row >= view.rows ? null : row;
}

function painter(svg, first) {
  const wide = width(first);
  const layer = s("g", {});
  const marks = s("g", {});
  const plate = s("path", { class: "plate", d: `M${MARGIN} ${top(first.rows) + 4}H${wide - MARGIN}` });
  svg.replaceChildren(s("rect", { class: "tray", width: "100%", height: "100%", rx: 22 }), plate, layer, marks);
  const cakes = new Map();
  for (const { value } of first.cells) {
    const half = (LEAST + (wide - 4 * MARGIN - LEAST) * value / first.rows) / 2;
    const cake = s("g", { class: "cake" },
      s("rect", { x: -half, y: 2, width: 2 * half, height: HIGH - 4, rx: HIGH / 2 - 2 }),
      s("text", { x: 0, y: HIGH / 2, "font-size": 28 }, String(value)),
      s("path", { class: "home", d: `M-14 ${HIGH - 8}h28` }));
    cakes.set(value, cake);
    layer.append(cake);
  }
  return {
    cursor: null,
    over: null,
    paint(view, hint = null) {
      const pointed = view.cells.findIndex(({ play }) => play !== null && play === hint);
      view.cells.forEach(({ value, kind }, row) => {
        const cake = cakes.get(value);
        cake.style.setProperty("transform", `translate(${wide / 2}px, ${top(row)}px)`);
        cake.classList.toggle("done", kind === "done");
        cake.classList.toggle("pointed", row === pointed);
        cake.classList.toggle("over", this.over !== null && row <= this.over);
      });
      // The spatula lies under the pancake that is chosen.
      marks.replaceChildren(...(this.cursor === null ? [] : [
        s("path", { class: "cursor", d: `M${MARGIN} ${top(this.cursor + 1)}H${wide - MARGIN}` })]));
    },
  };
}

function foresee(view, move) {
  const turned = view.cells.findIndex(({ play }) => play === move) + 1;
  if (turned < 2) return null;
  const cells = view.cells.map((cell, row) => {
    if (row >= turned) return { ...cell, last: false };
    const { value } = view.cells[turned - 1 - row];
    return { ...cell, value, kind: value === row + 1 ? "done" : "placed", last: true };
  });
  return { ...view, cells };
}

function control(table, painter) {
  painter.cursor = 1;
  let typed = "";
  const flip = (row) => {
    const play = table.view.cells[row]?.play;
    if (play) table.play(play);
    else table.say("A flip turns two pancakes at least.");
  };
  /** Flips as many as were typed, as soon as no digit can follow. */
  const type = (digit) => {
    typed += digit;
    if (Number(typed) * 10 > table.view.rows) enter();
    else table.say(`Flip ${typed}: Enter, or another digit.`);
  };
  const enter = () => {
    const count = Number(typed);
    typed = "";
    if (count > table.view.rows) table.say(`There are only ${table.view.rows} pancakes.`);
    else flip(count - 1);
  };
  return {
    key({ key }) {
      const { view } = table;
      if (key === "ArrowUp" || key === "ArrowDown") {
        typed = "";
        painter.cursor = Math.min(view.rows - 1, Math.max(1, painter.cursor + (key === "ArrowUp" ? -1 : 1)));
        table.repaint();
        table.say(`Number ${painter.cursor + 1} from the top: pancake ${view.cells[painter.cursor].value}.`);
      } else if (/^\d$/.test(key) && (typed || key !== "0")) type(key);
      else if (key === "Backspace" && typed) typed = typed.slice(0, -1);
      else if (key === "Enter" || key === " ") {
        if (typed) enter();
        else flip(painter.cursor);
      } else return false;
      return true;
    },
    hover(point) {
      const row = point && under(table.view, point);
      const over = row > 0 ? row : null;
      if (over === painter.over) return;
      painter.over = over;
      table.repaint();
    },
    tap(point) {
      const row = under(table.view, point);
      if (row !== null) flip(row);
    },
  };
}

const STYLES = `
.cake { transition: transform 0.22s ease-in-out; }
.cake rect { fill: light-dark(#f6d49a, #7a5526); stroke: light-dark(#b9803a, #c08f4f); stroke-width: 3; }
.cake .home { fill: none; stroke: none; stroke-width: 4; stroke-linecap: round; }
.cake.done rect { fill: light-dark(#e9b765, #94692f); }
.cake.done .home { stroke: light-dark(#6d4511, #f6d49a); }
.cake.over rect { stroke: var(--accent); }
.cake.pointed rect { stroke: var(--thread); stroke-width: 7; }
.pancake .plate { stroke: light-dark(#9aa4ad, #5b6877); stroke-width: 8; stroke-linecap: round; }
.pancake .cursor { stroke-width: 7; stroke-linecap: round; }
`;

export const board = {
  painter,
  control,
  foresee,
  size,
  styles: STYLES,
  describe: (view) => `From the top: ${view.cells.map(({ value }) => value).join(", ")}.`,
  words: (move) => `flip the top ${move}`,
  /** A stack of one's own: two pancakes change places. */
  edit: {
    at: under,
    frame: (view, row) => ({ x: MARGIN, y: top(row), width: width(view) - 2 * MARGIN, height: HIGH, rx: HIGH / 2 }),
    name: (view, row) => `Number ${row + 1} from the top: pancake ${view.cells[row].value}.`,
    help: "Choose a pancake, then another: they change places.",
    option: {
      label: "A flip costs", read: (id) => (id.endsWith(":weighted") ? "weighted" : ""),
      control: (value) => select([["", "1 point"], ["weighted", "what it turns"]], value),
    },
    touch: swap,
    blank: (count, costs) => `pancakes ${costs} ${Array.from({ length: count }, (_, row) => row + 1).join(" ")}`,
    write: ({ cells }, costs) => `pancakes ${costs} ${cells.map(({ value }) => value).join(" ")}`,
  },
  help: [
    "Sort the stack, the smallest pancake on top; those in their place are underlined.",
    "Click a pancake: it is flipped over with all that lie on it.",
    "Arrow keys move the spatula, Enter or Space flips what lies on it; or type how many to flip.",
  ],
};
