// Play: the puzzles to choose from, and games left unfinished.

import * as api from "../api.js";
import { picture } from "../boards/index.js";
import { button, field, h, errorLine, select } from "../dom.js";
import { address, go } from "../route.js";
import { store } from "../store.js";
import { load } from "../parts/load.js";
import { paste } from "../parts/paste.js";
import { game } from "./game.js";

/** The start page, or the game that the address names. */
export function show(root, route, signal) {
  if (route.id) return game(root, route.id, signal);
  return load(root, async () => {
    const [{ puzzles }, scores] = await Promise.all([api.registry(), api.scores().catch(() => [])]);
    const faces = await Promise.all(puzzles.map((puzzle) => api.instance(puzzle.face)));
    root.append(
      h("h1", {}, "Play"),
      h("p", { class: "lead" }, "Puzzles for one. Every hint is right, and the best solution is always known."),
      unfinished() ?? "",
      h("div", { class: "cards" }, puzzles.map((puzzle, i) => card(puzzle, faces[i].view, scores))),
      own(),
    );
  });
}

function card(puzzle, view, scores) {
  const errors = errorLine();
  const size = select(puzzle.sizes, puzzle.sizes[1] ?? puzzle.sizes[0], () => best());
  const difficulty = select(puzzle.difficulties, "normal");
  const record = h("p", { class: "quiet record" });
  const best = () => {
    const found = scores.find((score) => score.puzzle === puzzle.name && score.size === size.value);
    record.textContent = found ? `Best score ${Math.round(found.score)}` : "No score yet";
  };
  best();
  const start = button("New game", async () => {
    errors.clear();
    start.disabled = true;
    try {
      const made = await api.generate(puzzle.name, size.value, difficulty.value);
      go("play", made.id);
    } catch (error) {
      errors.show(error);
    }
    start.disabled = false;
  }, { kind: "primary", "aria-label": `New game of ${puzzle.title}` });
  return h("section", { class: "card", "aria-label": puzzle.title },
    h("div", { class: "face" }, picture(puzzle.name, view).element),
    h("h2", {}, puzzle.title.split(",")[0]),
    h("p", { class: "line" }, puzzle.line),
    h("div", { class: "pair" }, field("Size", size), field("Difficulty", difficulty)),
    h("div", { class: "start" }, start, record), errors.element);
}

function unfinished() {
  const games = store.games.filter((game) => game.state !== "won" && game.moves > 0);
  if (!games.length) return null;
  const item = (game) => h("li", {},
    h("a", { href: address("play", game.instance) }, game.view && picture(game.puzzle, game.view).element,
      h("span", {}, h("strong", {}, (game.title ?? game.puzzle).split(",")[0]),
        h("small", {}, `${game.size}, ${game.moves} ${game.moves === 1 ? "move" : "moves"}`))));
  return h("section", { class: "panel" }, h("h2", {}, "Go on with"), h("ul", { class: "games" }, games.slice(0, 4).map(item)));
}

function own() {
  return h("section", { class: "panel" }, h("h2", {}, "A puzzle of your own"),
    paste("Play it", ([first]) => go("play", first.id)));
}
