// One way to draw and to play any board. The server says what stands where and which move each place makes; each puzzle's
// module knows its own look and gestures.

import { registry } from "../api.js";
import { h, s, unique } from "../dom.js";

/** What each module exports as `board`, by the name of its puzzle, which is also the name of its file. */
const KINDS = {};
let loading;

async function bring() {
  const { puzzles } = await registry();
  const modules = await Promise.all(puzzles.map(({ name }) => import(`./${name}.js`)));
  modules.forEach(({ board }, i) => {
    KINDS[puzzles[i].name] = board;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(board.styles ?? "");
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Loads the look of every puzzle that the server knows, once; nothing can be drawn before. */
export const ready = () => (loading ??= bring().catch((error) => {
  loading = undefined;
  throw error;
}));

/** The view after a frame, which holds only what changed. */
export function advance(view, frame) {
  const next = { ...view, cells: [...view.cells], arcs: [...view.arcs], note: frame.note ?? view.note };
  for (const [at, cell] of frame.cells) next.cells[at] = cell;
  for (const [at, arc] of frame.arcs) next.arcs[at] = arc;
  if (frame.path) next.path = [...view.path.slice(0, frame.path.keep), ...frame.path.add];
  return next;
}

/** The views before, between and after the moves of an answer to /api/views. */
export function unroll({ start, frames }) {
  const views = [start];
  for (const frame of frames) views.push(advance(views.at(-1), frame));
  return views;
}

/** The names of the puzzles, as the registry orders them. */
export const names = () => Object.keys(KINDS);

/** A move in words. */
export const words = (puzzle, move) => KINDS[puzzle].words(move);

/** What is to be done in a game, in a few words; null where the board has none of its own. */
export const aim = (puzzle, progress) => KINDS[puzzle].aim?.(progress) ?? null;

/** How a board of one's own is made; undefined where that cannot be done. */
export const editing = (puzzle) => KINDS[puzzle].edit;

/** How to play, one sentence a line. */
export const help = (puzzle) => KINDS[puzzle].help;

function canvas(puzzle, view, attributes) {
  const { margin, unit, size } = KINDS[puzzle];
  const [width, height] = size?.(view) ?? [view.cols * unit + 2 * margin, view.rows * unit + 2 * margin];
  return s("svg", { class: `board ${puzzle}`, viewBox: `0 0 ${width} ${height}`, width, height, ...attributes });
}

/** A still picture of a board; `label` names it, without one it is decoration. */
export function picture(puzzle, view, label) {
  const kind = KINDS[puzzle];
  const svg = canvas(puzzle, view, label ? { role: "img" } : { "aria-hidden": "true" });
  const painter = kind.painter(svg, view);
  const paint = (next) => {
    painter.paint(next);
    if (label) svg.setAttribute("aria-label", `${label}. ${kind.describe(next)}`);
  };
  paint(view);
  return { element: svg, paint };
}

/** The view after a move, as far as the page can tell before the server does; null if the move will be refused or is unknown. */
export const foresee = (puzzle, view, move) => KINDS[puzzle].foresee?.(view, move) ?? null;

/**
 * A board to play on. `play(move)` is called with each move the person asks for and says whether it is drawn already;
 * `say` with what a screen reader should hear; `memory` keeps what a player noted; `control` stands in for the puzzle's own.
 */
export function playable(puzzle, view, { play, say, label, memory = { get: () => null, set() {} }, control: own = null }) {
  const kind = KINDS[puzzle];
  const described = unique("board");
  const svg = canvas(puzzle, view, { "aria-hidden": "true" });
  const text = h("p", { class: "unseen", id: described });
  const element = h("div", {
    class: "playing", tabindex: 0, role: "application", "aria-roledescription": "board",
    "aria-label": label, "aria-describedby": described,
  }, svg, text);
  element.style.setProperty("--ratio", svg.getAttribute("width") / svg.getAttribute("height"));
  // What is not made of cells is as wide as four of them.
  element.style.setProperty("--cols", kind.size ? 4 : view.cols);
  const painter = kind.painter(svg, view);
  const table = { view, hint: null, svg, play, say, memory, repaint: () => painter.paint(table.view, table.hint) };
  const control = (own ?? kind.control)(table, painter);
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (control.key(event)) event.preventDefault();
  });
  gestures(svg, element, control);
  const paint = (next, hint = null) => {
    Object.assign(table, { view: next, hint });
    table.repaint();
    control.changed?.();
    text.textContent = kind.describe(next);
  };
  paint(view);
  return { element, pad: control.pad?.() ?? null, paint };
}

/** A quick stroke is looked at in steps of this many units, so that no cell on its way is missed. */
const STEP = 30;

/** Pointer events of mouse, pen and touch, in the picture's units. */
function gestures(svg, element, control) {
  let held = null;
  const at = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const stroke = (to) => {
    const { last, from } = held;
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - last.x, to.y - last.y) / STEP));
    for (let i = 1; i <= steps; i++) {
      control.drag?.(new DOMPoint(last.x + ((to.x - last.x) * i) / steps, last.y + ((to.y - last.y) * i) / steps), from);
    }
    held.last = to;
  };
  // A finger that takes hold of something on the board moves it; anywhere else it scrolls the page.
  svg.addEventListener("touchstart", (event) => {
    if (event.touches.length === 1 && control.grabs?.(at(event.touches[0]))) event.preventDefault();
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    element.focus({ preventScroll: true });
    const from = at(event);
    held = { id: event.pointerId, from, last: from, moved: false, grabs: event.pointerType !== "touch" || control.grabs?.(from) };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    const point = at(event);
    if (!held || event.pointerId !== held.id) return control.hover?.(event.pointerType === "mouse" ? point : null);
    held.moved ||= Math.hypot(point.x - held.from.x, point.y - held.from.y) > 14;
    if (!held.moved || !held.grabs) return;
    const parts = event.getCoalescedEvents?.() ?? [];
    for (const part of parts.length ? parts : [event]) stroke(at(part));
  });
  const up = (event) => {
    if (!held || event.pointerId !== held.id) return;
    const { from, moved } = held;
    held = null;
    if (moved) control.drop?.(event.type === "pointerup");
    else if (event.type === "pointerup") control.tap?.(from);
  };
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", up);
  svg.addEventListener("pointerleave", () => control.hover?.(null));
}
