// One game: the board, the clock, and what can be asked of the session that the server keeps.

import * as api from "../api.js";
import { help, playable, unroll, words } from "../boards/index.js";
import { announce, button, clock, h, icon, sentence, whole } from "../dom.js";
import { address, go } from "../route.js";
import { store } from "../store.js";
import { load } from "../parts/load.js";
import { share } from "../parts/share.js";

const ENDED = { won: "Solved!", lost: "Stuck", shown: "Solved for you" };

/** How a game stands: playing, won, lost, or shown by the solver. */
const standing = (game) => (game.status.state === "won" && game.gave_up ? "shown" : game.status.state);

/** The game on an instance, gone on with if it was begun before. */
export function game(root, id, signal) {
  return load(root, async () => {
    const { puzzles } = await api.registry();
    const first = await resume(id);
    const puzzle = puzzles.find(({ name }) => name === first.puzzle);
    if (!signal.aborted) new Table(root, puzzle, first, signal);
  });
}

/** The game the browser remembers, from the server or, if that has forgotten it, from its save; else a new one. */
async function resume(id) {
  const kept = store.game(id);
  if (!kept) return api.game.start(id);
  try {
    const found = await api.game.get(kept.token);
    return kept.away && found.paused ? await api.game.act(kept.token, { do: "resume" }) : found;
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  try {
    return await api.game.restore(kept.save);
  } catch (error) {
    if (!error.status) throw error;
    store.forget(id);
    return api.game.start(id);
  }
}

class Table {
  constructor(root, puzzle, first, signal) {
    Object.assign(this, { puzzle, root, signal, game: first, queue: Promise.resolve(), showing: 0 });
    this.build(first);
    this.show(first);
    const ticking = setInterval(() => this.tick(), 250);
    const away = () => this.away();
    addEventListener("pagehide", away);
    addEventListener("reconnected", () => this.say("Connected again. Nothing was lost.", "good"), { signal });
    signal.addEventListener("abort", () => {
      clearInterval(ticking);
      removeEventListener("pagehide", away);
      this.away();
    });
  }

  /** Stops the clock when the player leaves. */
  away() {
    if (this.game.status.state !== "playing" || this.game.paused) return;
    store.keep({ ...store.game(this.game.instance), away: true });
    fetch(`/api/games/${this.game.token}`, {
      method: "POST", keepalive: true, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ do: "pause" }),
    }).catch(() => {});
  }

  build(game) {
    const stat = (name) => {
      const value = h("dd", {}, "0");
      return [value, h("div", {}, h("dt", {}, name), value)];
    };
    const stats = ["Time", "Moves", "Hints", "Score"].map(stat);
    [this.time, this.moves, this.hints, this.score] = stats.map(([value]) => value);
    this.bar = h("progress", { "aria-label": "Progress", max: 1, value: 0 });
    this.message = h("p", { class: "message", role: "status" });
    this.ending = h("div", { class: "ending", hidden: true });
    const act = (name, label, picture, key) => {
      const title = key ? `${label} (${key.toUpperCase()})` : label;
      return (this[`${name}Button`] = button(label, () => this.ask({ do: name }), { icon: picture, title }));
    };
    this.pauseButton = button("Pause", () => this.ask({ do: this.game.paused ? "resume" : "pause" }), { icon: "pause", title: "Pause (P)" });
    const actions = h("div", { class: "actions", role: "group", "aria-label": "Game" },
      act("undo", "Undo", "undo", "u"), act("redo", "Redo", "redo", "r"), act("hint", "Hint", "hint", "h"),
      act("check", "Check", "check", "c"), this.pauseButton, act("restart", "Restart", "restart"), act("solve", "Solve", "solve"), button("New", () => this.renew(), { icon: "plus", title: "New game of this size" }));
    this.stage = h("div", { class: "stage" });
    this.extra = h("div", { class: "extra" });
    this.curtain = h("div", { class: "curtain", hidden: true }, h("p", {}, "Paused"),
      button("Go on", () => this.ask({ do: "resume" }), { icon: "play", kind: "primary" }));
    if (game.view) this.lay(game.view);
    this.root.append(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, this.puzzle.title.split(",")[0], h("small", {}, game.size)),
        h("a", { class: "again", href: address("play") }, "All puzzles")),
      h("dl", { class: "stats" }, stats.map(([, element]) => element)),
      h("div", { class: "table" }, this.stage, this.curtain),
      h("div", { class: "side" },
        h("div", { class: "goal" }, this.bar, this.message), this.ending, this.extra, actions,
        h("div", { class: "more" },
          h("a", { href: address("watch", game.instance) }, icon("eye"), "Watch it solved"),
          share(() => address("play", game.instance))),
        h("details", {}, h("summary", {}, "How to play"), h("ul", {}, help(game.puzzle).map((line) => h("li", {}, line))),
          h("p", { class: "quiet" }, "U undoes, R redoes, H hints, C checks, P pauses.")))));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  lay(view) {
    this.board = playable(this.game.puzzle, view, {
      label: `${this.puzzle.title}, ${this.game.size}`,
      play: (move) => this.ask({ do: "play", move }),
      say: announce,
    });
    this.stage.replaceChildren(this.board.element);
    // The curtain of a pause is as large as the board behind it.
    this.curtain.style.setProperty("--ratio", this.board.element.style.getPropertyValue("--ratio"));
    if (this.board.pad) this.extra.replaceChildren(this.board.pad);
  }

  key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || /^(TEXTAREA|INPUT|SELECT)$/.test(target.tagName)) return;
    const name = { u: "undo", r: "redo", h: "hint", c: "check", p: "pause" }[event.key];
    if (!name || this[`${name}Button`].disabled) return;
    event.preventDefault();
    this[`${name}Button`].click();
  }

  /** Asks the session, one request after another; false if it refused. */
  ask(action) {
    this.showing += 1;
    const answer = this.queue.then(async () => {
      const slow = setTimeout(() => this.say(action.do === "play" ? "" : "Thinking …"), 300);
      try {
        const game = await this.act(action);
        if (this.signal.aborted) return false;
        if (game.solution?.length && this.board) await this.animate(game);
        this.show(game, action);
        return true;
      } catch (error) {
        this.say(sentence(error), "refused");
        if (this.game.view) this.board.paint(this.game.view);
        return false;
      } finally {
        clearTimeout(slow);
      }
    });
    this.queue = answer;
    return answer;
  }

  /** Acts; a game that the server has forgotten is first restored from its save. */
  async act(action) {
    try {
      return await api.game.act(this.game.token, action);
    } catch (error) {
      if (error.status !== 404) throw error;
      const { token } = await api.game.restore(this.game.save);
      return api.game.act(token, action);
    }
  }

  /** Shows the solver's moves; any further wish of the player ends the show. */
  async animate({ instance, save, moves, solution }) {
    const shown = this.showing;
    // A save ends with the moves made, one a line; the solver's are the last of them.
    const film = await api.views(instance, save.trimEnd().split("\n").slice(-moves));
    const pause = Math.min(280, 5000 / solution.length);
    for (const view of unroll(film).slice(-solution.length)) {
      if (this.signal.aborted || this.showing !== shown) return;
      this.board.paint(view);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  show(answer, action = {}) {
    // A record is told with the move that sets it, the par after that.
    const { best, record } = action.do === "par" ? this.game : answer;
    const game = (this.game = { ...answer, best, record });
    this.shownAt = performance.now();
    store.keep({
      instance: game.instance, token: game.token, save: game.save, state: game.status.state, puzzle: game.puzzle,
      title: this.puzzle.title, size: game.size, moves: game.moves, view: game.view ?? store.game(game.instance)?.view ?? null,
      when: Date.now(), away: false,
    });
    if (game.view && !this.board) this.lay(game.view);
    if (game.view) this.board.paint(game.view, game.hint?.hint === "play" ? game.hint.play : null);
    const over = game.status.state !== "playing";
    const won = game.status.state === "won";
    this.extra.hidden = over;
    this.stage.hidden = game.paused;
    this.curtain.hidden = !game.paused;
    this.pauseButton.lastChild.textContent = game.paused ? "Go on" : "Pause";
    this.pauseButton.firstChild.replaceWith(icon(game.paused ? "play" : "pause"));
    this.moves.textContent = game.moves;
    this.hints.textContent = game.hints;
    this.bar.max = Math.max(1, game.progress.total);
    this.bar.value = game.progress.done;
    const off = { undo: !game.can_undo, redo: !game.can_redo, restart: !game.can_undo, hint: won, check: won, solve: over, pause: over };
    for (const [name, disabled] of Object.entries(off)) {
      this[`${name}Button`].disabled = disabled || (game.paused && name !== "pause");
    }
    this.tick();
    if (game.hint) this.say(...hinted(game));
    else if (game.check) this.say(whole(game.check.words), game.check.wrong.cells.length || game.check.wrong.arcs.length ? "refused" : "good");
    else this.say([aim(game, this.puzzle), game.view?.note].filter(Boolean).join(" · "));
    this.finish(game);
    if (action.do === "resume") this.board?.element.focus();
    // What the best would have been may take a while to find; it comes when it is known.
    if (won && !game.par && action.do !== "par") this.ask({ do: "par" });
  }

  finish(game) {
    const state = standing(game);
    const title = ENDED[state];
    const news = this.ending.hidden;
    this.ending.hidden = !title;
    if (!title) return;
    this.ending.className = `ending ${state}`;
    const lines = [];
    if (state === "lost") lines.push(whole(game.status.reason), "Undo until a way leads on; a hint says how far.");
    if (state === "won") lines.push(`${figure(game.cost, this.puzzle)} in ${clock(game.seconds)}.`);
    if (game.par) lines.push(comparison(game, state, this.puzzle));
    if (game.record) lines.push(`A new best score for ${game.size}: ${game.score}.`);
    else if (game.best && state === "won") lines.push(`Your best score for ${game.size} is ${game.best.score}.`);
    const next = button("New game", () => this.renew(), { kind: "primary" });
    this.ending.replaceChildren(h("h2", {}, title), ...lines.map((line) => h("p", {}, line)),
      state === "lost" ? "" : h("div", { class: "row" }, next));
    if (news) announce([title, ...lines].join(" "));
  }

  /** Another game of this puzzle and size. */
  async renew() {
    this.say("Making one …");
    try {
      go("play", (await api.generate(this.game.puzzle, this.game.size, null)).id);
    } catch (error) {
      this.say(sentence(error), "refused");
    }
  }

  say(text, kind = "") {
    this.message.textContent = text;
    this.message.className = `message ${kind}`;
  }

  tick() {
    const { game } = this;
    const running = game.status.state === "playing" && !game.paused;
    const since = running ? (performance.now() - this.shownAt) / 1000 : 0;
    this.time.textContent = clock(game.seconds + since);
    this.score.textContent = game.score === null ? "–" : Math.floor(game.score + since);
  }
}

/** What is still to do, in a few words. */
const aim = ({ progress: { done, total } }, puzzle) => `${done} of ${total} ${puzzle.progress}`;

/** A hint as a sentence, and how it is to look. */
function hinted({ hint, puzzle }) {
  switch (hint.hint) {
    case "play": {
      const left = hint.left === 1 ? "That is the last move." : `${hint.left} moves are left with it.`;
      return [`Next: ${words(puzzle, hint.play)}. ${left}${hint.proved ? "" : " Not proved to be the best."}`, "hinted"];
    }
    case "take-back":
      return [`From here it cannot be solved. Take back ${hint.moves} ${hint.moves === 1 ? "move" : "moves"}.`, "refused"];
    case "hopeless":
      return ["This puzzle has no solution, whatever you do.", "refused"];
    case "won":
      return ["It is solved already.", "good"];
    default:
      return ["No hint was found in time.", "refused"];
  }
}

const figure = (cost, { unit }) => `${cost} ${unit[cost === 1 ? 0 : 1]}`;

function comparison({ par, cost }, state, puzzle) {
  if (state === "won" && cost === par.cost && par.proved) return "Nobody can do better.";
  return `The best ${par.proved ? "" : "known "}solution takes ${figure(par.cost, puzzle)}.`;
}
