// Elements without HTML text: whatever comes from an instance is set as text, never parsed.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. */
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

let named = 0;
/** An id that no other element has. */
export const unique = (name) => `${name}-${++named}`;

/** A line icon; decoration only, so hidden from screen readers. */
export const icon = (name) =>
  s("svg", { class: "i", "aria-hidden": "true" }, s("use", { href: `/icons.svg#${name}` }));

/** A button with an icon and a word. */
export const button = (label, onclick, { icon: name, kind = "", ...rest } = {}) =>
  h("button", { type: "button", class: kind, onclick, ...rest }, name && icon(name), label && h("span", {}, label));

/** Tells screen readers what happened. */
export function announce(text) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === text ? text + "\u00a0" : text;
}

/** Something with a name above it. */
export const field = (label, control, hint) => {
  control.id ||= unique("field");
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, hint && h("small", {}, hint));
};

/** A drop-down; options are [value, text] or a text that is its own value. */
export function select(options, value, onchange) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  const element = h("select", { onchange: () => onchange?.(element.value) },
    pairs.map(([key, text]) => h("option", { value: key }, text)));
  if (pairs.some(([key]) => key === value)) element.value = value;
  return element;
}

/** A text with a capital at its beginning and a stop at its end. */
export const whole = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

/** An error's message and help as whole sentences. */
export const sentence = ({ message, help }) => [message, help].filter(Boolean).map(whole).join(" ");

/** A place for one sentence about what went wrong, kept next to what caused it. */
export function errorLine() {
  const element = h("p", { class: "problem", role: "alert", hidden: true });
  return {
    element,
    clear() {
      element.hidden = true;
      element.textContent = "";
    },
    show(error) {
      element.textContent = sentence(error);
      element.hidden = false;
    },
  };
}

/** A number with thousands separated, or a dash. */
export const count = (value) => (value === null || value === undefined ? "–" : Math.round(value).toLocaleString("en"));

/** Bytes in the unit that reads best. */
export function bytes(value) {
  if (value === null || value === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Seconds in the unit that reads best, on one line with it. */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 0.001) return `${(value * 1e6).toFixed(0)}\u00a0µs`;
  if (value < 1) return `${(value * 1e3).toFixed(1)}\u00a0ms`;
  return `${value.toFixed(value < 100 ? 2 : 0)}\u00a0s`;
}

/** Seconds as a clock shows them. */
export function clock(value) {
  const whole = Math.floor(value);
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours ? `${hours}:` : ""}${hours ? two(Math.floor(whole / 60) % 60) : Math.floor(whole / 60)}:${two(whole % 60)}`;
}
