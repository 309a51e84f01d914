// The frame around the views: tabs, theme, and the address that says what is shown.

import { ready } from "./boards/index.js";
import { h, icon } from "./dom.js";
import { parse } from "./route.js";
import { store } from "./store.js";
import { load } from "./parts/load.js";

const VIEWS = {
  play: { title: "Play", icon: "puzzle" },
  watch: { title: "Watch", icon: "eye" },
  race: { title: "Race", icon: "flag" },
  compare: { title: "Compare", icon: "table" },
  learn: { title: "Learn", icon: "book" },
  /** Without a tab of its own: it belongs to Play. */
  edit: { title: "A board of your own", tab: "play" },
};

const main = document.getElementById("main");
let leaving = new AbortController();

/** Shows the view that the address names; what the last one had running is given up. */
async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const asked = parse(location.hash);
  const route = asked.view in VIEWS ? asked : parse("");
  const { title } = VIEWS[route.view];
  for (const link of document.querySelectorAll("#tabs a")) {
    if (link.dataset.view === (VIEWS[route.view].tab ?? route.view)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${title} · novelo`;
  const root = h("div", { class: `view ${route.view}`, "aria-busy": "true" });
  main.replaceChildren(root);
  scrollTo(0, 0);
  const view = await load(root, async () => {
    await ready();
    return import(`./views/${route.view}.js`);
  });
  if (!signal.aborted) view?.show(root, route, signal);
}

document.getElementById("tabs").append(...Object.entries(VIEWS).filter(([, { tab }]) => !tab).map(([name, { title, icon: picture }]) =>
  h("li", {}, h("a", { href: `#/${name}`, "data-view": name }, icon(picture), h("span", {}, title)))));

// The skip link must not change the address, which holds the view.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

// For a projector: full width and large type. It lasts until it is switched off, or the window is closed.
const stage = document.getElementById("present");
const present = (on) => {
  document.documentElement.toggleAttribute("data-presenting", on);
  stage.setAttribute("aria-pressed", String(on));
  store.presenting = on;
  dispatchEvent(new Event("resize"));
};
stage.append(icon("present"));
stage.addEventListener("click", () => present(!store.presenting));
present(store.presenting);

const THEMES = { auto: ["auto", "as the system"], light: ["sun", "light"], dark: ["moon", "dark"] };
const toggle = document.getElementById("theme");

function paintTheme(theme) {
  const [picture, name] = THEMES[theme];
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  toggle.replaceChildren(icon(picture));
  toggle.setAttribute("aria-label", `Colours: ${name}`);
  toggle.title = `Colours: ${name}`;
}

toggle.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(store.theme) + 1) % names.length];
  store.theme = next;
  paintTheme(next);
});
paintTheme(store.theme in THEMES ? store.theme : "auto");

addEventListener("hashchange", show);
// A view that could not be loaded while the server was away is tried again.
addEventListener("reconnected", () => main.querySelector(".unloaded") && show());
show();
