// What is run: an algorithm with its heuristic and their parameters, and the limits. Which there are, and which parameters
// each has, the registry says.

import { bytes, field, h, select } from "../dom.js";

/** "wastar:weight=2@manhattan": algorithm and heuristic with their parameters, as addresses hold a run. */
export const written = ({ algorithm, heuristic }) => (heuristic ? `${algorithm}@${heuristic}` : algorithm);

/** Reads what `written` writes. */
export function parsed(text) {
  const [algorithm, heuristic, ...more] = text.split("@");
  if (more.length) {
    throw Object.assign(new Error(`'${text}' is no run: it has an algorithm and perhaps a heuristic, with an @ between.`), {
      help: "A parameter is written after a colon, as in wastar:weight=2@manhattan or dls:limit=8.", status: 400,
    });
  }
  return { algorithm, heuristic: heuristic || null };
}

/** A name and the values of its parameters by name, as the library reads them: a value without a name is the first's. */
export function readSpec(text, entries) {
  const [name, ...rest] = text.split(":");
  const { parameters = [] } = entries.find((one) => one.name === name) ?? {};
  const values = {};
  let latest = parameters[0]?.name ?? "";
  for (const [i, part] of (rest.length ? rest.join(":").split(",") : []).entries()) {
    const at = part.indexOf("=");
    if (at >= 0) {
      latest = part.slice(0, at).trim();
      values[latest] = part.slice(at + 1).trim();
    } else {
      values[latest] = i ? `${values[latest]},${part.trim()}` : part.trim();
    }
  }
  return { name, values };
}

const refused = (asked, reason) => ({ message: `The link asks for ${asked}, but ${reason}`, help: "Shown instead is what comes closest" });

/** What one run asks for that there is not. */
function missing(registry, puzzle, { algorithm, heuristic }) {
  const { title, heuristics } = registry.puzzles.find(({ name }) => name === puzzle);
  const look = (kind, text, list) => {
    const { name, values } = readSpec(text, list);
    const { parameters } = list.find((one) => one.name === name) ?? {};
    if (!parameters) return `there is no ${kind} '${name}' for ${title}`;
    for (const [key, value] of Object.entries(values)) {
      const parameter = parameters.find((one) => one.name === key);
      if (!parameter) return `${name} has no parameter '${key}'`;
      // A field that would not hold the value would show another.
      if (!value || control(parameter, value, null).value !== value) return `${key} cannot be '${value}'`;
    }
    return null;
  };
  const mine = registry.algorithms.filter((one) => !one.puzzle || one.puzzle === puzzle);
  return look("algorithm", algorithm, mine) ?? (heuristic ? look("heuristic", heuristic, heuristics) : null);
}

/** Says what the runs of a link ask for that there is not; null if all of it is there. Ranges of values are the server's to judge. */
export function complaint(registry, puzzle, runs, { least = 1, most = Infinity } = {}) {
  if (runs.length < least || runs.length > most) return refused(`${runs.length} ${runs.length === 1 ? "run" : "runs"}`, `there can be ${least} to ${most}`);
  for (const run of runs) {
    const reason = missing(registry, puzzle, run);
    if (reason) return refused(`'${written(run)}'`, reason);
  }
  return null;
}

/** The element by which a parameter is given. */
function control({ kind, least, most, words, example, about, default: usual, required }, value, otherwise) {
  const given = value ?? usual ?? otherwise;
  if (kind === "flag") return select([["false", "no"], ["true", "yes"]], given ?? "false");
  if (kind === "word") return select([...(usual || required ? [] : [["", "none"]]), ...words], given ?? "");
  const numeric = kind === "integer" || kind === "number";
  return h("input", {
    ...(numeric ? { type: "number", min: least, max: most, step: kind === "integer" ? 1 : "any" } : { spellcheck: "false", autocomplete: "off" }),
    value: given ?? "", placeholder: example ?? "", required, title: about,
  });
}

/** Fields for the parameters of a name; those that are not as usual are written after it. */
function parameterFields(place, parameters, values, otherwise) {
  const controls = parameters.map((one) => [one, control(one, values[one.name], otherwise)]);
  const title = (name) => name[0].toUpperCase() + name.slice(1);
  place.replaceChildren(...controls.map(([one, element]) => field(title(one.name), element)));
  place.hidden = !controls.length;
  return () => controls.map(([one, element]) => [one, element.value.trim()])
    .filter(([one, value]) => value && value !== one.default)
    .map(([one, value]) => `${one.name}=${value}`).join(",");
}

const spec = (name, extra) => (extra ? `${name}:${extra}` : name);

/** The depth limit that an algorithm which needs one begins with. */
const USUAL_DEPTH = 20;

/** Fields for one run on instances of a puzzle. */
export function runFields(registry, puzzle, first) {
  const { heuristics } = registry.puzzles.find(({ name }) => name === puzzle);
  const algorithms = registry.algorithms.filter((one) => !one.puzzle || one.puzzle === puzzle);
  const run = { algorithm: "auto", heuristic: null, ...first };
  const asked = readSpec(run.algorithm, algorithms);
  const guide = run.heuristic ? readSpec(run.heuristic, heuristics) : { name: null, values: {} };
  const algorithm = select(algorithms.map((one) => [one.name, `${one.name}: ${one.title}`]), asked.name, () => fit());
  const heuristic = select(heuristics.map((one) => one.name), guide.name ?? heuristics[0].name, () => guided());
  const none = h("option", { value: "" });
  const known = heuristics.some(({ name }) => name === guide.name) ? guide.name : null;
  let kept = known;
  const parts = {
    algorithm: field("Algorithm", algorithm),
    heuristic: field("Heuristic", heuristic),
    parameters: h("div", { class: "parameters" }),
    guidance: h("div", { class: "parameters" }),
  };
  let [extra, more] = [() => "", () => ""];
  const fit = () => {
    const chosen = algorithms.find((one) => one.name === algorithm.value);
    kept = heuristic.value || kept;
    const [takes, needs] = [chosen.takes_heuristic, chosen.needs.startsWith("heuristic")];
    heuristic.disabled = !takes;
    none.textContent = takes ? "its own choice" : "not needed";
    if (needs) none.remove();
    else heuristic.append(none);
    heuristic.value = needs ? kept ?? heuristics[0].name : takes ? known ?? "" : "";
    extra = parameterFields(parts.parameters, chosen.parameters, chosen.name === asked.name ? asked.values : {},
      chosen.needs === "depth-limit" ? USUAL_DEPTH : null);
    guided();
  };
  const guided = () => {
    const { name, parameters } = heuristics.find((one) => one.name === heuristic.value) ?? { name: "", parameters: [] };
    more = parameterFields(parts.guidance, parameters, name === guide.name ? guide.values : {}, null);
  };
  const value = () => ({
    algorithm: spec(algorithm.value, extra()),
    heuristic: heuristic.value ? spec(heuristic.value, more()) : null,
  });
  fit();
  return { parts, value };
}

/** The limits that an address names. */
export const limitsOf = (query) => ({ seconds: query.get("seconds"), bytes: query.get("bytes"), nodes: query.get("nodes") });

/** Fields for the limits of a run; what the server allows is the most. */
export function limitFields(registry, first = {}) {
  const most = registry.limits;
  // What a link asks for is offered beside what is usual, if the server allows it.
  const offered = (usual, asked, greatest) => [...new Set([...usual, Number(asked)])].filter((one) => one > 0 && one <= greatest).sort((a, b) => a - b);
  const times = [1, 2, 5, 10, 30, 60, 300];
  const sizes = [16, 64, 256, 1024, 4096].map((mebi) => mebi * 2 ** 20);
  const usual = [Math.min(10, ...offered(times, 0, most.job_seconds).slice(-1)), offered(sizes, 0, most.job_bytes).at(-1)].map(String);
  const choice = (list, asked, i, text) => select(list.map((one) => [String(one), text(one)]), list.includes(Number(asked)) ? String(Number(asked)) : usual[i]);
  const seconds = choice(offered(times, first.seconds, most.job_seconds), first.seconds, 0, (one) => `${one} s`);
  const memory = choice(offered(sizes, first.bytes, most.job_bytes), first.bytes, 1, (one) => bytes(one).replace(".0", ""));
  const nodes = h("input", { type: "number", min: 1, step: 1, placeholder: "none", value: first.nodes ?? "" });
  const lost = [["a time limit", first.seconds, seconds, `the most is ${most.job_seconds} s`], ["a memory limit", first.bytes, memory, `the most is ${bytes(most.job_bytes)}`],
    ["a node limit", first.nodes, nodes, "it is a whole number from 1 on"]].find(([, asked, { value }]) => asked && !(Number(asked) > 0 && Number(asked) === Number(value)));
  return {
    /** What a link asks for that cannot be; null if there is nothing such. */
    complaint: lost ? refused(`${lost[0]} of '${lost[1]}'`, lost[3]) : null,
    /** The limits that are not as usual, for the address. */
    written: () => ({ seconds: seconds.value === usual[0] ? null : seconds.value, bytes: memory.value === usual[1] ? null : memory.value, nodes: nodes.value || null }),
    element: h("details", { class: "limits", open: Object.values(first).some(Boolean) }, h("summary", {}, "Limits"),
      h("div", { class: "fields" }, field("Time limit", seconds), field("Memory limit", memory), field("Node limit", nodes))),
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
