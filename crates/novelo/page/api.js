// Talks to the server that sent the page; every failure becomes an Error with a sentence.

const banner = () => document.getElementById("connection");
let lost = false;

/** An error that the server answers with, or no answer at all (status 0). */
export class ApiError extends Error {
  constructor(status, { message, where = null, help = null }) {
    super(message);
    Object.assign(this, { status, where, help });
  }
}

function connected(yes) {
  if (yes === !lost) return;
  lost = !yes;
  banner().hidden = yes;
  banner().textContent = yes ? "" : "The connection to novelo is lost. Nothing is gone; the page tries again every two seconds.";
  if (!yes) retry();
  else dispatchEvent(new Event("reconnected"));
}

function retry() {
  setTimeout(async () => {
    try {
      await fetch("/api/health");
      connected(true);
    } catch {
      retry();
    }
  }, 2000);
}

async function request(method, path, body) {
  let response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    connected(false);
    throw new ApiError(0, { message: "novelo does not answer.", help: "Is it still running in its terminal?" });
  }
  connected(true);
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    throw new ApiError(response.status, { message: `The answer could not be read (status ${response.status}).` });
  }
  if (response.ok) return answer;
  const wait = response.headers.get("Retry-After");
  const error = answer?.error ?? { message: `The server refused (status ${response.status}).` };
  if (response.status === 429 && wait) error.help ??= `Try again in ${wait} s.`;
  throw new ApiError(response.status, error);
}

let known;
/** What puzzles, algorithms, heuristics and limits there are; asked for once. */
export const registry = () => (known ??= request("GET", "registry").catch((error) => {
  known = undefined;
  throw error;
}));

/** The instances of a text in any format. */
export const instances = async (text, puzzle = null) =>
  (await request("POST", "instances", { text, puzzle, goal: null })).instances;

/** The instance with this id. */
export const instance = async (id) => (await instances(id))[0];

export const generate = async (puzzle, size, difficulty, seed = null) =>
  (await request("POST", "generate", { puzzle, size, difficulty, seed })).instance;

export const scores = async () => (await request("GET", "scores")).scores;

export const game = {
  start: (instance) => request("POST", "games", { instance }),
  restore: (save) => request("POST", "games", { save }),
  get: (token) => request("GET", `games/${token}`),
  act: (token, action) => request("POST", `games/${token}`, action),
};

const FINAL = ["done", "failed", "cancelled"];

/** Where a file that a job made can be fetched. */
export const file = (job, name, download = false) =>
  `/api/jobs/${job.id}/files/${encodeURIComponent(name)}${download ? "?download" : ""}`;

/**
 * Starts a job and tells `changed` of its every state until the last, with which the promise is kept. `owner` is an
 * AbortSignal: when it fires the job is left to the server, which cancels what nobody watches.
 */
export async function job(body, changed, owner) {
  const started = await request("POST", "jobs", body);
  changed(started);
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/jobs/${started.id}/events`);
    const end = (result, error) => {
      events.close();
      if (error) reject(error);
      else resolve(result);
    };
    events.addEventListener("job", (event) => {
      connected(true);
      const job = JSON.parse(event.data);
      changed(job);
      if (!FINAL.includes(job.state)) return;
      if (job.state === "failed") end(null, new ApiError(422, job.error));
      else end(job);
    });
    // The browser reconnects by itself; only a job the server has forgotten is an end.
    events.addEventListener("error", async () => {
      if (events.readyState !== EventSource.CLOSED) return connected(false);
      try {
        const job = await request("GET", `jobs/${started.id}`);
        changed(job);
        end(job);
      } catch (error) {
        end(null, error);
      }
    });
    owner?.addEventListener("abort", () => {
      events.close();
      cancel(started.id).catch(() => {});
    });
  });
}

export const cancel = (id) => request("DELETE", `jobs/${id}`);

/** What can be said of a board: whether it has a solution, whether only one, how hard it is. */
export const judge = (instance) => request("POST", "judge", { instance });

/** The boards along moves from an instance. */
export const views = (instance, moves) => request("POST", "views", { instance, moves });
