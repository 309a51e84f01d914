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
  forget(instance) {
    write("novelo.games", this.games.filter((game) => game.instance !== instance));
  },
};
