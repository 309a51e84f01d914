// Calls the engine in WebAssembly, and fails where an answer is wrong.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const host = { now: () => performance.now() };
const { instance } = await WebAssembly.instantiate(await readFile(process.argv[2]), { host });
const { solve, search_for, set_clock } = instance.exports;

// In the order of the registry: bfs, dfs, dls, ids, ucs, greedy, A*, weighted A*, IDA*. Those that would take too long
// (ids, IDA*) or need more (dls) are left out.
// 39 cells to the right, and 30 down, 21 up and 30 down around the walls.
const shortest = 39 + 30 + 21 + 30;
for (const place of [0, 4, 6]) assert.equal(solve(place), shortest, `algorithm ${place}`);
for (const place of [1, 5, 7]) assert.ok(solve(place) >= shortest, `algorithm ${place}`);

assert.equal(search_for(50), 2, "without a clock a time limit is refused");
set_clock();
const start = performance.now();
assert.equal(search_for(50), 1, "the time limit ends the search");
const took = performance.now() - start;
assert.ok(took >= 50, `${took} ms`);
console.log(`WebAssembly: right answers, and a limit of 50 ms was kept in ${took.toFixed(0)} ms`);
