// A board of one's own: its cells and arcs are set by hand, and the server says what it is worth.

import * as api from "../api.js";
import { editing, playable } from "../boards/index.js";
import { ARROWS, beside } from "../boards/grid.js";
import { announce, button, count, errorLine, field, h, icon, s, sentence, whole } from "../dom.js";
import { address, go, note } from "../route.js";
import { load } from "../parts/load.js";
import { share } from "../parts/share.js";
import { sizeFields } from "../parts/size.js";

/** How hard a board is, by how many states A* looks at. */
const HARD = [[100, "easy"], [3000, "not easy"], [100_000, "hard"], [Infinity, "very hard"]];
/** The hand rests this long before a board is judged. */
const REST = 500;

/** #/edit/INSTANCE-ID */
export function show(root, route, signal) {
  return load(root, async () => {
    const { puzzles } = await api.registry();
    const instance = await api.instance(route.id ?? puzzles.find(({ name }) => editing(name)).face);
    const puzzle = puzzles.find(({ name }) => name === instance.puzzle);
    if (!editing(puzzle.name)) throw new api.ApiError(404, { message: `Boards of ${puzzle.title} cannot be drawn here.`, help: "Paste one on the start page." });
    if (!signal.aborted) new Editor(root, puzzle, instance, signal);
  });
}

/** Chooses cells by click or by arrows and Enter, for puzzles whose boards are set cell by cell. */
const cells = (touch, { at, frame, name }) => (table) => {
  let [cursor, before] = [0, null];
  const mark = () => {
    for (const old of table.svg.querySelectorAll(".cursor")) old.remove();
    for (const [cell, kind] of [[cursor, "cursor"], [before, "cursor held"]]) {
      if (cell !== null) table.svg.append(s("rect", { class: kind, ...frame(table.view, cell) }));
    }
  };
  const press = () => {
    before = touch(cursor, before) || before !== null ? null : cursor;
    mark();
  };
  return {
    changed: mark,
    key(event) {
      const way = ARROWS[event.key];
      if (way) {
        cursor = beside(table.view, cursor, way) ?? cursor;
        table.say(name(table.view, cursor));
        mark();
      } else if (event.key === "Enter" || event.key === " ") press();
      else return false;
      return true;
    },
    tap(point) {
      cursor = at(table.view, point) ?? cursor;
      press();
    },
  };
};

class Editor {
  constructor(root, puzzle, instance, signal) {
    Object.assign(this, { puzzle, signal, kind: editing(puzzle.name), instance, asked: 0, timer: null });
    this.errors = errorLine();
    this.verdict = h("div", { class: "judged", role: "status" });
    this.stage = h("div", { class: "stage" });
    this.size = sizeFields(instance.size, 99);
    const { option } = this.kind;
    this.option = option?.control(option.read(instance.id));
    this.option?.addEventListener("change", () => this.send(this.kind.write(this.view, this.option.value)));
    this.play = button("Play it", () => go("play", this.instance.id), { kind: "primary", icon: "play" });
    const shuffle = button("Make one", () => this.size.reportValidity() && this.make(), { icon: "dice" });
    const blank = button("Begin anew", () => this.size.reportValidity() && this.send(this.kind.blank(...this.size.numbers(), this.option?.value)), { icon: "restart" });
    root.append(h("div", { class: "game editor" },
      h("div", { class: "heading" }, h("h1", {}, "A board of your own", h("small", {}, puzzle.title)),
        h("a", { class: "again", href: address("play") }, "All puzzles"), h("p", { class: "lead" }, this.kind.help)),
      h("div", { class: "table" }, this.stage),
      h("div", { class: "side" }, this.errors.element, this.verdict,
        h("div", { class: "fields" }, this.size.elements, this.option && field(option.label, this.option)),
        h("div", { class: "row" }, blank, shuffle), h("div", { class: "row" }, this.play,
          this.watch = h("a", { class: "button", href: address("watch", instance.id) }, icon("eye"), "Watch it solved")),
        h("div", { class: "more" }, share(() => address("play", this.instance.id))))));
    this.take(instance);
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  /** Shows a board that the server has read, and has it judged. */
  take(instance) {
    const before = this.view;
    this.instance = instance;
    if (this.option) this.option.value = this.kind.option.read(instance.id);
    this.view = this.kind.loosen?.(instance.view) ?? instance.view;
    note("edit", instance.id);
    this.watch.href = address("watch", instance.id);
    this.play.disabled = false;
    if (before?.rows === this.view.rows && before?.cols === this.view.cols) this.board.paint(this.view);
    else this.lay();
    this.verdict.replaceChildren(h("p", { class: "quiet" }, "Thinking about it …"));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.judge(), REST);
  }

  lay() {
    const { kind } = this;
    const touch = (cell, before) => {
      const next = kind.touch(this.view, cell, before);
      if (next) this.change(next);
      return Boolean(next);
    };
    this.board = playable(this.puzzle.name, this.view, {
      label: `${this.puzzle.title}, a board of your own`, say: announce,
      play: (move) => {
        const next = kind.apply(this.view, move);
        if (next) this.change(next);
        return Boolean(next);
      },
      control: kind.touch ? cells(touch, kind) : null,
    });
    this.stage.replaceChildren(...[this.board.element, this.board.pad].filter(Boolean));
  }

  change(view) {
    this.view = view;
    this.board.paint(view);
    this.send(this.kind.write(view, this.option?.value));
  }

  /** Has a text read; a board that is none is told why. */
  async send(text) {
    const turn = ++this.asked;
    clearTimeout(this.timer);
    try {
      const [instance] = await api.instances(text, this.puzzle.name);
      if (turn !== this.asked || this.signal.aborted) return;
      this.errors.clear();
      this.take(instance);
    } catch (error) {
      if (turn !== this.asked) return;
      this.verdict.replaceChildren();
      this.play.disabled = true;
      this.errors.show(error);
    }
  }

  /** A board of the size that is asked for, to go on from. */
  async make() {
    this.errors.clear();
    try {
      this.take(await api.generate(this.puzzle.name, this.size.written(), null));
    } catch (error) {
      this.errors.show(error);
    }
  }

  async judge() {
    const { id } = this.instance;
    try {
      const judged = await api.judge(id);
      if (id === this.instance.id && !this.signal.aborted) this.verdict.replaceChildren(...verdict(judged, this.puzzle));
    } catch (error) {
      if (id === this.instance.id) this.verdict.replaceChildren(h("p", { class: "problem" }, sentence(error)));
    }
  }
}

/** What was found out about a board, line by line. */
function verdict({ outcome, reason, cost, optimal, unique, expanded, complete }, { unit, counts_solutions: counted }) {
  const line = (good, text) => h("p", { class: `mark ${good}` }, text);
  if (outcome === "unsolvable") return [line("no", `No solution${reason ? `: ${reason}` : ""}.`)];
  if (outcome === "stopped") return [line("perhaps", "Whether it has a solution was not found out in three seconds.")];
  const word = HARD.find(([most]) => expanded !== null && expanded <= most)?.[1];
  return [
    line("yes", `It has a solution${optimal ? `; the best takes ${count(cost)} ${unit[cost === 1 ? 0 : 1]}` : ""}.`),
    counted && (unique === null ? line("perhaps", "Whether it is the only one was not found out in time.")
      : unique ? line("yes", "It is the only one.") : line("no", "It is not the only one: a good puzzle has one.")),
    expanded !== null && line("plain", whole(complete ? `It is ${word} for a search: A* looks at ${count(expanded)} ${expanded === 1 ? "state" : "states"}`
      : `It is very hard for a search: A* was not done after ${count(expanded)} states`)),
  ].filter(Boolean);
}
