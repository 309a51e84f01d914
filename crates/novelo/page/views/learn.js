// Learn: what each algorithm and heuristic is, with an example to watch and an audit to run.

import * as api from "../api.js";
import { button, count, h, icon, problem } from "../dom.js";
import { address } from "../route.js";
import { load } from "../parts/load.js";
import { charts, figures } from "../parts/results.js";
import { ALGORITHMS } from "../examples.js";

/** #/learn/astar, #/learn/sliding/manhattan */
export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const topics = [
      ...registry.algorithms.map((one) => ({ key: one.name, group: "Algorithms", title: one.title, show: () => algorithm(one) })),
      ...registry.puzzles.flatMap((puzzle) => puzzle.heuristics.map((one) => ({
        key: `${puzzle.name}/${one.name}`, group: `Heuristics of ${puzzle.title}`, title: one.name, show: () => heuristic(puzzle, one, signal),
      }))),
    ];
    const topic = topics.find(({ key }) => key === (route.id ?? "astar"));
    if (!topic) throw new api.Refusal(404, { message: `There is nothing called '${route.id}' to learn about.` });
    root.append(h("h1", { class: "unseen" }, "Learn"),
      h("div", { class: "learning" }, contents(topics, topic), h("article", { "aria-live": "off" }, topic.show())));
  });
}

function contents(topics, current) {
  const groups = [...new Set(topics.map(({ group }) => group))];
  const link = ({ key, title }) => h("li", {},
    h("a", { href: address("learn", key), "aria-current": key === current.key ? "page" : null }, title));
  const list = h("nav", { class: "contents", "aria-label": "Topics" }, groups.map((group) => h("div", {}, h("h2", {}, group),
    h("ul", {}, topics.filter((one) => one.group === group).map(link)))));
  // On a phone the list folds away, so that the text comes first.
  if (!matchMedia("(max-width: 900px)").matches) return list;
  return h("details", { class: "panel" }, h("summary", {}, `All topics (now: ${current.title})`), list);
}

const properties = (pairs) => h("dl", { class: "properties" }, pairs.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));

const watching = (instance, run, label) =>
  h("a", { class: "button", href: address("watch", instance, { run, show: run.startsWith("auto") ? null : "tree" }) }, icon("eye"), label);

function algorithm(one) {
  const example = ALGORITHMS[one.name];
  return [
    h("p", { class: "kicker" }, "Algorithm"),
    h("h2", { class: "title" }, one.title, " ", h("small", {}, h("code", {}, one.name))),
    h("p", {}, one.about),
    properties([["Complete", one.complete], ["Optimal", one.optimal], ["Time", one.time], ["Space", one.space], ["Needs", one.needs]]),
    example && h("section", { class: "panel" }, h("h3", {}, "See it"), h("p", {}, example.look),
      h("div", { class: "row" }, watching(example.instance, example.run, "Watch this example"))),
  ];
}

function heuristic(puzzle, one, signal) {
  const badge = (yes, word) => h("span", { class: `badge${yes ? "" : " no"}` }, `${yes ? "✓" : "✕ not"} ${word}`);
  return [
    h("p", { class: "kicker" }, `Heuristic of ${puzzle.title}`),
    h("h2", { class: "title" }, h("code", {}, one.name)),
    h("div", { class: "badges" }, badge(one.admissible, "admissible"), badge(one.consistent, "consistent")),
    h("p", {}, one.about),
    properties([["Why", one.why], ["Parameters", one.parameters]]),
    h("section", { class: "panel" }, h("h3", {}, "See it"), h("p", {}, "A* guided by it, on a small board; compare with zero, which knows nothing."),
      h("div", { class: "row" }, watching(puzzle.lesson, `astar@${one.name}`, "Watch A* with it"),
        watching(puzzle.lesson, "astar@zero", "And with zero"))),
    audit(puzzle, one, signal),
  ];
}

/** Checks the promises of a heuristic against true distances. */
function audit(puzzle, one, signal) {
  const trouble = problem();
  const result = h("div", { class: "results" });
  const start = button("Audit it", async () => {
    trouble.clear();
    start.disabled = true;
    result.replaceChildren(h("p", { class: "quiet", role: "status" }, "Measuring true distances …"));
    try {
      const body = { kind: "audit", puzzle: puzzle.name, heuristic: one.name, size: null, samples: null };
      const job = await api.job(body, () => {}, signal);
      result.replaceChildren(...found(job));
    } catch (error) {
      result.replaceChildren();
      trouble.show(error);
    }
    start.disabled = false;
  });
  return h("section", { class: "panel figure" }, h("h3", {}, "Does it keep its promise?"),
    h("p", {}, "An audit compares it with the true distance: in every state where there are few enough, else in a sample."),
    h("div", { class: "row" }, start), trouble.element, result);
}

function found(job) {
  const { audit: report, files } = job.result;
  const round = (value) => (value === null ? "–" : value.toFixed(3));
  const example = report.counterexample;
  return [
    h("p", { class: "verdict" }, report.text),
    figures([["States", count(report.states)], ["Compared", count(report.compared)], ["Mean error", round(report.mean_error)],
      ["Errors", `${round(report.least_error)} to ${round(report.worst_error)}`], ["Correlation", round(report.correlation)]]),
    example && h("p", {}, `${example.text} `, h("a", { href: address("watch", example.id, { run: "auto" }) }, "See this state solved"), "."),
    charts(job, files),
  ].filter(Boolean);
}
