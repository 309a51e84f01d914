// A form that orders a job from the server: one at a time, which can be cancelled; what went wrong is told beside the buttons.

import * as api from "../api.js";
import { button, h, errorLine } from "../dom.js";
import { note } from "../route.js";

/**
 * What a view that runs jobs is made of. It gives `word` for the button, `address()` for the address bar, `body()` for
 * the order, `progress(job)` while it runs and `finish(job)` when it has ended.
 */
export class Order {
  constructor(signal, label) {
    this.signal = signal;
    this.job = null;
    this.errors = errorLine();
    this.results = h("div", { class: "results" });
    this.form = h("form", { class: "panel", "aria-label": label, onsubmit: (event) => this.start(event), onchange: () => this.note() });
  }

  /** Fills the form with fields, and the buttons below. */
  lay(...fields) {
    this.go = h("button", { class: "primary" }, this.word);
    this.halt = button("Cancel", () => this.job && api.cancel(this.job.id).catch((error) => this.errors.show(error)), { disabled: true });
    this.form.replaceChildren(...fields, this.errors.element, h("div", { class: "row" }, this.go, this.halt));
    this.results.replaceChildren();
    this.note();
  }

  note() {
    note(...this.address());
  }

  /** Says in a panel how the job stands. */
  panel(...content) {
    this.results.replaceChildren(h("section", { class: "panel", "aria-label": "Progress" }, content));
  }

  /** Brings the results into sight, and with them the button that ends the work. */
  reveal() {
    if (this.results.getBoundingClientRect().top < innerHeight * 0.6) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.go.parentElement.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
  }

  async start(event) {
    event?.preventDefault();
    this.errors.clear();
    this.note();
    this.go.disabled = true;
    this.halt.disabled = false;
    try {
      const job = await api.job(this.body(), (now) => {
        const first = !this.job;
        this.progress((this.job = now));
        if (first) this.reveal();
      }, this.signal);
      if (this.signal.aborted) return;
      this.halt.disabled = true;
      await this.finish(job);
      this.reveal();
    } catch (error) {
      this.results.replaceChildren();
      this.errors.show(error);
    }
    this.job = null;
    this.go.disabled = false;
    this.halt.disabled = true;
  }
}

/** How a job that has not begun waits. */
export const waiting = ({ position }) => `Waiting for its turn${position ? `, number ${position}` : ""} …`;
