// What is run: an algorithm with its heuristic and their parameters, and the limits.

import { bytes, field, h, select } from "../dom.js";

/** "astar@manhattan@1.5@50": algorithm, heuristic, weight and depth limit, as addresses hold a run. */
export function written(run) {
  return [run.algorithm, run.heuristic, run.weight, run.depth_limit].map((part) => part ?? "").join("@").replace(/@+$/, "");
}

/** Reads what `written` writes. */
export function parsed(text) {
  const [algorithm, heuristic, weight, depth] = text.split("@");
  return { algorithm, heuristic: heuristic || null, weight: weight ? Number(weight) : null, depth_limit: depth ? Number(depth) : null };
}

/** Fields for one run on instances of a puzzle. */
export function runFields(registry, puzzle, first) {
  const { heuristics } = registry.puzzles.find(({ name }) => name === puzzle);
  const run = { algorithm: "auto", heuristic: null, weight: null, depth_limit: null, ...first };
  const [name, ...parameters] = (run.heuristic ?? heuristics[0].name).split(":");
  const algorithm = select(registry.algorithms.map((one) => [one.name, `${one.name}: ${one.title}`]), run.algorithm, () => fit());
  const heuristic = select(heuristics.map((one) => one.name), name, () => fit());
  const needless = h("option", { value: "" }, "not needed");
  let kept = heuristic.value;
  const parameter = h("input", { value: parameters.join(":"), spellcheck: "false", autocomplete: "off" });
  const weight = h("input", { type: "number", min: 1, max: 100, step: 0.1, value: run.weight ?? 2 });
  const depth = h("input", { type: "number", min: 1, max: 1000000, step: 1, value: run.depth_limit ?? 20 });
  const parts = {
    algorithm: field("Algorithm", algorithm),
    heuristic: field("Heuristic", heuristic),
    parameter: field("Parameters", parameter),
    weight: field("Weight", weight),
    depth: field("Depth limit", depth),
  };
  const chosen = () => registry.algorithms.find((one) => one.name === algorithm.value);
  const guided = () => chosen().needs === "heuristic";
  const fit = () => {
    kept = heuristic.value || kept;
    heuristic.disabled = !guided();
    if (guided()) needless.remove();
    else heuristic.append(needless);
    heuristic.value = guided() ? kept : "";
    const { parameters: known } = heuristics.find((one) => one.name === kept);
    parts.parameter.hidden = !guided() || !known;
    parameter.placeholder = known.length > 24 ? `${known.slice(0, 24)}…` : known;
    parts.weight.hidden = algorithm.value !== "wastar";
    parts.depth.hidden = chosen().needs !== "depth-limit";
  };
  const extra = () => (parts.parameter.hidden || !parameter.value.trim() ? "" : `:${parameter.value.trim()}`);
  const value = () => ({
    algorithm: algorithm.value,
    heuristic: guided() ? heuristic.value + extra() : null,
    weight: parts.weight.hidden ? null : Number(weight.value) || null,
    depth_limit: parts.depth.hidden ? null : Number(depth.value) || null,
  });
  fit();
  return { parts, value };
}

/** Fields for the limits of a run; what the server allows is the most. */
export function limitFields(registry, first = {}) {
  const most = registry.limits;
  const times = [1, 2, 5, 10, 30, 60, 300].filter((one) => one <= most.job_seconds);
  const sizes = [16, 64, 256, 1024, 4096].map((mebi) => mebi * 2 ** 20).filter((one) => one <= most.job_bytes);
  const seconds = select(times.map((one) => [String(one), `${one} s`]), String(first.seconds ?? Math.min(10, times.at(-1))));
  const memory = select(sizes.map((one) => [String(one), bytes(one).replace(".0", "")]), String(first.bytes ?? sizes.at(-1)));
  const nodes = h("input", { type: "number", min: 1, step: 1, placeholder: "none", value: first.nodes ?? "" });
  return {
    parts: { seconds: field("Time limit", seconds), memory: field("Memory limit", memory), nodes: field("Node limit", nodes) },
    value: () => ({ seconds: Number(seconds.value), bytes: Number(memory.value), nodes: Number(nodes.value) || null }),
  };
}

/** A list of runs that grows and shrinks, as races and comparisons have it. */
export function runList(registry, puzzle, first, { least, most, word }) {
  const list = h("div", { class: "runners" });
  let runs = [];
  const add = h("button", { type: "button", onclick: () => insert({ algorithm: "astar" }) }, `Add a ${word}`);
  const insert = (run) => {
    const fields = runFields(registry, puzzle, run);
    const lane = h("span", { class: "lane", "aria-hidden": "true" });
    const remove = h("button", { type: "button", class: "icon", onclick: () => drop(entry) }, "✕");
    const { algorithm, heuristic, ...rest } = fields.parts;
    const element = h("div", { class: "runner", role: "group" }, lane, algorithm, heuristic, remove,
      h("div", { class: "options" }, Object.values(rest)));
    const entry = { element, fields, lane, remove };
    runs.push(entry);
    list.append(element);
    number();
  };
  const drop = (entry) => {
    runs = runs.filter((one) => one !== entry);
    entry.element.remove();
    number();
    add.focus();
  };
  const number = () => {
    runs.forEach(({ element, lane, remove }, i) => {
      lane.textContent = i + 1;
      element.setAttribute("aria-label", `${word} ${i + 1}`);
      remove.setAttribute("aria-label", `Remove ${word} ${i + 1}`);
      remove.disabled = runs.length <= least;
    });
    add.disabled = runs.length >= most;
  };
  first.slice(0, most).forEach(insert);
  return { element: h("div", { class: "paste" }, list, add), value: () => runs.map(({ fields }) => fields.value()) };
}
