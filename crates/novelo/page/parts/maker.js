// New instances by puzzle, size and difficulty.

import * as api from "../api.js";
import { button, errorLine, field, h, select } from "../dom.js";

/** A form that makes instances, and hands each to `made`; `first` is the puzzle it begins with. */
export function maker(registry, first, made) {
  const errors = errorLine();
  const rest = h("div", { class: "pair" });
  let size, difficulty;
  const puzzle = select(registry.puzzles.map(({ name, title }) => [name, title]), first, () => fit());
  const fit = () => {
    const { sizes, difficulties } = registry.puzzles.find(({ name }) => name === puzzle.value);
    size = select(sizes, sizes[0]);
    difficulty = select(difficulties, difficulties[0]);
    rest.replaceChildren(field("Size", size), field("Difficulty", difficulty));
  };
  fit();
  const make = button("Make one", async () => {
    errors.clear();
    make.disabled = true;
    try {
      made(await api.generate(puzzle.value, size.value, difficulty.value));
    } catch (error) {
      errors.show(error);
    }
    make.disabled = false;
  });
  return h("div", { class: "paste" }, field("Puzzle", puzzle), rest, errors.element, make);
}
