// Instances that show what an algorithm is like, small enough for their tree to be seen.

const EIGHT = "sliding:3x3:1,3,0,4,2,5,7,8,6";
const LONGER = "sliding:3x3:1,6,2,5,0,3,4,7,8";

/** What Watch shows when nothing else was asked for. */
export const EXAMPLE = { instance: LONGER, run: "astar@manhattan" };

/** What is raced on when nothing else was asked for: one of the two hardest 8-puzzles. */
export const RACE = "sliding:3x3:8,6,7,2,5,4,3,0,1";

/** By algorithm: what to watch, and what to look for. */
export const ALGORITHMS = {
  auto: { instance: "sliding:3x3:8,6,7,2,5,4,3,0,1", run: "auto", show: null, look: "One of the two hardest 8-puzzles, 31 moves from home." },
  bfs: { instance: EIGHT, run: "bfs", look: "Level by level: everything at depth 1, then at depth 2, and so on, whichever way home is." },
  dfs: { instance: LONGER, run: "dfs", look: "Down one branch as far as it goes: the tree becomes a rope, and the solution is absurdly long." },
  dls: { instance: LONGER, run: "dls:limit=8", look: "The rope is cut at depth 8, and the search turns back." },
  ids: { instance: EIGHT, run: "ids", look: "One small tree after another, each a level deeper; the early ones are grown again and again." },
  ucs: { instance: EIGHT, run: "ucs", look: "With all costs equal it grows the same levels as breadth-first search." },
  greedy: { instance: LONGER, run: "greedy@manhattan", look: "It runs after the smallest h and seldom looks back; the way found need not be the best." },
  astar: { instance: LONGER, run: "astar@manhattan", look: "It goes where g + h is smallest: most of the frontier is never expanded." },
  wastar: { instance: LONGER, run: "wastar:weight=2@manhattan", look: "h counts twice, so it hurries like greedy search but never pays more than twice the best cost." },
  idastar: { instance: "sliding:3x3:8,1,3,4,0,2,7,6,5", run: "idastar@manhattan", look: "Each tree is cut where f exceeds the bound; the next bound is the smallest f that was cut." },
  rbfs: { instance: "sliding:3x3:8,1,3,4,0,2,7,6,5", run: "rbfs@manhattan", look: "It goes where f is smallest, and forgets a branch when another has become better: the same states are expanded again and again." },
  smastar: { instance: LONGER, run: "smastar:nodes=12@manhattan", look: "Twelve nodes at most: it forgets the worst leaf, and comes back to it when nothing better is left." },
  ibex: { instance: "sliding:3x3:8,1,3,4,0,2,7,6,5", run: "ibex@manhattan", look: "Each bound is to take two to eight times as much as the one before; a try that takes more is ended." },
  beam: { instance: LONGER, run: "beam:width=2@manhattan", look: "Two states at each depth, and all others are dropped for good." },
  cabs: { instance: LONGER, run: "cabs@manhattan", look: "One beam after another, each twice as wide, until one had room for everything: that is the proof." },
  hillclimb: { instance: EIGHT, run: "hillclimb:walk=6@manhattan", look: "Always to the smallest h, until no neighbour is better; then again from the end of a random walk." },
  anneal: { instance: EIGHT, run: "anneal:start=1,factor=0.99@manhattan", look: "One random move after another; uphill is taken more and more seldom." },
  lrtastar: { instance: LONGER, run: "lrtastar@manhattan", look: "It acts before it knows the way, and learns from having to come back." },
  bidirectional: { instance: LONGER, run: "bidirectional", look: "Two trees, one from each end, meet half way." },
};

/** What Compare begins with. */
export const COMPARISON = {
  instances: ["sliding:3x3:4,3,5,2,0,1,7,8,6", "sliding:3x3:4,3,0,2,6,5,7,1,8", "sliding:3x3:1,8,5,7,0,3,6,2,4"],
  runs: [{ algorithm: "bfs" }, { algorithm: "astar", heuristic: "hamming" }, { algorithm: "astar", heuristic: "manhattan" }],
};
