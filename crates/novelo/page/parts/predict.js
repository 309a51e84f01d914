// An exercise: the search stands still, and one says what it does next. Right or wrong, and why.

import { picture } from "../boards/index.js";
import { announce, button, h } from "../dom.js";
import { Forest, number } from "./forest.js";
import { Growth } from "./growth.js";
import { code, legend, reason, strip } from "./tree.js";

/** As many questions are asked, spread over the search. */
const QUESTIONS = 10;

/** What may become of a node that was found, by the events of a trace. */
const FATES = {
  new: ["It is kept", "It is new, and within every bound: the search goes on with it."],
  better: ["It is kept", "It was reached before, but at a greater cost."],
  repeated: ["It is skipped", "This state was reached before at no greater cost, or lies on the path itself."],
  cut: ["It is pruned", "Its f is beyond the bound of this iteration, there is no room for it, or no path through it is cheaper than the best known."],
  dead: ["It is pruned", "The heuristic knows that no goal can be reached from here."],
  limit: ["It is not expanded", "It lies at the depth limit."],
};

/** The positions at which there is something to foresee. */
function questions(growth) {
  const asked = growth.events.map((event, at) => ({ event, at })).filter(({ event: { kind, node }, at }) => {
    if (growth.inPlace) return kind in FATES && node.above;
    return kind === "take" && node.above && growth.at(at).frontier.length > 1;
  });
  const many = Math.min(QUESTIONS, asked.length);
  return Array.from({ length: many }, (_, i) => asked[Math.floor((i * asked.length) / many)]);
}

/** Whether a node would have been as good a choice as the one that was made: only the tie was broken otherwise. */
const equal = (a, b, growth) => growth.wasFirst(b) && ({
  g: a.g === b.g, h: a.h === b.h, f: a.f === b.f && a.h === b.h,
}[growth.next] ?? false);

/** The exercise on a trace; null where a search leaves nothing to foresee. */
export function predict(instance, result, lesson) {
  const growth = new Growth(result, lesson);
  const asked = questions(growth);
  if (!asked.length) return h("p", { class: "quiet" }, "This search leaves nothing to foresee: there was never a choice. Take a larger board.");
  let [at, right, open] = [0, 0, true];
  const score = h("p", { class: "aim" });
  const question = h("p", { class: "verdict" });
  const answer = h("p", { class: "why", role: "status" });
  const shown = h("div", { class: "inhand" });
  const choices = h("div", { class: "row" });
  const next = button("Next question", () => (at + 1 < asked.length ? ask(at + 1) : end()), { kind: "primary" });
  const lines = code(lesson);
  const forest = new Forest(instance, growth, (node, chosen) => {
    if (chosen && open && !growth.inPlace) judge(node);
    else forest.show(forest.now, false, node);
  });
  const list = strip("Frontier", instance, growth, (node) => open && judge(node));
  const moment = (position, picked) => {
    const now = growth.at(position);
    forest.show(now, position === growth.events.length, picked ?? now.current);
    lines.light(now.event.kind);
    return now;
  };
  const bound = (node) => {
    const limit = growth.trace.iterations[node.iteration]?.[0];
    return limit === null || limit === undefined ? "" : ` The ${growth.trace.measure} is ${number(limit)}.`;
  };
  const ask = (which) => {
    at = which;
    open = true;
    const { event: { node }, at: position } = asked[at];
    const now = moment(position, null);
    answer.textContent = "";
    answer.className = "why";
    next.hidden = true;
    score.textContent = `Question ${at + 1} of ${asked.length} · ${right} right`;
    list.element.hidden = growth.inPlace;
    shown.hidden = !growth.inPlace;
    if (growth.inPlace) {
      const view = growth.view(node.id);
      question.textContent = "The next child is found. What becomes of it?";
      shown.replaceChildren(h("div", { class: "state" }, view ? picture(instance.puzzle, view, "The child").element : ""),
        h("p", {}, `g ${number(node.g)}${node.h === null ? "" : `, h ${number(node.h)}, f ${number(node.f)}`}, depth ${node.depth}.${bound(node)}`));
      const words = [...new Set(growth.events.filter(({ kind }) => kind in FATES).map(({ kind }) => FATES[kind][0]))];
      choices.replaceChildren(...words.map((word) => button(word, () => open && decide(word))));
    } else {
      question.textContent = "Which node is expanded next?";
      // In no order: that of the open list would give the answer away.
      const mixed = ({ id }) => (id * 7919) % 101;
      list.show(now.frontier.toSorted((a, b) => mixed(a) - mixed(b)), "Frontier", "in no order");
      choices.replaceChildren();
    }
  };
  const settle = (good, text) => {
    open = false;
    right += good;
    answer.className = `why told ${good ? "right" : "wrong"}`;
    answer.textContent = `${good ? "Right." : "No."} ${text}`;
    announce(answer.textContent);
    score.textContent = `Question ${at + 1} of ${asked.length} · ${right} right`;
    next.lastChild.textContent = at + 1 < asked.length ? "Next question" : "The score";
    next.hidden = false;
    next.focus({ preventScroll: true });
  };
  const decide = (word) => {
    const { event: { kind, node }, at: position } = asked[at];
    moment(position + 1, node);
    settle(word === FATES[kind][0], `${FATES[kind][0]}: ${FATES[kind][1][0].toLowerCase()}${FATES[kind][1].slice(1)}`);
  };
  const judge = (node) => {
    const { event: { node: taken }, at: position } = asked[at];
    if (!forest.now.frontier.includes(node)) return answer.replaceChildren("That node is not on the frontier any more: choose one that waits.");
    moment(position + 1, taken);
    const why = `${reason(taken, growth)[0].toUpperCase()}${reason(taken, growth).slice(1)}`;
    const figures = (one) => (one.h === null ? `g ${number(one.g)}` : `g ${number(one.g)}, h ${number(one.h)}, f ${number(one.f)}`);
    if (node === taken) settle(true, `${why}.`);
    else if (equal(node, taken, growth)) settle(true, `Yours is as good, ${figures(node)}; ties go to the one found last, number ${taken.expanded + 1} in the picture.`);
    else settle(false, `${why}: ${figures(taken)}. Yours has ${figures(node)}.`);
  };
  const end = () => {
    const share = right / asked.length;
    question.textContent = `${right} of ${asked.length} right.`;
    answer.className = `why told ${share >= 0.5 ? "right" : "wrong"}`;
    answer.textContent = share === 1 ? "You are this algorithm." : share >= 0.7 ? "You know how it goes." : "Watch the search tree once more: the line of the pseudocode that is lit says what it goes by.";
    announce(`${question.textContent} ${answer.textContent}`);
    score.textContent = "";
    shown.hidden = true;
    list.element.hidden = true;
    next.hidden = true;
    choices.replaceChildren(button("Once more", () => {
      right = 0;
      ask(0);
    }, { icon: "restart", kind: "primary" }));
    moment(growth.events.length, null);
  };
  const element = h("div", { class: "tree predict" },
    h("div", { class: "about" }, forest.element, list.element, legend(growth)),
    h("div", { class: "about" }, score, question, shown, choices, answer, h("div", { class: "row" }, next), lines.element,
      growth.inPlace ? null : h("p", { class: "quiet" }, "Choose a node in the tree or in the frontier below it; by keyboard, Enter chooses.")));
  ask(0);
  return element;
}
