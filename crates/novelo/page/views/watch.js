// Watch: one run on one instance, its counters as they grow, then its solution and its tree.

import * as api from "../api.js";
import { unroll } from "../boards/index.js";
import { announce, h, errorLine } from "../dom.js";
import { chooser } from "../parts/chooser.js";
import { load } from "../parts/load.js";
import { Order, waiting } from "../parts/order.js";
import { player } from "../parts/player.js";
import { counters, statistics, verdict } from "../parts/results.js";
import { limitFields, parsed, runFields, written } from "../parts/runs.js";
import { tree } from "../parts/tree.js";
import { EXAMPLE } from "../examples.js";

const TABS = { solution: "Solution", tree: "Search tree" };
const MOST_NODES = 1000;

/** The view; `?run=` in the address says what to run, `show=tree` that the tree is wanted. */
export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const instance = await api.instance(route.id ?? EXAMPLE.instance);
    if (signal.aborted) return;
    const asked = route.query.get("run");
    const view = new WatchView(root, registry, instance, parsed(asked ?? (route.id ? "auto" : EXAMPLE.run)), route.query.get("show"), signal);
    // A link that names a run shows it at once.
    if (asked) view.start();
  });
}

class WatchView extends Order {
  constructor(root, registry, instance, run, showing, signal) {
    super(signal, "Search");
    Object.assign(this, { registry, instance, word: "Run", showing: showing ?? "solution" });
    const chosen = chooser(registry, instance, (next) => {
      this.instance = next;
      const { algorithm } = this.fields.value();
      this.build({ algorithm, heuristic: null });
    });
    root.append(h("h1", {}, "Watch"),
      h("p", { class: "lead" }, "See how an algorithm finds its way: the counts as it runs, the solution, and the tree it grew."),
      h("div", { class: "ask" }, chosen.element, this.form), chosen.others, this.results);
    this.build(run);
  }

  build(run) {
    this.fields = runFields(this.registry, this.instance.puzzle, run);
    this.limits = limitFields(this.registry);
    this.lay(h("div", { class: "which" }, Object.values(this.fields.parts)), h("div", { class: "fields" }, Object.values(this.limits.parts)));
  }

  address() {
    return ["watch", this.instance.id, { run: written(this.fields.value()), show: this.showing === "tree" ? "tree" : null }];
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
    announce(`${head}. ${detail}`);
    const how = report.method ? `by ${report.method}${report.heuristic ? ` with ${report.heuristic}` : ""}` : null;
    const body = h("div", {});
    const bar = h("div", { class: "segments", role: "tablist", "aria-label": "What to see" });
    const choose = async (name) => {
      this.showing = name;
      this.note();
      for (const tab of bar.children) {
        const chosen = tab.dataset.name === name;
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
      }
      const errors = errorLine();
      try {
        body.replaceChildren(await (name === "tree" ? this.tree() : this.solution(report)));
      } catch (error) {
        errors.show(error);
        body.replaceChildren(errors.element);
      }
    };
    bar.append(...Object.entries(TABS).map(([name, title]) =>
      h("button", { type: "button", role: "tab", "data-name": name, onclick: () => choose(name) }, title)));
    bar.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = [...bar.children].find((tab) => tab.tabIndex < 0);
      other.focus();
      other.click();
    });
    this.results.replaceChildren(
      h("section", { class: "panel outcome", "aria-label": "Result" },
        h("p", { class: "verdict" }, head, h("small", {}, [detail, how].filter(Boolean).join(", "))), statistics(report)),
      h("section", { class: "panel", "aria-label": "Pictures" }, bar, body));
    return choose(this.showing);
  }

  async solution(report) {
    if (!report.moves) return h("p", { class: "quiet" }, "There is no solution to show. The search tree may tell why.");
    const answer = await api.views(this.instance.id, report.moves);
    return player(this.instance.puzzle, unroll(answer), answer.moves, this.signal);
  }

  async tree() {
    const nodes = Math.min(MOST_NODES, this.registry.limits.trace_nodes);
    const job = await api.job({ kind: "trace", instance: this.instance.id, run: this.run, nodes }, () => {}, this.signal);
    const { trace, report } = job.result;
    if (!trace.nodes.length) {
      return h("p", { class: "quiet" }, `${report.method} grows no tree of states here. Choose another algorithm above.`);
    }
    return tree(this.instance, trace, report, this.signal);
  }
}
