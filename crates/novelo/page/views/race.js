// Race: several runs on one instance, side by side.

import * as api from "../api.js";
import { announce, button, bytes, count, h, icon, s, seconds } from "../dom.js";
import { chooser } from "../parts/chooser.js";
import { load } from "../parts/load.js";
import { Order, waiting } from "../parts/order.js";
import { findings } from "../parts/results.js";
import { lively } from "../parts/transport.js";
import { complaint, limitFields, limitsOf, parsed, runList, written } from "../parts/runs.js";
import { RACE } from "../examples.js";

/** Runs that differ enough to be worth watching, whatever the puzzle. */
const USUAL = ["bfs", "greedy", "astar", "idastar"].map((algorithm) => ({ algorithm }));

/** A race that is watched takes this long, whatever it took. */
const SECONDS = 7;
/** The fastest is at the finish no sooner than after this part of it. */
const FIRST = 0.15;

export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const instance = await api.instance(route.id ?? RACE);
    if (signal.aborted) return;
    const asked = route.query.get("runs")?.split(";").map(parsed);
    // Nobody races alone.
    const runs = asked?.length === 1 ? [...asked, USUAL.find(({ algorithm }) => algorithm !== asked[0].algorithm)] : asked ?? USUAL;
    const view = new RaceView(root, registry, instance, runs, route.query, signal);
    const wrong = (asked && complaint(registry, instance.puzzle, asked, view.range)) ?? view.limits.complaint;
    if (wrong) view.errors.show(wrong);
  });
}

class RaceView extends Order {
  constructor(root, registry, instance, runs, query, signal) {
    super(signal, "Runners");
    Object.assign(this, { registry, instance, word: "Start", range: { least: 2, most: registry.limits.race_runs } });
    const chosen = chooser(registry, instance, (next) => {
      const kept = this.runs.value();
      const same = next.puzzle === this.instance.puzzle;
      this.instance = next;
      this.build(same ? kept : kept.map(({ algorithm }) => ({ algorithm })), this.limits.written());
    });
    root.append(h("h1", {}, "Race"),
      h("p", { class: "lead" }, "Up to six algorithms on one puzzle, side by side: who is first, who is frugal, who is right."),
      h("div", { class: "ask" }, chosen.element, chosen.others, this.form), this.results);
    this.build(runs, limitsOf(query));
  }

  build(runs, limits) {
    this.runs = runList(this.registry, this.instance.puzzle, runs, { ...this.range, word: "runner" });
    this.limits = limitFields(this.registry, limits);
    this.lay(this.runs.element, this.limits.element);
  }

  address() {
    return ["race", this.instance.id, { runs: this.runs.value().map(written).join(";"), ...this.limits.written() }];
  }

  body() {
    this.lanes = h("div", { class: "lanes" });
    this.head = h("p", { class: "verdict", role: "status" }, "On your marks …");
    this.clock = h("p", { class: "quiet" }, "\u00a0");
    this.again = h("div", { class: "row" });
    this.panel(this.head, this.clock, this.lanes, this.again);
    return { kind: "race", instance: this.instance.id, runs: this.runs.value(), limits: this.limits.value() };
  }

  progress(job) {
    const { lanes } = this;
    if (job.state === "queued") this.head.textContent = waiting(job);
    if (job.state === "running") this.head.textContent = "They are off …";
    if (lanes.children.length !== job.runs.length) lanes.replaceChildren(...job.runs.map(({ label }) => new Lane(label).element));
    job.runs.forEach((run, i) => lanes.children[i].lane.live(run));
  }

  async finish(job) {
    await this.replay(job.runs);
    if (this.signal.aborted) return;
    if (job.result?.table) this.results.append(...findings(job, job.result));
  }

  /** The race once more, on a clock stretched so that it can be watched. */
  async replay(runs) {
    const { unit } = this.registry.puzzles.find(({ name }) => name === this.instance.puzzle);
    const lanes = [...this.lanes.children].map(({ lane }) => lane);
    const slowest = Math.max(1e-6, ...runs.map((run) => run.seconds));
    const fastest = Math.max(1e-6, Math.min(...runs.map((run) => run.seconds)));
    // Where one is a thousand times faster, a steady clock would show nothing of it: then the clock itself speeds up.
    const power = Math.max(1, Math.log(fastest / slowest) / Math.log(FIRST));
    const pace = power > 1 ? "on a clock that runs ever faster" : SECONDS > slowest ? `slowed down ${count(SECONDS / slowest)} times` : `sped up ${count(slowest / SECONDS)} times`;
    let skipped = !lively();
    this.again.replaceChildren(button("Skip", () => (skipped = true), { kind: "plain", icon: "skip" }));
    this.head.textContent = "The race, as it went";
    const begun = performance.now();
    for (let now = 0; !skipped && now < SECONDS && !this.signal.aborted; now = (performance.now() - begun) / 1000) {
      const then = slowest * (now / SECONDS) ** power;
      lanes.forEach((lane, i) => lane.show(runs[i], then, unit));
      this.clock.textContent = `${seconds(then)}, ${pace}`;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    const medals = honours(runs);
    lanes.forEach((lane, i) => {
      lane.show(runs[i], Infinity, unit);
      lane.honour(medals.filter(([, holders]) => holders.includes(runs[i])).map(([name]) => name));
    });
    const [head, detail] = outcome(runs, unit);
    this.head.replaceChildren(head, detail && h("small", {}, detail));
    this.clock.textContent = `The slowest took ${seconds(slowest)}. Times below 20 ms are medians of several runs.`;
    this.again.replaceChildren(...(lively() ? [button("Watch again", () => this.replay(runs), { icon: "restart" })] : []));
    announce([head, detail].join(" "));
  }
}

const solved = (run) => run.report?.outcome === "solved";

/** Those with the least of something, of all that have it. */
function least(runs, value) {
  const known = runs.filter((run) => value(run) !== null && value(run) !== undefined);
  const best = Math.min(...known.map(value));
  return known.filter((run) => value(run) === best);
}

/** Who is given which medal; what all have alike is worth none. */
function honours(runs) {
  const home = runs.filter(solved);
  const medals = [["fastest", least(home, (run) => run.seconds)], ["best solution", least(home, ({ report }) => report.cost)],
    ["leanest", least(home, ({ report }) => report.peak_bytes)]];
  return medals.filter(([, holders]) => holders.length && (holders.length < home.length || home.length === 1));
}

/** What came of the race, who was first, and whether that was worth it. */
function outcome(runs, unit) {
  const home = runs.filter(solved).sort((a, b) => a.seconds - b.seconds);
  if (!home.length) return runs.some(({ report }) => report?.outcome === "unsolvable") ? ["There is no solution, and that was proved.", ""] : ["Nobody found a solution.", ""];
  const [first] = home;
  const [best] = least(home, ({ report }) => report.cost);
  const price = ({ report: { cost } }) => `${count(cost)} ${unit[cost === 1 ? 0 : 1]}`;
  if (first.report.cost === best.report.cost) return [`${first.label} wins in ${seconds(first.seconds)}.`, `Nobody found a better solution than ${price(first)}.`];
  return [`${first.label} is first, in ${seconds(first.seconds)}, but needs ${price(first)}.`, `The best solution, ${price(best)}, is ${best.label}'s, after ${seconds(best.seconds)}.`];
}

/** One runner's line: place, name, the way to the finish, what it took. */
class Lane {
  constructor(label) {
    this.medal = h("span", { class: "medal" }, "…");
    this.state = h("small", {}, "waiting");
    this.time = h("time", {}, "");
    this.cost = h("small", { class: "effort" }, "\u00a0");
    this.pins = h("span", { class: "pins" });
    this.bar = s("rect", { height: "100%", width: 0 });
    this.way = h("div", { class: "way" }, s("svg", { "aria-hidden": "true" }, this.bar));
    this.element = h("div", { class: "track", role: "group", "aria-label": label }, this.medal,
      h("strong", {}, label, this.state), this.time, h("div", { class: "course" }, this.way, h("div", { class: "row" }, this.cost, this.pins)));
    this.element.lane = this;
  }

  /** While it runs, nobody knows how far it is from the finish. */
  live(run) {
    this.state.textContent = run.state;
    this.time.textContent = run.state === "waiting" ? "" : seconds(run.seconds);
    this.effort(run, 1);
  }

  effort({ generated, bytes: memory }, share) {
    this.cost.textContent = `${count(generated === null ? null : generated * share)} nodes · ${bytes(memory === null ? null : Math.round(memory * share))}`;
  }

  /** How it stood after so many seconds. */
  show(run, now, unit) {
    const share = Math.min(1, now / Math.max(run.seconds, 1e-9));
    const [over, home] = [share >= 1, solved(run)];
    const { report } = run;
    this.medal.textContent = !over ? "…" : home ? run.place : "✕";
    this.medal.className = `medal${!over ? "" : home ? " placed" : " failed"}${over && home && run.place === 1 ? " first" : ""}`;
    this.state.textContent = !over ? "running" : home ? `${report.optimal ? "best solution" : "a solution"}: ${count(report.cost)} ${unit[report.cost === 1 ? 0 : 1]}`
      : report?.outcome === "unsolvable" ? "no solution" : `stopped: ${report?.stop ?? "cancelled"}`;
    // Who stopped has not reached the line.
    this.bar.setAttribute("width", `${share * (home ? 100 : 85)}%`);
    this.way.classList.toggle("home", over && home);
    this.effort(run, share);
    this.time.textContent = seconds(Math.min(now, run.seconds));
    this.pins.replaceChildren();
  }

  honour(names) {
    this.pins.replaceChildren(...names.map((name) => h("span", { class: "pin" }, icon("medal"), name)));
  }
}
