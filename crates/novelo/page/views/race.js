// Race: several runs on one instance, side by side.

import * as api from "../api.js";
import { announce, bytes, count, h, s, seconds } from "../dom.js";
import { chooser } from "../parts/chooser.js";
import { load } from "../parts/load.js";
import { Order, waiting } from "../parts/order.js";
import { findings } from "../parts/results.js";
import { limitFields, parsed, runList, written } from "../parts/runs.js";
import { EXAMPLE } from "../examples.js";

/** Runs that differ enough to be worth watching, whatever the puzzle. */
const USUAL = ["bfs", "greedy", "astar", "idastar"].map((algorithm) => ({ algorithm }));

export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const instance = await api.instance(route.id ?? EXAMPLE.instance);
    if (signal.aborted) return;
    const asked = route.query.get("runs")?.split(";").map(parsed);
    new RaceView(root, registry, instance, asked?.length > 1 ? asked : USUAL, signal);
  });
}

class RaceView extends Order {
  constructor(root, registry, instance, runs, signal) {
    super(signal, "Runners");
    Object.assign(this, { registry, instance, word: "Start" });
    const chosen = chooser(registry, instance, (next) => {
      const kept = this.runs.value();
      const same = next.puzzle === this.instance.puzzle;
      this.instance = next;
      this.build(same ? kept : kept.map(({ algorithm }) => ({ algorithm })));
    });
    root.append(h("h1", {}, "Race"),
      h("p", { class: "lead" }, "Up to six algorithms on one puzzle, side by side: who is first, who is frugal, who is right."),
      h("div", { class: "ask" }, chosen.element, this.form), chosen.others, this.results);
    this.build(runs);
  }

  build(runs) {
    this.runs = runList(this.registry, this.instance.puzzle, runs, { least: 2, most: this.registry.limits.race_runs, word: "runner" });
    this.limits = limitFields(this.registry);
    this.lay(this.runs.element, h("div", { class: "fields" }, Object.values(this.limits.parts)));
  }

  address() {
    return ["race", this.instance.id, { runs: this.runs.value().map(written).join(";") }];
  }

  body() {
    this.lanes = h("div", { class: "lanes" });
    this.head = h("p", { class: "verdict" }, "On your marks …");
    this.panel(this.head, this.lanes);
    return { kind: "race", instance: this.instance.id, runs: this.runs.value(), limits: this.limits.value() };
  }

  progress(job) {
    const { lanes } = this;
    if (job.state === "queued") this.head.textContent = waiting(job);
    if (job.state === "running") this.head.textContent = "They are off …";
    const most = (name) => Math.max(1, ...job.runs.map((run) => run[name]));
    const [nodes, memory] = [most("generated"), most("bytes")];
    if (lanes.children.length !== job.runs.length) lanes.replaceChildren(...job.runs.map(({ label }) => new Lane(label).element));
    job.runs.forEach((run, i) => lanes.children[i].lane.show(run, nodes, memory));
  }

  finish(job) {
    const first = job.runs.find(({ place }) => place === 1);
    this.head.textContent = first?.report?.outcome === "solved" ? `${first.label} wins in ${seconds(first.seconds)}.` : "The race is over.";
    announce(this.head.textContent);
    if (job.result?.table) this.results.append(...findings(job, job.result));
  }
}

/** One runner's line: place, name, bars, time. */
class Lane {
  constructor(label) {
    const gauge = (kind) => {
      const bar = s("rect", { height: "100%", width: 0 });
      const text = h("span", {});
      const element = h("div", { class: `gauge ${kind}` }, text, s("svg", { "aria-hidden": "true" }, bar));
      return { element, show: (share, words) => {
        bar.setAttribute("width", `${Math.max(0.5, share * 100)}%`);
        text.textContent = words;
      } };
    };
    this.medal = h("span", { class: "medal" }, "…");
    this.state = h("small", {}, "waiting");
    this.nodes = gauge("nodes");
    this.memory = gauge("memory");
    this.time = h("time", {}, "");
    this.element = h("div", { class: "track", role: "group", "aria-label": label }, this.medal,
      h("strong", {}, label, this.state), this.time, this.nodes.element, this.memory.element);
    this.element.lane = this;
  }

  show(run, nodes, memory) {
    const solved = run.report?.outcome === "solved";
    const failed = run.state === "finished" && !solved;
    this.medal.textContent = failed ? "✕" : run.place ?? "…";
    this.medal.className = `medal${failed ? " failed" : run.place ? " placed" : ""}${solved && run.place === 1 ? " first" : ""}`;
    this.state.textContent = solved ? `${run.report.optimal ? "best" : "a"} solution, cost ${run.report.cost}`
      : failed ? (run.report?.outcome === "unsolvable" ? "no solution" : `stopped: ${run.report?.stop ?? "cancelled"}`) : run.state;
    this.nodes.show((run.generated ?? 0) / nodes, `${count(run.generated)} nodes`);
    this.memory.show((run.bytes ?? 0) / memory, bytes(run.bytes));
    this.time.textContent = run.state === "waiting" ? "" : seconds(run.seconds);
  }
}
