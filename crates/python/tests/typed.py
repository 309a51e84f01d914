"""A program that `mypy --strict` looks through."""

from __future__ import annotations

from typing import Iterator, Optional

import novelo


class Doubling:
    """To a number by doubling and adding one."""

    def start(self) -> int:
        return 1

    def successors(self, number: int) -> Iterator[tuple[str, int, float]]:
        yield "double", 2 * number, 1.5
        yield "add", number + 1, 1

    def is_goal(self, number: int) -> bool:
        return number == 100


result = novelo.solve(Doubling(), "astar", lambda number: 0 if number <= 100 else None, admissible=True)
actions: Optional[list[str]] = result.moves
numbers: Optional[list[int]] = result.states
assert result.optimal and actions is not None and numbers is not None and numbers[-1] == 100

instance: novelo.Instance = novelo.generate("sliding", size="3x3", seed=1)
boards: list[novelo.Instance] = novelo.generate("sliding", size="3x3", seed=1, count=2)
solution = novelo.solve(instance, "astar", "manhattan", time_limit="10s")
written: Optional[list[str]] = solution.moves
assert bool(instance.check(written or []))

way = novelo.Grid([[1, 1], [1, 1]]).solve((0, 0), (1, 1))
cells: Optional[list[tuple[int, int]]] = way.states
graph: novelo.Graph[str] = novelo.Graph([("a", "b", 2)])
nodes: Optional[list[str]] = graph.solve("a", "b").moves
node: novelo.TraceNode[str, str] = instance.trace("astar").nodes[0]
rows = novelo.compare([instance], ["bfs"]).table().rows
