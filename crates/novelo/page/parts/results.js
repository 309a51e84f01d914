// Figures, tables and charts that jobs give.

import { file } from "../api.js";
import { bytes, count, h, icon, seconds } from "../dom.js";

/** Names and values side by side. */
export const figures = (pairs) =>
  h("dl", { class: "figures" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));

/** The counters of a run that is under way. */
export const counters = (run) => figures([
  ["Time", seconds(run.seconds)], ["Expanded", count(run.expanded)], ["Generated", count(run.generated)],
  ["Stored", count(run.stored)], ["Memory", bytes(run.bytes)],
  ["Now at", run.frontier ? `${run.frontier.kind} ${Math.round(run.frontier.value * 100) / 100}` : "–"],
]);

const STOPS = {
  time: "the time limit", memory: "the memory limit", nodes: "the node limit", depth: "the depth limit",
  interrupted: "you stopped it", overflow: "a path costs more than can be counted", "gave-up": "the method has no more to try",
};

/** What came of a run, in a sentence and a half. */
export function verdict(report) {
  const proof = { true: "the best, proved", false: "not proved to be the best" }[report.optimal];
  if (report.outcome === "solved") {
    const cost = report.cost === report.depth ? "" : `, cost ${report.cost}`;
    return [`Solved in ${report.depth} ${report.depth === 1 ? "move" : "moves"}${cost}`, proof];
  }
  if (report.outcome === "unsolvable") return ["There is no solution", report.reason ?? "Proved by searching everything that matters."];
  const bound = report.lower_bound ? `No solution costs less than ${report.lower_bound}.` : report.reason ?? "";
  return [`Stopped: ${STOPS[report.stop] ?? report.stop}`, bound];
}

/** The figures of a finished run. */
export const statistics = (report) => figures([
  ["Time", seconds(report.seconds)], ["Expanded", count(report.expanded)], ["Generated", count(report.generated)],
  ["Most stored", count(report.stored_peak)], ["Memory", bytes(report.peak_bytes)],
  ["Penetrance", report.penetrance === null ? "–" : report.penetrance.toPrecision(3)],
  ["Branching factor", report.branching_factor === null ? "–" : report.branching_factor.toFixed(3)],
]);

/** A table as the lab makes it; the best of each column is marked. */
export function table({ columns, rows }, caption) {
  const cell = ({ text, best }, i) => (i === 0 ? h("th", { scope: "row", title: text }, text)
    : h("td", { class: [best && "best", !columns[i].numeric && "words"].filter(Boolean).join(" ") || null }, text));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, columns.map(({ heading, numeric }) => h("th", { scope: "col", class: numeric ? null : "words" }, heading)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))))));
}

/** Everything a race or a comparison found. */
export const findings = (job, { table: summary, details, remarks, files }) => [
  table(summary, "Results by run"),
  details && table(details, "Results by instance"),
  remarks.length ? h("ul", { class: "quiet" }, remarks.map((remark) => h("li", {}, remark))) : null,
  charts(job, files), downloads(job, files),
].filter(Boolean);

/** The charts a job drew; each comes in a form for small screens too. */
export function charts(job, files) {
  const drawn = files.filter(({ role }) => role === "chart");
  const narrow = ({ name }) => h("source", { media: "(max-width: 640px)", srcset: file(job, name.replace(".svg", ".narrow.svg")) });
  return h("div", { class: "charts" }, drawn.map((chart) => h("figure", {},
    h("a", { href: file(job, chart.name), target: "_blank", title: "Open the chart by itself" },
      h("picture", {}, narrow(chart), h("img", { src: file(job, chart.name), alt: chart.title }))))));
}

/** Links to everything a job made, to keep. */
const downloads = (job, files) => h("div", { class: "row" }, files.filter(({ role }) => role !== "narrow").map(({ name }) =>
  h("a", { class: "button", href: file(job, name, true), download: name }, icon("download"), name)));
