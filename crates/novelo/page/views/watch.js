// Watch: one run on one instance, its counters as they grow, then its solution, its tree, and another beside it.

import * as api from "../api.js";
import { unroll } from "../boards/index.js";
import { announce, button, h, errorLine, whole } from "../dom.js";
import { chooser } from "../parts/chooser.js";
import { load } from "../parts/load.js";
import { Order, waiting } from "../parts/order.js";
import { player } from "../parts/player.js";
import { counters, statistics, verdict } from "../parts/results.js";
import { complaint, limitFields, limitsOf, parsed, readSpec, runFields, written } from "../parts/runs.js";
import { tree } from "../parts/tree.js";
import { lively } from "../parts/transport.js";
import { EXAMPLE } from "../examples.js";

const TABS = { solution: "Solution", tree: "Search tree", beside: "Side by side", predict: "Predict" };
const MOST_NODES = 1000;

/** The view; `?run=` in the address says what to run, `with=` what beside it, `show=` what is looked at. */
export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const instance = await api.instance(route.id ?? EXAMPLE.instance);
    if (signal.aborted) return;
    // Who comes without a wish sees a search at once.
    const asked = route.query.get("run") ?? (route.id ? null : EXAMPLE.run);
    if (!route.id && !route.query.has("show")) route.query.set("show", "tree");
    const run = parsed(asked ?? "auto");
    const other = route.query.get("with");
    const view = new WatchView(root, registry, instance, run, route.query, signal);
    const wrong = complaint(registry, instance.puzzle, other ? [run, parsed(other)] : [run]) ?? view.limits.complaint;
    if (wrong) view.errors.show(wrong);
    // A link that names a run shows it at once.
    else if (asked) view.start();
  });
}

class WatchView extends Order {
  constructor(root, registry, instance, run, query, signal) {
    super(signal, "Search");
    const showing = query.get("show");
    Object.assign(this, {
      registry, instance, word: "Run", showing: showing in TABS ? showing : "solution", step: query.get("by") === "time" ? "time" : "expansions",
      other: query.get("with") ? parsed(query.get("with")) : null,
    });
    const chosen = chooser(registry, instance, (next) => {
      if (next.puzzle !== this.instance.puzzle) this.other = null;
      this.instance = next;
      const { algorithm } = this.fields.value();
      this.build({ algorithm, heuristic: null }, this.limits.written());
    });
    root.append(h("h1", {}, "Watch"),
      h("p", { class: "lead" }, "See how an algorithm finds its way: the counts as it runs, the solution, and the tree it grew."),
      h("div", { class: "ask" }, chosen.element, chosen.others, this.form), this.results);
    this.build(run, limitsOf(query));
  }

  build(run, limits) {
    this.fields = runFields(this.registry, this.instance.puzzle, run);
    this.limits = limitFields(this.registry, limits);
    this.lay(h("div", { class: "which" }, Object.values(this.fields.parts)), this.limits.element);
  }

  address() {
    const pair = this.showing === "beside" && this.other;
    return ["watch", this.instance.id, {
      run: written(this.fields.value()), with: pair ? written(this.other) : null, show: this.showing === "solution" ? null : this.showing,
      by: pair && this.step === "time" ? "time" : null, ...this.limits.written(),
    }];
  }

  body() {
    this.run = this.fields.value();
    return { kind: "solve", instance: this.instance.id, run: this.run, limits: this.limits.value() };
  }

  progress(job) {
    this.panel(h("p", { class: "verdict" }, job.state === "queued" ? waiting(job) : "Searching …"), job.runs[0] ? counters(job.runs[0]) : null);
    this.results.firstChild.classList.add("outcome");
  }

  async finish(job) {
    const report = job.result?.report ?? job.runs[0]?.report;
    if (!report) return this.panel(h("p", { class: "verdict" }, "Cancelled before it began."));
    const [head, detail] = verdict(report);
    announce([head, detail].filter(Boolean).map(whole).join(" "));
    const how = report.method ? `by ${report.method}${report.heuristic ? ` with ${report.heuristic}` : ""}` : null;
    const body = h("div", { class: "body" });
    const bar = h("div", { class: "segments", role: "tablist", "aria-label": "What to see" });
    // What one picture plays ends when another is chosen.
    let scene = new AbortController();
    this.choose = async (name) => {
      scene.abort();
      const mine = (scene = new AbortController());
      this.signal.addEventListener("abort", () => mine.abort());
      this.showing = name;
      this.note();
      for (const tab of bar.children) {
        const chosen = tab.dataset.name === name;
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
      }
      const errors = errorLine();
      let content;
      try {
        content = await this[name](mine.signal, report);
      } catch (error) {
        errors.show(error);
        content = errors.element;
      }
      if (mine.signal.aborted) return;
      body.replaceChildren(content);
      // What plays is to be seen: a tree has the screen for itself.
      if (name !== "solution" && body.getBoundingClientRect().bottom > innerHeight) bar.scrollIntoView({ block: "start", behavior: lively() ? "smooth" : "instant" });
    };
    bar.append(...Object.entries(TABS).map(([name, title]) =>
      h("button", { type: "button", role: "tab", "data-name": name, onclick: () => this.choose(name) }, title)));
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      const tabs = [...bar.children];
      const other = tabs.at((tabs.findIndex((tab) => tab.tabIndex === 0) + by) % tabs.length);
      other.focus();
      other.click();
    });
    this.results.replaceChildren(
      h("section", { class: "panel outcome", "aria-label": "Result" },
        h("p", { class: "verdict" }, head, h("small", {}, [detail, how].filter(Boolean).map(whole).join(" "))), statistics(report)),
      h("section", { class: "panel", "aria-label": "Pictures" }, bar, body));
    return this.choose(this.showing);
  }

  /** A tree has brought itself into sight. */
  reveal() {
    if (this.showing === "solution" || this.job?.state !== "done") super.reveal();
  }

  async solution(signal, report) {
    if (!report.moves) return h("p", { class: "quiet" }, "There is no solution to show. The search tree may tell why.");
    const answer = await api.views(this.instance.id, report.moves);
    return player(this.instance.puzzle, unroll(answer), answer.moves, signal);
  }

  /** The tree of a run, under the limits of the form. */
  async trace(run, signal) {
    const nodes = Math.min(MOST_NODES, this.registry.limits.trace_nodes);
    const { seconds, bytes, nodes: most } = this.limits.value();
    const job = await api.job({ kind: "trace", instance: this.instance.id, run, nodes, limits: { seconds, bytes, nodes: most } }, () => {}, signal);
    return job.result;
  }

  lesson({ method }) {
    return this.registry.algorithms.find(({ name }) => name === readSpec(method ?? "", []).name)?.lesson ?? null;
  }

  /** Why there is no tree, in a sentence; null if there is one. */
  treeless({ trace, report }) {
    if (trace.nodes.length) return null;
    const reason = report.outcome === "unsolvable" && report.reason ? `No search was needed: ${report.reason}.`
      : report.depth === 0 ? "The board is solved already: there was nothing to search for." : `${report.method ?? "This method"} grows no tree of states here. Choose another algorithm above.`;
    return h("p", { class: "quiet" }, reason);
  }

  async tree(signal) {
    const result = await this.trace(this.run, signal);
    return this.treeless(result) ?? tree(this.instance, result, this.lesson(result.report), signal);
  }

  /** What comes next? The exercise is loaded when somebody wants it. */
  async predict(signal) {
    const [result, { predict }] = await Promise.all([this.trace(this.run, signal), import("../parts/predict.js")]);
    return this.treeless(result) ?? predict(this.instance, result, this.lesson(result.report));
  }

  async beside(signal) {
    // Breadth-first search knows nothing of the goal: beside it one sees what an estimate is worth.
    this.other ??= { algorithm: written(this.run) === "bfs" ? "astar" : "bfs", heuristic: null };
    this.note();
    const fields = runFields(this.registry, this.instance.puzzle, this.other);
    const again = button("Compare", () => {
      this.other = fields.value();
      this.choose("beside");
    });
    const form = h("div", { class: "other", role: "group", "aria-label": "Beside it" }, Object.values(fields.parts), again);
    const runs = [this.run, this.other];
    const [{ beside }, ...results] = await Promise.all([import("../parts/beside.js"), ...runs.map((run) => this.trace(run, signal))]);
    const missing = results.map((result) => this.treeless(result)).find(Boolean);
    const place = h("div", {});
    const draw = () => place.replaceChildren(missing ?? beside(this.instance, runs.map(written), results, results.map(({ report }) => this.lesson(report)), this.step, (by) => {
      this.step = by;
      this.note();
      this.choose("beside");
    }, signal));
    draw();
    return h("div", { class: "body" }, form, place);
  }
}
