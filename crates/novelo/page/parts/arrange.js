// Where the nodes of a tree are drawn: leaves side by side, parents over the middle of their children.

const [ACROSS, DOWN] = [40, 64];

/** A place [x, y] for each node. The trees of an iteration stand side by side: one, or two that grow towards each other. */
export function arrange(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach((node, id) => node.parent !== null && children[node.parent].push(id));
  const places = nodes.map((node) => [0, node.depth * DOWN]);
  // How far to the right the trees of each iteration reach.
  const taken = new Map();
  nodes.forEach((node, root) => {
    if (node.parent !== null) return;
    let next = taken.get(node.iteration) ?? 0;
    // Ropes of thousands of nodes would overflow a recursion.
    const open = [[root, 0]];
    while (open.length) {
      const top = open.at(-1);
      const [id, seen] = top;
      if (seen < children[id].length) {
        top[1] += 1;
        open.push([children[id][seen], 0]);
        continue;
      }
      open.pop();
      const below = children[id];
      if (below.length) places[id][0] = (places[below[0]][0] + places[below.at(-1)][0]) / 2;
      else {
        places[id][0] = next;
        next += ACROSS;
      }
    }
    taken.set(node.iteration, next + ACROSS);
  });
  return places;
}
