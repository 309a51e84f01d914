// Learn: what each algorithm and heuristic is, with an example to watch and an audit to run.

import * as api from "../api.js";
import { button, count, h, icon, errorLine } from "../dom.js";
import { address } from "../route.js";
import { load } from "../parts/load.js";
import { charts, figures } from "../parts/results.js";
import { parsed } from "../parts/runs.js";
import { Forest } from "../parts/forest.js";
import { Growth } from "../parts/growth.js";
import { code } from "../parts/tree.js";
import { ALGORITHMS, EXAMPLE } from "../examples.js";

/** A diagram shows so many nodes. */
const DRAWN = 20;

/** #/learn/astar, #/learn/sliding/manhattan */
export function show(root, route, signal) {
  return load(root, async () => {
    const registry = await api.registry();
    const topics = [
      ...registry.algorithms.map((one) => ({ key: one.name, group: family(registry, one), title: one.title, show: () => algorithm(one, registry, signal) })),
      { key: "counts", group: "Results", title: "Counts", show: () => counts(registry.counts) },
      ...registry.puzzles.flatMap((puzzle) => puzzle.heuristics.map((one) => ({
        key: `${puzzle.name}/${one.name}`, group: `Heuristics of ${puzzle.title}`, title: one.name, show: () => heuristic(puzzle, one, signal),
      }))),
    ];
    const topic = topics.find(({ key }) => key === (route.id ?? "astar"));
    if (!topic) throw new api.ApiError(404, { message: `There is nothing called '${route.id}' to learn about.` });
    root.append(h("h1", { class: "unseen" }, "Learn"),
      h("div", { class: "learning" }, contents(topics, topic), h("article", { "aria-live": "off" }, topic.show())));
  });
}

const family = ({ puzzles }, { puzzle }) => (puzzle ? `Methods of ${puzzles.find(({ name }) => name === puzzle).title}` : "Algorithms");

function contents(topics, current) {
  const groups = [...new Set(topics.map(({ group }) => group))];
  const link = ({ key, title }) => h("li", {},
    h("a", { href: address("learn", key), "aria-current": key === current.key ? "page" : null }, title));
  const list = h("nav", { class: "contents", "aria-label": "Topics" }, groups.map((group) => h("div", {}, h("h2", {}, group),
    h("ul", {}, topics.filter((one) => one.group === group).map(link)))));
  // The topic that is read is in sight in the list.
  requestAnimationFrame(() => (list.scrollTop = list.querySelector("[aria-current]").offsetTop - list.clientHeight / 2));
  // On a phone the list folds away, so that the text comes first.
  if (!matchMedia("(max-width: 900px)").matches) return list;
  return h("details", { class: "panel" }, h("summary", {}, `All topics (now: ${current.title})`), list);
}

const properties = (pairs) => h("dl", { class: "properties" }, pairs.filter(([, text]) => text).map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]));

/** What each parameter is, with its range and usual value. */
const parameters = (list) => list.map(({ name, kind, least, most, words, example, default: usual, required, about }) => {
  const range = words ? words.join(", ") : example ? `such as ${example}`
    : least === null ? kind : `${kind === "integer" ? "a whole number" : "a number"} from ${least} ${most === null ? "on" : `to ${most}`}`;
  return [name, `${range}${usual ? `, usually ${usual}` : required ? ", must be given" : ""}. ${about}`];
});

/** The figures of a result, each with its one definition. */
const counts = (list) => [
  h("p", { class: "kicker" }, "Results"),
  h("h2", { class: "title" }, "Counts"),
  h("p", {}, "Every figure means the same for every puzzle and algorithm. What does not apply is shown as –, and is never the best of a table."),
  ...list.map(({ name, definition, absent }) => h("section", {}, h("h3", {}, h("code", {}, name)), h("p", {}, definition),
    h("p", { class: "quiet" }, `None: ${absent[0].toLowerCase()}${absent.slice(1)}`))),
];

const watching = (instance, run, label, show = "tree") =>
  h("a", { class: "button", href: address("watch", instance, { run, show }) }, icon("eye"), label);

/** What to watch of an algorithm that no example was chosen for. */
function usual(one, puzzles) {
  const { heuristics } = puzzles.find(({ name }) => name === EXAMPLE.instance.split(":")[0]);
  const run = example(one, EXAMPLE.instance);
  return { instance: EXAMPLE.instance, run: one.takes_heuristic ? `${run}@${heuristics[0].name}` : run, show: one.lesson ? undefined : null, look: "The same board as under the other algorithms: compare." };
}

/** The beginning of an algorithm's tree, with the numbers of its expansions. */
function diagram({ instance: id, run }, { lesson, title }, signal) {
  const figure = h("figure", { class: "diagram" });
  const draw = async () => {
    const [instance, job] = await Promise.all([api.instance(id),
      api.job({ kind: "trace", instance: id, run: parsed(run), nodes: DRAWN, limits: {} }, () => {}, signal)]);
    if (!job.result?.trace.nodes.length || signal.aborted) return figure.remove();
    const growth = new Growth(job.result, lesson);
    const last = growth.events.length;
    const now = growth.at(last);
    const forest = new Forest(instance, growth, () => {}, { least: 0.1 });
    figure.append(forest.element, h("figcaption", {}, `${title} on a small board: ${now.iteration ? `its iteration number ${now.iteration + 1}, as far as it came` : "its first nodes"}. Numbers tell in what order they are expanded.`));
    forest.svg.setAttribute("aria-label", `Tree of ${title}: ${now.present.length} nodes`);
    forest.show(now, true, null);
  };
  draw().catch(() => figure.remove());
  return figure;
}

/** A button that puts the exercise in its place: which node comes next? */
function exercise({ instance: id, run }, lesson, signal) {
  const errors = errorLine();
  const start = button("Predict its next steps", async () => {
    start.disabled = true;
    errors.clear();
    try {
      const [instance, job, { predict }] = await Promise.all([api.instance(id),
        api.job({ kind: "trace", instance: id, run: parsed(run), nodes: null, limits: {} }, () => {}, signal), import("../parts/predict.js")]);
      place.replaceChildren(predict(instance, job.result, lesson));
    } catch (error) {
      errors.show(error);
      start.disabled = false;
    }
  }, { icon: "check" });
  const place = h("div", { class: "exercise" }, start, errors.element);
  return place;
}

function algorithm(one, { puzzles }, signal) {
  const puzzle = puzzles.find(({ name }) => name === one.puzzle);
  const seen = puzzle ? { instance: puzzle.lesson, run: one.name, show: null, look: "It grows no tree of states; see what it finds." } : ALGORITHMS[one.name] ?? usual(one, puzzles);
  return [
    h("p", { class: "kicker" }, puzzle ? `Method of ${puzzle.title}` : "Algorithm"),
    h("h2", { class: "title" }, one.title, " ", h("small", {}, h("code", {}, one.name))),
    h("p", {}, one.about),
    properties([["Complete", one.complete], ["Optimal", one.optimal], ["Time", one.time], ["Space", one.space], ["Needs", one.needs], ...parameters(one.parameters)]),
    one.lesson && h("section", {}, h("h3", {}, "Its steps"), code(one.lesson).element, diagram(seen, one, signal)),
    seen && h("section", { class: "panel" }, h("h3", {}, "See it"), h("p", {}, seen.look),
      h("div", { class: "row" }, watching(seen.instance, seen.run, "Watch this example", seen.show),
        one.lesson && exercise(seen, one.lesson, signal))),
  ];
}

function heuristic(puzzle, one, signal) {
  const badge = (yes, word) => h("span", { class: `badge${yes ? "" : " no"}` }, `${yes ? "✓" : "✕ not"} ${word}`);
  return [
    h("p", { class: "kicker" }, `Heuristic of ${puzzle.title}`),
    h("h2", { class: "title" }, h("code", {}, one.name)),
    h("div", { class: "badges" }, badge(one.admissible, "admissible"), badge(one.consistent, "consistent")),
    h("p", {}, one.about),
    properties([["Why", one.why], ...parameters(one.parameters)]),
    h("section", { class: "panel" }, h("h3", {}, "See it"), h("p", {}, `A* guided by it, on a small board${one.name === "zero" ? "" : "; compare with zero, which knows nothing"}.`),
      h("div", { class: "row" }, watching(puzzle.lesson, `astar@${example(one, puzzle.lesson)}`, "Watch A* with it"),
        one.name !== "zero" && watching(puzzle.lesson, "astar@zero", "And with zero"))),
    audit(puzzle, one, signal),
  ];
}

/** A heuristic with what it must be given; what it says of a size, as in "4-4 (3x3)", is taken for a board of that size. */
const example = ({ name, parameters: list }, id) => {
  const size = id.split(":")[1];
  const fitting = ({ about }) => about.split(/[\s,:]+/).find((_, i, words) => words[i + 1] === `(${size})`);
  const given = list.filter(({ required }) => required).map((one) => `${one.name}=${fitting(one) ?? one.example ?? one.words?.[0] ?? one.least}`);
  return given.length ? `${name}:${given.join(",")}` : name;
};

/** Checks the promises of a heuristic against true distances. */
function audit(puzzle, one, signal) {
  const errors = errorLine();
  const result = h("div", { class: "results" });
  const start = button("Audit it", async () => {
    errors.clear();
    start.disabled = true;
    result.replaceChildren(h("p", { class: "quiet", role: "status" }, "Measuring true distances …"));
    try {
      const body = { kind: "audit", puzzle: puzzle.name, heuristic: example(one, puzzle.lesson), size: one.parameters.some(({ required }) => required) ? puzzle.lesson.split(":")[1] : null, samples: null };
      const job = await api.job(body, () => {}, signal);
      result.replaceChildren(...found(job));
    } catch (error) {
      result.replaceChildren();
      errors.show(error);
    }
    start.disabled = false;
  });
  return h("section", { class: "panel figure" }, h("h3", {}, "Does it keep its promise?"),
    h("p", {}, "An audit compares it with the true distance: in every state where there are few enough, else in a sample."),
    h("div", { class: "row" }, start), errors.element, result);
}

function found(job) {
  const { audit: report, files } = job.result;
  const round = (value) => (value === null ? "–" : value.toFixed(3));
  const shown = report.counterexample;
  return [
    h("p", { class: "verdict" }, report.text),
    figures([["States", count(report.states)], ["Compared", count(report.compared)], ["Mean error", round(report.mean_error)],
      ["Errors", [report.least_error, report.worst_error].map((error) => round(error).replace(/\.0+$/, "")).join(" to ")], ["Correlation", round(report.correlation)]]),
    shown && h("p", {}, `${shown.text} `, h("a", { href: address("watch", shown.id, { run: "auto" }) }, "See this state solved"), "."),
    charts(job, files),
  ].filter(Boolean);
}
