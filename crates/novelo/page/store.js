// What the browser remembers between visits: games in progress and the theme.

const MOST_GAMES = 12;

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage the page still works; only reloading forgets.
  }
}

export const store = {
  get theme() {
    return read("novelo.theme", "auto");
  },
  set theme(theme) {
    write("novelo.theme", theme);
  },
  /** Whether the page is shown to a room. */
  get presenting() {
    return sessionStorage.getItem("novelo.presenting") === "yes";
  },
  set presenting(yes) {
    sessionStorage.setItem("novelo.presenting", yes ? "yes" : "no");
  },
  /** Games by instance id, latest first. */
  get games() {
    return read("novelo.games", []);
  },
  game(instance) {
    return this.games.find((game) => game.instance === instance) ?? null;
  },
  keep(game) {
    const others = this.games.filter((other) => other.instance !== game.instance);
    write("novelo.games", [game, ...others].slice(0, MOST_GAMES));
  },
  /** Whether a puzzle is played for the first time here; asked once a visit. */
  first(puzzle) {
    const known = read("novelo.known", []);
    if (known.includes(puzzle)) return false;
    write("novelo.known", [...known, puzzle]);
    return true;
  },
  forget(instance) {
    write("novelo.games", this.games.filter((game) => game.instance !== instance));
  },
};
