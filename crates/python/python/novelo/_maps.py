"""Grids and graphs, searched without Python."""

from __future__ import annotations

from array import array
from typing import Any, Callable, Dict, Generic, Hashable, Iterable, List, Optional, Tuple, TypeVar, Union

from . import _novelo
from ._options import MemoryLimit, TimeLimit, options
from ._progress import Listener, listening
from ._results import Number, Result, ended

Cell = Tuple[int, int]
N = TypeVar("N", bound=Hashable)

_DIAGONAL = 2**0.5


class Grid:
    """A grid of cells, a NumPy array or a list of rows, each cell with what it costs to enter it.

    Walls are infinite, or ``False`` in an array of truth values, whose other cells cost 1. ``neighbours`` is 4 or 8; with 8
    a diagonal step costs ``diagonal`` times as much, and passes the corners of walls unless ``corners`` is ``False``.

    >>> maze = Grid([[1, 1, 9], [1, float("inf"), 1], [1, 1, 1]])
    >>> maze.solve((0, 0), (1, 2)).cost
    5
    """

    def __init__(
        self, costs: Any, *, neighbours: int = 4, diagonal: float = _DIAGONAL, corners: bool = True
    ) -> None:
        if neighbours not in (4, 8):
            raise ValueError(f"a cell has 4 or 8 neighbours, not {neighbours}")
        rows, cols, numbers = _numbers(costs)
        self._native = _novelo.Grid(numbers, rows, cols, float(diagonal) if neighbours == 8 else None, corners)

    @property
    def shape(self) -> Tuple[int, int]:
        """Rows and columns."""
        return self._native.rows, self._native.cols

    def __repr__(self) -> str:
        return "<novelo.Grid of {} x {} cells>".format(*self.shape)

    def solve(
        self,
        start: Cell,
        goal: Cell,
        algorithm: str = "astar",
        heuristic: Optional[Callable[[Cell], Optional[Number]]] = None,
        *,
        admissible: bool = False,
        consistent: bool = False,
        time_limit: TimeLimit = None,
        memory_limit: MemoryLimit = None,
        node_limit: Optional[int] = None,
        depth_limit: Optional[int] = None,
        threads: Optional[int] = None,
        shuffle: Optional[int] = None,
        progress: Union[bool, Listener] = False,
    ) -> Result[Cell, Cell]:
        """A way from one cell, (row, column), to another. ``moves`` are the cells entered, ``states`` those and the start.

        Without a heuristic of one's own, a function of a cell, the estimate is the distance on a grid without walls.
        """
        asked: Optional[Callable[[int], Optional[Number]]] = None
        if heuristic is not None:
            function, cell = heuristic, self._native.cell

            def ask(place: int) -> Optional[Number]:
                return function(cell(place))

            asked = ask

        places = {"start": self._place("start", start), "goal": self._place("goal", goal)}
        how = options(
            algorithm, time_limit=time_limit, memory_limit=memory_limit, node_limit=node_limit,
            depth_limit=depth_limit, threads=threads, shuffle=shuffle,
        )  # fmt: skip
        query = {**places, "heuristic": asked, "admissible": admissible, "consistent": consistent}
        with listening(progress) as listener:
            told, raised = self._native.solve(query, how, listener)
        told["heuristic"] = _name(heuristic, "distance") if told["guided"] else None
        return _result(told, raised, "Grid", lambda cells: [tuple(cell) for cell in cells])

    def _place(self, which: str, cell: Cell) -> int:
        row, col = cell
        place = self._native.place(int(row), int(col))
        if place is None:
            rows, cols = self.shape
            inside = 0 <= row < rows and 0 <= col < cols
            what = "a wall" if inside else f"outside of the {rows} x {cols} cells"
            raise ValueError(f"the {which} {(int(row), int(col))} is {what}")
        return place


class Graph(Generic[N]):
    """A graph of NetworkX, or edges ``(node, node)`` or ``(node, node, cost)``, directed, made ready once for any number of
    searches.

    ``weight`` is the attribute of edges that has their cost, or a function of two nodes and the attributes, as NetworkX has
    it; edges without it cost 1.
    """

    def __init__(
        self,
        graph: Any,
        *,
        weight: Union[str, Callable[[Any, Any, Dict[str, Any]], Optional[Number]]] = "weight",
    ) -> None:
        self._nodes: List[N] = []
        self._numbers: Dict[N, int] = {}
        sources, targets, costs = array("I"), array("I"), array("d")
        for source, target, cost in _edges(graph, weight):
            sources.append(self._number(source))
            targets.append(self._number(target))
            try:
                costs.append(cost)
            except TypeError:
                raise ValueError(f"the cost of the edge {source!r} to {target!r} is {cost!r}: it must be a number") from None
            if not 0 <= costs[-1] < float("inf"):
                why = "it must be a finite number from 0 on"
                raise ValueError(f"the cost of the edge {source!r} to {target!r} is {cost!r}: {why}")
        for node in getattr(graph, "nodes", ()):
            self._number(node)
        self._native = _novelo.Graph(len(self._nodes), sources.tobytes(), targets.tobytes(), costs.tobytes())

    def _number(self, node: N) -> int:
        number = self._numbers.setdefault(node, len(self._nodes))
        if number == len(self._nodes):
            self._nodes.append(node)
        return number

    def __len__(self) -> int:
        return len(self._nodes)

    def __repr__(self) -> str:
        return f"<novelo.Graph of {len(self)} nodes and {self._native.edges()} edges>"

    def solve(
        self,
        start: N,
        goal: N,
        algorithm: str = "auto",
        heuristic: Optional[Callable[[N, N], Optional[Number]]] = None,
        *,
        admissible: bool = False,
        consistent: bool = False,
        time_limit: TimeLimit = None,
        memory_limit: MemoryLimit = None,
        node_limit: Optional[int] = None,
        depth_limit: Optional[int] = None,
        threads: Optional[int] = None,
        shuffle: Optional[int] = None,
        progress: Union[bool, Listener] = False,
    ) -> Result[N, N]:
        """A way from one node to another. ``moves`` are the nodes entered, ``states`` those and the start.

        A heuristic is a function of a node and the goal, as for NetworkX. ``"auto"`` is A* with it, and uniform cost search
        without.
        """
        asked: Optional[Callable[[int], Optional[Number]]] = None
        if heuristic is not None:
            function, nodes = heuristic, self._nodes

            def ask(place: int) -> Optional[Number]:
                return function(nodes[place], goal)

            asked = ask

        for which, node in (("start", start), ("goal", goal)):
            if node not in self._numbers:
                raise ValueError(f"the {which} {node!r} is no node of the graph")
        chosen = algorithm
        if algorithm == "auto":
            chosen = "ucs" if heuristic is None else "astar"
        how = options(
            chosen, time_limit=time_limit, memory_limit=memory_limit, node_limit=node_limit, depth_limit=depth_limit,
            threads=threads, shuffle=shuffle,
        )  # fmt: skip
        query = {
            "start": self._numbers[start],
            "goal": self._numbers[goal],
            "heuristic": asked,
            "admissible": admissible,
            "consistent": consistent,
        }
        with listening(progress) as listener:
            told, raised = self._native.solve(query, how, listener)
        told["heuristic"] = _name(heuristic, "none") if told["guided"] else None
        if algorithm == "auto":
            told["algorithm"] = "auto"
        return _result(told, raised, "Graph", lambda places: [self._nodes[place] for place in places])


def _name(function: Any, otherwise: str) -> str:
    return otherwise if function is None else getattr(function, "__name__", repr(function))


def _result(
    told: Dict[str, Any], raised: Optional[BaseException], name: str, named: Callable[[Any], List[Any]]
) -> Result[Any, Any]:
    states = named(told["states"]) if told["outcome"] == "solved" else None
    told["name"] = name
    if states is not None:
        told["moves"], told["final"] = states[1:], states[-1]
    result: Result[Any, Any] = Result(told, states)
    ended(result, raised)
    return result


def _numbers(costs: Any) -> Tuple[int, int, bytes]:
    """Rows, columns, and the costs as bytes of real numbers, walls infinite."""
    if hasattr(costs, "dtype") and hasattr(costs, "shape"):
        if len(costs.shape) != 2:
            raise ValueError(f"a grid has two dimensions, not {len(costs.shape)}")
        numbers = costs.astype("float64", order="C")
        if costs.dtype.kind == "b":
            numbers[~costs] = float("inf")
        return int(costs.shape[0]), int(costs.shape[1]), numbers.tobytes()
    rows = [list(row) for row in costs]
    if any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("the rows of a grid are equally long")

    def number(value: Any) -> float:
        if isinstance(value, bool):
            return 1.0 if value else float("inf")
        return float(value)

    flat = array("d", (number(value) for row in rows for value in row))
    return len(rows), len(rows[0]) if rows else 0, flat.tobytes()


def _edges(graph: Any, weight: Any) -> Iterable[Tuple[Any, Any, Any]]:
    if not hasattr(graph, "edges"):
        for edge in graph:
            yield edge if len(edge) == 3 else (*edge, 1)
        return
    both_ways = not graph.is_directed()
    for source, target, attributes in graph.edges(data=True):
        cost = weight(source, target, attributes) if callable(weight) else attributes.get(weight, 1)
        if cost is None:
            # As NetworkX has it: there is no such edge.
            continue
        yield source, target, cost
        if both_ways and source != target:
            back = weight(target, source, attributes) if callable(weight) else cost
            if back is not None:
                yield target, source, back
