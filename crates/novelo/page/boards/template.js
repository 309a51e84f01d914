// The template of a board: one button. A board of your own is a file like this one, named after its puzzle; it exports
// `board`. The page knows no rules: what stands in each cell, and the move that touching it makes, is the server's view.

import { s } from "../dom.js";
import { UNIT, centre, rows, under } from "./grid.js";

const MARGIN = 14;

/** Draws a view into the picture, whenever it changes; `hint` is the move of a hint or null. */
function painter(svg) {
  return {
    paint(view, hint = null) {
      const buttons = view.cells.map(({ kind, play }, cell) => {
        const [x, y] = centre(view, cell, MARGIN);
        const look = ["button", kind === "done" && "down", hint !== null && play === hint && "pointed"];
        return s("circle", { class: look.filter(Boolean).join(" "), cx: x, cy: y, r: kind === "done" ? 26 : 38 });
      });
      svg.replaceChildren(s("rect", { class: "tray", width: "100%", height: "100%", rx: 22 }), ...buttons);
    },
  };
}

/** What a person can do: `key` says whether it took a key, `tap` is a click. Also possible: hover, drag, drop, changed, pad. */
function control(table) {
  const press = (cell) => {
    const play = cell === null ? null : table.view.cells[cell].play;
    if (play) table.play(play);
  };
  return {
    key(event) {
      if (event.key !== "Enter" && event.key !== " ") return false;
      press(0);
      return true;
    },
    tap: (point) => press(under(table.view, point, MARGIN)),
  };
}

// The class `board` and the puzzle's name are on the picture; colours for light and dark come from style.css.
const STYLES = `
.template .button { fill: var(--surface); stroke: var(--accent); stroke-width: 6; }
.template .button.down { fill: var(--accent); }
.template .button.pointed { stroke: var(--thread); }
`;

// Also possible: `foresee(view, move)`, the view after a move, drawn before the server answers; `edit`, how boards of one's own
// are made (see mazes.js for cells that are touched, boxes.js for moves that are made).
// Where cells are no squares, `size(view)` gives width and height instead of `margin` and `unit`.
export const board = {
  painter,
  control,
  styles: STYLES,
  margin: MARGIN,
  unit: UNIT,
  describe: (view) => rows(view, (cell) => (view.cells[cell].kind === "done" ? "pressed" : "not pressed")),
  words: () => "press the button",
  aim: () => "Press the button",
  help: ["Press the button: click it, or press Enter or Space."],
};
