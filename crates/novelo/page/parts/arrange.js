// Where the nodes of a tree are drawn: each level as close as it can be, parents over the middle of their children (Wetherell
// and Shannon, 1979). Only nodes that are there take room; those that lead nowhere take little.

export const [ACROSS, DOWN] = [78, 118];
const LITTLE = 40;

/** A place [x, y] for each node of a list, parents before children, its levels `down` apart. Trees stand side by side. */
export function arrange(nodes, down) {
  const places = new Map();
  const children = new Map();
  for (const node of nodes) {
    children.set(node, []);
    children.get(node.above)?.push(node);
  }
  let left = 0;
  for (const root of nodes.filter(({ above }) => !children.has(above))) {
    const [next, offset, shift] = [[], [], new Map()];
    const wide = (node) => (["new", "better", "root"].includes(node.fate) ? ACROSS : LITTLE);
    const order = [root];
    for (let i = 0; i < order.length; i++) order.push(...children.get(order[i]));
    // Below come first: children stand before their parents in this order, siblings from left to right.
    const levels = Map.groupBy(order, ({ depth }) => depth);
    for (const depth of [...levels.keys()].sort((a, b) => b - a)) {
      for (const node of levels.get(depth)) {
        const below = children.get(node);
        const half = wide(node) / 2;
        const free = (next[depth] ?? 0) + half;
        let x = below.length ? (places.get(below[0])[0] + places.get(below.at(-1))[0]) / 2 : free;
        if (below.length) {
          offset[depth] = Math.max(offset[depth] ?? 0, free - x);
          x += offset[depth];
          shift.set(node, offset[depth]);
        }
        places.set(node, [x, node.depth * down]);
        next[depth] = x + half;
      }
    }
    const moved = new Map();
    let [least, most] = [Infinity, -Infinity];
    for (const node of order) {
      const by = moved.get(node.above) ?? 0;
      moved.set(node, by + (shift.get(node) ?? 0));
      const place = places.get(node);
      place[0] += by;
      least = Math.min(least, place[0]);
      most = Math.max(most, place[0]);
    }
    for (const node of order) places.get(node)[0] += left - least;
    left += most - least + 2 * ACROSS;
  }
  return places;
}
