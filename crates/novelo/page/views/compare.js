// Compare: several runs on several instances, one after another; table, plots, files to keep.

import * as api from "../api.js";
import { picture } from "../boards/index.js";
import { announce, field, h, icon, select } from "../dom.js";
import { load } from "../parts/load.js";
import { maker } from "../parts/maker.js";
import { Order, waiting } from "../parts/order.js";
import { paste } from "../parts/paste.js";
import { findings } from "../parts/results.js";
import { complaint, limitFields, limitsOf, parsed, runList, written } from "../parts/runs.js";
import { COMPARISON } from "../examples.js";

export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const ids = route.query.get("instances")?.split("|").filter(Boolean) ?? COMPARISON.instances;
    const instances = ids.length ? await api.instances(ids.join("\n")) : [];
    const runs = route.query.get("runs")?.split(";").map(parsed) ?? COMPARISON.runs;
    if (signal.aborted) return;
    const view = new CompareView(root, registry, instances, runs, route.query, signal);
    const wrong = complaint(registry, view.puzzle, runs, view.range) ?? view.limits.complaint;
    if (wrong) view.errors.show(wrong);
  });
}

class CompareView extends Order {
  constructor(root, registry, instances, runs, query, signal) {
    super(signal, "Runs");
    Object.assign(this, { registry, instances, word: "Compare", range: { least: 1, most: registry.limits.compare_runs } });
    this.picked = h("ul", { class: "picked" });
    const more = h("details", { class: "panel" }, h("summary", {}, "Add boards"),
      h("div", { class: "changing" }, maker(registry, this.puzzle, (made) => this.add([made])),
        paste("Add them", (found) => this.add(found), { caption: "Paste ids, a link or whole files; a file of several adds them all", single: false })));
    root.append(h("h1", {}, "Compare"),
      h("p", { class: "lead" }, "The same runs on several boards of one puzzle: a table, plots, and files to take away."),
      h("section", { class: "panel", "aria-label": "Boards" }, h("h2", {}, "Boards"), this.picked), more, this.form, this.results);
    this.list();
    this.build(runs, limitsOf(query));
  }

  get puzzle() {
    return this.instances[0]?.puzzle ?? this.registry.puzzles[0].name;
  }

  /** Adds instances; those of another puzzle begin a new comparison, since heuristics differ. */
  add(found) {
    const before = this.instances.length ? this.puzzle : null;
    const { puzzle } = found[0];
    if (found.some((one) => one.puzzle !== puzzle)) throw new Error("These are boards of different puzzles; compare one puzzle at a time.");
    const kept = before === puzzle ? this.instances : [];
    const all = [...kept, ...found.filter((one) => !kept.some((old) => old.id === one.id))];
    const most = this.registry.limits.compare_instances;
    if (all.length > most) throw new Error(`That would be ${all.length} boards; at most ${most} can be compared at once.`);
    this.instances = all;
    if (before !== puzzle) this.build(this.runs.value().map(({ algorithm }) => ({ algorithm })), this.limits.written());
    this.list();
    this.note();
  }

  list() {
    const item = (instance) => h("li", {}, picture(instance.puzzle, instance.view).element,
      h("code", { title: instance.id }, instance.name ?? instance.id),
      h("button", { type: "button", class: "icon", "aria-label": `Remove ${instance.name ?? instance.id}`, onclick: () => {
        this.instances = this.instances.filter((one) => one !== instance);
        this.list();
        this.note();
      } }, icon("close")));
    this.picked.replaceChildren(...this.instances.map(item));
    if (!this.instances.length) this.picked.append(h("li", { class: "quiet" }, "None yet. Add some below."));
  }

  build(runs, limits) {
    this.runs = runList(this.registry, this.puzzle, runs, { ...this.range, word: "run" });
    this.limits = limitFields(this.registry, limits);
    this.repeat = select(Array.from({ length: this.registry.limits.repeat }, (_, i) => [String(i + 1), i ? `${i + 1} times` : "once"]), "1");
    this.lay(h("h2", {}, "Runs"), this.runs.element, h("div", { class: "repeat" }, field("Each run", this.repeat)), this.limits.element);
  }

  address() {
    return ["compare", null, { instances: this.instances.map(({ id }) => id).join("|"), runs: this.runs.value().map(written).join(";"), ...this.limits.written() }];
  }

  body() {
    if (!this.instances.length) throw Object.assign(new Error("There is nothing to compare yet."), { help: "Add a board above." });
    return {
      kind: "compare", instances: this.instances.map(({ id }) => id), runs: this.runs.value(),
      repeat: Number(this.repeat.value), limits: this.limits.value(),
    };
  }

  progress(job) {
    const { done, total } = job.steps ?? { done: 0, total: 1 };
    const now = job.runs.find(({ state }) => state === "running");
    this.panel(h("p", { class: "verdict" }, job.state === "queued" ? waiting(job) : `${done} of ${total} runs`),
      h("progress", { "aria-label": "Runs done", max: total, value: done }),
      h("p", { class: "quiet" }, now ? `Now: ${now.label} on ${now.instance}` : "\u00a0"));
  }

  finish(job) {
    if (!job.result?.table) return this.panel(h("p", { class: "verdict" }, "Cancelled."));
    this.results.replaceChildren(h("h2", {}, "Results"), ...findings(job, job.result));
    return announce("The comparison is done.");
  }
}
