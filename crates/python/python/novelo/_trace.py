"""Search trees as they grew."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, List, Optional, Tuple

from ._results import A, Number, Result, S


class TraceNode(Generic[A, S]):
    """A node of a search tree.

    ``fate`` is what became of it: ``root``, ``new``, ``better`` (known, but this path to it is cheaper), ``repeated``,
    ``dead`` (the heuristic says that no goal can be reached), ``cut`` (beyond the bound) or ``limit`` (at the depth limit).
    """

    __slots__ = ("number", "parent", "action", "state", "g", "h", "f", "fate", "born", "known", "backward")

    number: int
    parent: Optional[int]
    action: Optional[A]
    state: Optional[S]
    g: Number
    h: Optional[Number]
    f: Optional[Number]
    fate: str
    born: int
    known: Optional[int]
    backward: bool

    def __init__(self, number: int, fields: Dict[str, Any]) -> None:
        self.number = number
        for field in self.__slots__[1:]:
            setattr(self, field, fields.get(field))

    def __repr__(self) -> str:
        figures = "".join(f", {name} {value:g}" for name, value in (("h", self.h), ("f", self.f)) if value is not None)
        return f"<node {self.number}: {self.action!r}, g {self.g:g}{figures}, {self.fate}>"


class Trace(Generic[A, S]):
    """The tree of a search, in the order in which it grew.

    - ``nodes``: parents before children, siblings in the order in which they were generated
    - ``expansions``: numbers of nodes, in the order in which they were expanded
    - ``iterations``: the number of each, such as the bound of iterative deepening, and its first node; ``measure``: what
      these numbers are, ``bound``, ``width``, ``restart`` or ``depth limit``
    - ``path``: the nodes of the solution; ``complete``: whether all nodes of the search are here
    - ``result``: what the search came to
    """

    def __init__(
        self, fields: Dict[str, Any], result: Result[A, S], board: Callable[[TraceNode[A, S]], Optional[str]]
    ) -> None:
        self.nodes: List[TraceNode[A, S]] = [TraceNode(number, it) for number, it in enumerate(fields["nodes"])]
        self.expansions: List[int] = list(fields["expansions"])
        self.iterations: List[Tuple[float, int]] = [tuple(it) for it in fields["iterations"]]
        self.measure: str = fields["measure"]
        self.path: List[int] = list(fields["path"])
        self.complete: bool = fields["complete"]
        self.result = result
        self._board = board

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        part = "" if self.complete else " (a part of the tree)"
        return f"<{len(self.nodes)} nodes{part}, {len(self.expansions)} expansions: {self.result.headline()}>"

    def moves_to(self, node: int) -> List[A]:
        """The actions from the root to a node."""
        moves: List[A] = []
        above: Optional[int] = node
        while above is not None:
            action = self.nodes[above].action
            if action is not None:
                moves.append(action)
            above = self.nodes[above].parent
        return moves[::-1]

    def graphviz(self, boards: int = 200) -> str:
        """The tree for Graphviz (``dot -Tsvg``): expanded nodes blue, the solution green, what led nowhere dashed. A tree of
        at most so many nodes has its boards or states in them."""
        steps: Dict[int, List[int]] = {}
        for step, number in enumerate(self.expansions, 1):
            steps.setdefault(number, []).append(step)
        solution = set(self.path)
        values = {first: value for value, first in self.iterations}
        lines = [
            "digraph search {",
            f'  graph [label={_quoted([self.result.headline()], "n")}, labelloc=t, fontname="sans-serif", ordering=out]',
            '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#64748b", fontname="monospace", '
            "fontsize=10]",
            '  edge [color="#64748b", fontname="monospace", fontsize=10, arrowsize=0.6]',
        ]
        for node in self.nodes:
            label = []
            if len(self.nodes) <= boards:
                label += (self._board(node) or "").splitlines()
            if node.number in values:
                label.append(f"{self.measure} {values[node.number]:g}")
            figures = (("g", node.g), ("h", node.h), ("f", node.f))
            known = "" if node.known is None else f" {node.known}"
            fate = "" if node.fate in ("root", "new") else f"  {node.fate}{known}"
            written = "  ".join(f"{name} {value:g}" for name, value in figures if value is not None)
            label.append(f"{node.number}: {written}{fate}")
            if node.number in steps:
                label.append(f"step {', '.join(map(str, steps[node.number]))}")
            if node.number in solution:
                look = ', fillcolor="#bbf7d0", color="#15803d", penwidth=2'
            elif node.number in steps:
                look = ', fillcolor="#dbeafe"'
            elif node.fate in ("new", "better", "root"):
                look = ""
            else:
                look = ', style="rounded,dashed", color="#94a3b8", fontcolor="#64748b"'
            lines.append(f"  n{node.number} [label={_quoted(label, 'l')}{look}]")
            if node.parent is not None:
                way = ", dir=back" if node.backward else ""
                kept = node.number in solution and node.parent in solution
                look = ', color="#15803d", penwidth=2' if kept else ""
                action = _quoted([f" {node.action}"], "")
                lines.append(f"  n{node.parent} -> n{node.number} [label={action}{way}{look}]")
        return "\n".join([*lines, "}", ""])


def _quoted(lines: List[str], justified: str) -> str:
    end = f"\\{justified}" if justified else ""
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') + end for line in lines)
    return '"' + "".join(escaped) + '"'
