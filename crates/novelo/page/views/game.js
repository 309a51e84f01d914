// One game: the board, the clock, and what can be asked of the session that the server keeps.

import * as api from "../api.js";
import { aim, foresee, help, picture, playable, unroll, words } from "../boards/index.js";
import { announce, button, clock, h, icon, sentence, whole } from "../dom.js";
import { address, go } from "../route.js";
import { store } from "../store.js";
import { load } from "../parts/load.js";
import { share } from "../parts/share.js";
import { lively } from "../parts/transport.js";

/** At most this many moves go in one request. */
const MOST_SENT = 500;
const ENDED = { won: "Solved!", lost: "Stuck", shown: "Solved for you" };

/** How a game stands: playing, won, lost, or shown by the solver. */
const standing = (game) => (game.status.state === "won" && game.gave_up ? "shown" : game.status.state);

/** The game on an instance, gone on with if it was begun before; `query` says what was asked for: a difficulty, a day, a number. */
export function game(root, id, query, signal) {
  return load(root, async () => {
    const { puzzles } = await api.registry();
    const first = await resume(id);
    const puzzle = puzzles.find(({ name }) => name === first.puzzle);
    if (!signal.aborted) new Table(root, puzzle, first, query, signal);
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
  constructor(root, puzzle, first, query, signal) {
    const kept = store.game(first.instance);
    const difficulty = query.get("difficulty") ?? kept?.difficulty ?? null;
    const [day, number] = [query.get("day"), query.get("number")];
    this.name = day ? `puzzle of ${day}` : number ? `number ${number}` : kept?.name ?? null;
    // `waiting` are moves and other actions that the server has not answered yet, in order; `changes` counts them all.
    Object.assign(this, { puzzle, root, signal, difficulty, game: first, waiting: [], pumping: null, changes: 0 });
    this.build(first);
    this.show(first);
    this.board?.element.focus({ preventScroll: true });
    const ticking = setInterval(() => this.tick(), 250);
    const away = () => this.away();
    addEventListener("pagehide", away);
    addEventListener("storage", ({ key }) => key === "novelo.games" && this.refresh(), { signal });
    addEventListener("reconnected", async () => {
      await this.refresh(true);
      this.say("Connected again. Nothing was lost.", "good");
    }, { signal });
    signal.addEventListener("abort", () => {
      clearInterval(ticking);
      removeEventListener("pagehide", away);
      this.away();
    });
  }

  /** Takes over what another tab has done with this game. */
  async refresh(always = false) {
    const kept = store.game(this.game.instance);
    if (this.pumping || !kept || (!always && kept.save === this.game.save && !kept.away)) return;
    const { changes } = this;
    const found = await api.game.get(kept.token).catch(() => null);
    if (!found || this.changes !== changes || this.signal.aborted) return;
    // A tab that was left has stopped the clock, but the game goes on here.
    if (kept.away && found.paused && !this.game.paused && !document.hidden) this.ask({ do: "resume" });
    else this.show(found, { do: "look" });
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
    const stat = ([name, title]) => {
      const value = h("dd", {}, "0");
      return [value, h("div", { title }, h("dt", {}, name), value)];
    };
    const stats = [["Time"], ["Moves"], ["Hints"], ["Score", "Your time in seconds, and 20 more for each hint: less is better"]].map(stat);
    [this.time, this.moves, this.hints, this.score] = stats.map(([value]) => value);
    this.bar = h("progress", { "aria-label": "Progress", max: 1, value: 0 });
    this.message = h("p", { class: "message", role: "status" });
    this.ending = h("div", { class: "ending", hidden: true });
    const act = (name, label, picture, key) => {
      const title = key ? `${label} (${key.toUpperCase()})` : label;
      return (this[`${name}Button`] = button(label, () => this.ask({ do: name }), { icon: picture, title }));
    };
    this.pauseButton = button("Pause", () => this.ask({ do: this.game.paused ? "resume" : "pause" }), { icon: "pause", title: "Pause (P)" });
    const group = (label, ...buttons) => h("div", { class: "actions", role: "group", "aria-label": label }, buttons);
    const main = group("Moves", act("undo", "Undo", "undo", "u"), act("redo", "Redo", "redo", "r"), act("hint", "Hint", "hint", "h"),
      act("check", "Check", "check", "c"));
    const rest = group("Game", this.pauseButton, act("restart", "Restart", "restart"), act("solve", "Solve", "solve"),
      button("New", () => this.renew(), { icon: "plus", title: "New game of this size and difficulty" }));
    main.classList.add("main");
    this.stage = h("div", { class: "stage" });
    this.extra = h("div", { class: "extra" });
    this.curtain = h("div", { class: "curtain", hidden: true }, h("p", {}, "Paused"),
      button("Go on", () => this.ask({ do: "resume" }), { icon: "play", kind: "primary" }));
    if (game.view) this.lay(game.view);
    this.root.append(h("div", { class: "game" },
      h("div", { class: "heading" }, h("h1", {}, this.puzzle.title.split(",")[0], " ", h("small", {}, [game.size, this.difficulty, this.name].filter(Boolean).join(", "))),
        h("a", { class: "again", href: address("play") }, "All puzzles"), this.task = h("p", { class: "lead" })),
      h("dl", { class: "stats" }, stats.map(([, element]) => element)),
      h("div", { class: "table" }, this.stage, this.curtain),
      h("div", { class: "side" },
        game.impossible && h("p", { class: "problem" }, whole(`This board has no solution: ${game.impossible}`)),
        h("div", { class: "goal" }, this.bar, this.message), this.ending, this.extra, main, rest, aimed(game),
        h("div", { class: "more" },
          h("a", { href: address("watch", game.instance) }, icon("eye"), "Watch it solved"),
          share(() => address("play", game.instance))),
        h("details", { open: store.first(game.puzzle) }, h("summary", {}, "How to play"), h("ul", {}, help(game.puzzle).map((line) => h("li", {}, line))),
          h("p", { class: "quiet" }, "U undoes, R redoes, H hints, C checks, P pauses. The score is your time in seconds, and 20 more for each hint: less is better.")))));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  lay(view) {
    this.board = playable(this.game.puzzle, view, {
      label: `${this.puzzle.title}, ${this.game.size}`,
      play: (move) => this.play(move),
      say: announce,
      memory: {
        get: () => store.game(this.game.instance)?.notes ?? null,
        set: (notes) => store.keep({ ...store.game(this.game.instance), notes }),
      },
    });
    this.stage.replaceChildren(this.board.element);
    // The curtain of a pause is as large as the board behind it.
    for (const name of ["--ratio", "--cols"]) this.curtain.style.setProperty(name, this.board.element.style.getPropertyValue(name));
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

  /** A move of the player's: drawn at once where the page can foresee it; whether it is. */
  play(move) {
    const next = foresee(this.game.puzzle, this.seen, move);
    if (next) this.paint(next);
    this.ask({ move, foreseen: next !== null });
    return next !== null;
  }

  /** Shows a board; `seen` is what the player looks at, which the server may not know of yet. */
  paint(view, hint = null) {
    this.seen = view;
    this.board.paint(view, hint);
  }

  /** Puts an action at the end of those that wait. Questions to the solvers hold nobody up. */
  ask(action) {
    if (["hint", "check", "solve", "par", "review"].includes(action.do)) return this.consult(action);
    this.changes += 1;
    this.waiting.push(action);
    this.pumping ??= this.pump().finally(() => (this.pumping = null));
    return this.pumping;
  }

  /** Sends what waits, in order; moves that were foreseen go together, and what the server says corrects the picture. */
  async pump() {
    while (this.waiting.length && !this.signal.aborted) {
      const [first] = this.waiting;
      const many = first.foreseen ? this.waiting.findIndex(({ foreseen }) => !foreseen) : 1;
      const sent = this.waiting.slice(0, many < 0 ? MOST_SENT : Math.min(many, MOST_SENT));
      const action = first.move === undefined ? first : { do: "line", moves: sent.map(({ move }) => move) };
      let game;
      try {
        game = await this.act(action);
        // Another tab that was left has stopped the clock of a game that goes on here.
        if (game.refused && game.paused && !this.game.paused) {
          await this.act({ do: "resume" });
          game = await this.act({ ...action, moves: action.moves.slice(game.made) });
        }
      } catch (error) {
        this.waiting = [];
        this.say(sentence(error), "refused");
        if (error.status) game = await api.game.get(this.game.token).catch(() => null);
        if (game) this.show(game, { do: "look" }, false);
        else if (this.game.view) this.paint(this.game.view);
        continue;
      }
      this.waiting.splice(0, sent.length);
      // What was built on a move that failed falls with it.
      if (game.refused && first.foreseen) this.waiting = [];
      if (this.signal.aborted) return;
      this.show(game, action, !game.refused);
      if (game.refused) this.say(whole(game.refused), "refused");
    }
  }

  /** Asks the solvers, when they can know the board as it is seen; a player who moves on meanwhile needs no answer. */
  async consult(action) {
    const quiet = action.do === "par";
    await this.pumping;
    const { changes } = this;
    const slow = quiet ? null : setTimeout(() => this.changes === changes && this.say("Thinking …"), 300);
    try {
      const game = await this.act(action);
      if (this.signal.aborted || this.changes !== changes) return;
      if (game.solution?.length && this.board) await this.animate(game);
      if (this.changes === changes) this.show(game, action);
    } catch (error) {
      if (!quiet && this.changes === changes) this.say(sentence(error), "refused");
    } finally {
      clearTimeout(slow);
    }
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
    const { changes } = this;
    // A save ends with the moves made, one a line; the solver's are the last of them.
    const film = await api.views(instance, save.trimEnd().split("\n").slice(-moves));
    const pause = Math.min(280, 5000 / solution.length);
    for (const view of unroll(film).slice(-solution.length)) {
      if (this.signal.aborted || this.changes !== changes) return;
      this.board.paint(view);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  show(answer, action = {}, tell = true) {
    // A record is told with the move that sets it, the par and the review after that.
    const { best, record, par } = ["par", "review"].includes(action.do) ? this.game : answer;
    const game = (this.game = { ...answer, best, record, par: answer.par ?? par });
    this.shownAt = performance.now();
    const kept = store.game(game.instance);
    store.keep({
      instance: game.instance, token: game.token, save: game.save, state: game.status.state, puzzle: game.puzzle,
      title: this.puzzle.title, size: game.size, moves: game.moves, view: game.view ?? kept?.view ?? null,
      when: Date.now(), away: false, difficulty: this.difficulty, name: this.name, notes: game.moves || action.do !== "restart" ? kept?.notes : null, ended: game.status.state === "won" || (game.moves > 0 && kept?.ended),
    });
    if (game.view && !this.board) this.lay(game.view);
    if (game.view) {
      const later = this.waiting.findIndex(({ foreseen }) => !foreseen);
      const moves = this.waiting.slice(0, later < 0 ? undefined : later).map(({ move }) => move);
      const seen = moves.reduce((view, move) => foresee(game.puzzle, view, move) ?? view, game.view);
      this.paint(seen, game.hint?.hint === "play" ? game.hint.play : null);
    }
    const over = game.status.state !== "playing";
    const won = game.status.state === "won";
    this.extra.hidden = over;
    this.stage.hidden = game.paused;
    this.curtain.hidden = !game.paused;
    this.pauseButton.lastChild.textContent = game.paused ? "Go on" : "Pause";
    this.pauseButton.firstChild.replaceWith(icon(game.paused ? "play" : "pause"));
    this.task.textContent = `${aim(game.puzzle, game.progress) ?? whole(this.puzzle.line).slice(0, -1)} · ${figure(game.cost, this.puzzle)} so far`;
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
    else if (tell) this.say([done(game, this.puzzle), game.view?.note].filter(Boolean).join(" · "));
    this.finish(game, action);
    if (action.do === "resume") this.board?.element.focus();
    // What the best would have been may take a while to find; it comes when it is known.
    if (won && !game.par && action.do !== "par") this.consult({ do: "par" });
  }

  finish(game, action) {
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
    // The line is there before its words are, so that no button moves under the finger.
    else if (state !== "lost" && action.do !== "par") lines.push("Looking for the best solution …");
    if (game.record) lines.push(`A new best score for ${game.size}: ${game.score}.`);
    else if (game.best && state === "won") lines.push(`Your best score for ${game.size} is ${game.best.score}.`);
    if (game.review) lines.push(reviewed(game.review, this.puzzle));
    const next = button("New game", () => this.renew(), { kind: "primary" });
    const review = state === "won" && game.par && !game.review && button("Review", () => this.ask({ do: "review" }), { icon: "eye" });
    this.ending.replaceChildren(h("h2", {}, title), ...lines.map((line) => h("p", {}, line)), this.slips(game),
      state === "lost" ? "" : h("div", { class: "row" }, next, review || ""));
    if (action.do === "review") this.ending.scrollIntoView({ block: "nearest" });
    if (!news) return;
    announce([title, ...lines].join(" "));
    this.ending.scrollIntoView({ block: "nearest" });
    if (state === "won") celebrate(this.stage.firstChild);
  }

  /** Where the player left the best line; each shows the board as it was, and the better move. */
  slips({ review, instance, save, moves }) {
    if (!review?.slips.length) return "";
    const film = api.views(instance, save.trimEnd().split("\n").slice(-moves)).then(unroll, () => []);
    const item = ({ after, play, best, lost }) => h("li", {}, h("button", { type: "button", class: "plain", onclick: async () => {
      const view = (await film)[after];
      if (!view) return;
      this.paint(view, best);
      this.say(`The board before move ${after + 1}${best ? `. Better: ${words(this.game.puzzle, best)}` : ""}.`, "hinted");
      this.board.element.scrollIntoView({ block: "nearest" });
    } }, `Move ${after + 1}`), ` ${words(this.game.puzzle, play)}${best ? ` instead of ${words(this.game.puzzle, best)}` : ""}: ${
      lost === null ? "no way led on" : `${figure(lost, this.puzzle)} more`}.`);
    return h("ul", { class: "slips" }, review.slips.map(item));
  }

  /** Another game of this puzzle, size and difficulty. */
  async renew() {
    this.say("Making one …");
    try {
      const { difficulty } = this;
      go("play", (await api.generate(this.game.puzzle, this.game.size, difficulty)).id, { difficulty });
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

/** How much of the goal is reached, in a few words. */
const done = ({ progress: { done: made, total } }, puzzle) => `${made} of ${total} ${puzzle.progress}`;

/** The goal, where it is not the usual one. */
const aimed = ({ puzzle, goal }) => goal && h("section", { class: "aimed" }, h("h2", {}, "The goal"), picture(puzzle, goal, "The goal").element);

/** Bits of thread fly over a board that is solved, unless things are to keep still. */
function celebrate(board) {
  board.classList.add("won");
  if (!lively()) return;
  const bits = Array.from({ length: 40 }, (_, i) => {
    const bit = h("i", {});
    for (const [name, value] of [["--x", Math.random() * 2 - 1], ["--y", Math.random()], ["--turn", `${Math.random() * 4 - 2}turn`], ["--hue", ["var(--thread)", "var(--good)", "var(--accent)", "var(--warn)"][i % 4]], ["--wait", `${Math.random() * 0.25}s`]]) bit.style.setProperty(name, value);
    return bit;
  });
  const cloud = h("div", { class: "confetti", "aria-hidden": "true" }, bits);
  const { x, y, width, height } = board.getBoundingClientRect();
  cloud.style.setProperty("--left", `${x + width / 2}px`);
  cloud.style.setProperty("--top", `${y + height / 2}px`);
  board.parentElement.append(cloud);
  setTimeout(() => cloud.remove(), 2600);
}

/** How well it was played, in a sentence. */
const reviewed = ({ slips, whole: all }) => (slips.length ? `You left the best line ${slips.length === 1 ? "once" : `${slips.length} times`}:`
  : all ? "You never left the best line." : "As far as could be told in time, you never left the best line.");

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

function comparison({ par, cost, hints }, state, puzzle) {
  if (state === "won" && cost === par.cost && par.proved) return hints ? `The best there is, with ${hints} ${hints === 1 ? "hint" : "hints"}.` : "Nobody can do better.";
  return `The best ${par.proved ? "" : "known "}solution takes ${figure(par.cost, puzzle)}.`;
}
