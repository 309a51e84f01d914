// Play: the game to go on with, the puzzle of the day, and the puzzles to choose from.

import * as api from "../api.js";
import { editing, picture } from "../boards/index.js";
import { button, field, h, icon, errorLine, select, unique } from "../dom.js";
import { address, go } from "../route.js";
import { store } from "../store.js";
import { load } from "../parts/load.js";
import { paste } from "../parts/paste.js";
import { sizeFields } from "../parts/size.js";
import { game } from "./game.js";

/** The start page, or the game that the address names. */
export function show(root, route, signal) {
  if (route.id) return game(root, route.id, route.query, signal);
  return load(root, async () => {
    const [{ puzzles }, scores] = await Promise.all([api.registry(), api.scores().catch(() => [])]);
    const faces = await Promise.all(puzzles.map((puzzle) => api.instance(puzzle.face)));
    const games = store.games.filter((one) => !one.ended && one.state !== "won" && one.moves > 0);
    root.append(
      h("h1", {}, "Play"),
      h("p", { class: "lead" }, "Puzzles for one. Every hint is right, and the best solution is always known."),
      h("div", { class: "openers" }, games.length ? resumed(games[0]) : null, today(puzzles, signal)),
      games.length > 1 ? others(games.slice(1, 5)) : "",
      h("div", { class: "cards" }, puzzles.map((puzzle, i) => card(puzzle, faces[i].view, scores))),
      own(puzzles),
    );
  });
}

const short = (title) => title.split(",")[0];
const moved = ({ size, moves }) => `${size}, ${moves} ${moves === 1 ? "move" : "moves"}`;

/** The game played last, in one large button. */
const resumed = (one) => h("a", { class: "opener resumed", href: address("play", one.instance) },
  one.view && picture(one.puzzle, one.view).element,
  h("span", {}, h("strong", {}, "Continue"), h("b", {}, short(one.title ?? one.puzzle)), h("small", {}, moved(one))));

const others = (games) => h("section", { class: "panel" }, h("h2", {}, "Also begun"), h("ul", { class: "games" }, games.map((one) => h("li", {},
  h("a", { href: address("play", one.instance) }, one.view && picture(one.puzzle, one.view).element,
    h("span", {}, h("strong", {}, short(one.title ?? one.puzzle)), h("small", {}, moved(one))))))));

/** The puzzle of the day: by the date alone, so that it is the same for everyone. */
function today(puzzles, signal) {
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const days = Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);
  const puzzle = puzzles[days % puzzles.length];
  const size = puzzle.sizes[1] ?? puzzle.sizes[0];
  const face = h("span", { class: "board" });
  const state = h("small", {}, `${short(puzzle.title)}, ${size}`);
  const link = h("a", { class: "opener today" }, face,
    h("span", {}, h("strong", {}, icon("calendar"), "Puzzle of the day"), h("b", {}, now.toLocaleDateString("en", { weekday: "long", day: "numeric", month: "long" })), state));
  api.generate(puzzle.name, size, "normal", Number(date.replaceAll("-", ""))).then(({ id, view }) => {
    if (signal.aborted) return;
    link.href = address("play", id, { difficulty: "normal", day: date });
    face.replaceWith(picture(puzzle.name, view).element);
    if (store.game(id)?.ended) state.append(" · solved");
  }, () => link.remove());
  return link;
}

function card(puzzle, view, scores) {
  const errors = errorLine();
  const size = select(puzzle.sizes, puzzle.sizes[1] ?? puzzle.sizes[0], () => best());
  const difficulty = select(puzzle.difficulties, "normal");
  const record = h("p", { class: "quiet record", title: "Your best score: seconds, and 20 more for each hint" });
  const best = () => {
    const found = scores.find((score) => score.puzzle === puzzle.name && score.size === size.value);
    record.textContent = found ? `Best ${Math.round(found.score)}` : "";
  };
  best();
  const start = button("New game", async () => {
    errors.clear();
    start.disabled = true;
    try {
      const made = await api.generate(puzzle.name, size.value, difficulty.value);
      go("play", made.id, { difficulty: difficulty.value });
    } catch (error) {
      errors.show(error);
    }
    start.disabled = false;
  }, { kind: "primary", "aria-label": `New game of ${puzzle.title}` });
  const more = button("Size, number …", () => wishes(puzzle, difficulty.value), { kind: "plain", "aria-label": `Size, number … of ${puzzle.title}` });
  return h("section", { class: "card", "aria-label": puzzle.title },
    h("div", { class: "face" }, picture(puzzle.name, view).element),
    h("h2", {}, short(puzzle.title)),
    h("p", { class: "line" }, puzzle.line),
    h("div", { class: "pair" }, field("Size", size), field("Difficulty", difficulty)),
    h("div", { class: "start" }, start, record), more, errors.element);
}

/** A dialog for any size that the program takes, and for a puzzle by its number. */
function wishes(puzzle, level) {
  const errors = errorLine();
  const size = sizeFields(puzzle.sizes[1] ?? puzzle.sizes[0], 1000);
  const difficulty = select(puzzle.difficulties, level);
  const number = h("input", { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, placeholder: "any" });
  const make = h("button", { class: "primary" }, "Play");
  const title = h("h2", { id: unique("title") }, `A game of ${short(puzzle.title)}`);
  const dialog = h("dialog", { "aria-labelledby": title.id, onclose: () => dialog.remove() }, h("form", { class: "paste", method: "dialog", onsubmit: async (event) => {
    event.preventDefault();
    errors.clear();
    make.disabled = true;
    try {
      const seed = number.value === "" ? null : Number(number.value);
      const made = await api.generate(puzzle.name, size.written(), difficulty.value, seed);
      dialog.close();
      go("play", made.id, { difficulty: difficulty.value, number: seed });
    } catch (error) {
      errors.show(error);
    }
    make.disabled = false;
  } }, title, h("div", { class: "fields" }, size.elements), h("div", { class: "fields" }, field("Difficulty", difficulty),
    field("Number", number)), h("p", { class: "quiet" }, "The same number, size and difficulty give everyone the same puzzle."),
  errors.element, h("div", { class: "row" }, make, button("Cancel", () => dialog.close()))));
  document.querySelector("main").append(dialog);
  dialog.showModal();
}

/** Boards from elsewhere, and boards drawn here. */
const own = (puzzles) => h("section", { class: "panel", "aria-label": "A puzzle of your own" }, h("h2", {}, "A puzzle of your own"),
  h("div", { class: "row drawing" }, h("span", {}, icon("pencil"), "Draw a board:"), puzzles.filter(({ name }) => editing(name)).map((puzzle) =>
    h("a", { class: "button", href: address("edit", puzzle.face) }, short(puzzle.title)))),
  paste("Play it", ([first]) => go("play", first.id)));
