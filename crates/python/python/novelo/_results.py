"""What came of a run."""

from __future__ import annotations

from html import escape
from typing import Any, Callable, Dict, Generic, List, Optional, Tuple, TypeVar, Union

A = TypeVar("A")
"""What actions are."""
S = TypeVar("S")
"""What states are."""

Number = Union[int, float]

_FIELDS = (
    "puzzle", "instance", "name", "algorithm", "method", "heuristic", "outcome", "stop", "reason", "optimal", "cost",
    "depth", "moves", "expanded", "generated", "stored_peak", "peak_bytes", "seconds", "penetrance",
    "branching_factor", "lower_bound", "workers", "final",
)  # fmt: skip

_ENDED_BY = {
    "time": "stopped by the time limit",
    "memory": "stopped by the memory limit",
    "nodes": "stopped by the node limit",
    "depth": "stopped: no solution within the depth limit",
    "interrupted": "interrupted",
    "overflow": "gave up: a path costs more than can be counted",
    "gave-up": "gave up without a solution or a proof that there is none",
}


class Result(Generic[A, S]):
    """How a run ended, what it found, and its counts (:func:`novelo.counts` defines each).

    The attributes are the fields of ``novelo solve --json``; what is unknown, or does not apply, is ``None``.

    - ``outcome``: ``"solved"``, ``"unsolvable"`` (proved) or ``"stopped"``; then ``stop`` says by what, and ``reason`` why
    - ``moves``: the actions of the solution; ``states``: the states on the way, the first one first
    - ``cost``, ``depth``, ``optimal``: of the solution; it is called optimal only where this run has proved it
    - ``lower_bound``: what no solution costs less than, proved
    - ``algorithm``, ``method``, ``heuristic``: what was asked for, and what ran
    - ``expanded``, ``generated``, ``stored_peak``, ``peak_bytes``, ``seconds``, ``penetrance``, ``branching_factor``
    - ``improvements``: of algorithms that go on after their first solution, ``(seconds, cost, lower_bound)`` of each
    """

    puzzle: Optional[str]
    instance: Optional[str]
    name: Optional[str]
    algorithm: str
    method: str
    heuristic: Optional[str]
    outcome: str
    stop: Optional[str]
    reason: Optional[str]
    optimal: bool
    cost: Optional[Number]
    depth: Optional[int]
    moves: Optional[List[A]]
    expanded: Optional[int]
    generated: Optional[int]
    stored_peak: Optional[int]
    peak_bytes: Optional[int]
    seconds: float
    penetrance: Optional[float]
    branching_factor: Optional[float]
    lower_bound: Optional[Number]
    workers: Optional[Dict[str, Any]]
    final: Any
    improvements: List[Tuple[float, Number, Optional[Number]]]

    def __init__(
        self, fields: Dict[str, Any], states: Union[List[S], Callable[[], Optional[List[S]]], None] = None
    ) -> None:
        for field in _FIELDS:
            setattr(self, field, fields.get(field))
        self.improvements = [tuple(better) for better in fields.get("improvements", ())]
        self._states = states

    @property
    def states(self) -> Optional[List[S]]:
        """The states on the way, the first one first; of a puzzle, instances."""
        if callable(self._states):
            self._states = self._states()
        return self._states

    @property
    def solved(self) -> bool:
        """Whether there is a solution."""
        return self.outcome == "solved"

    def as_dict(self) -> Dict[str, Any]:
        """The fields of ``novelo solve --json``."""
        return {field: getattr(self, field) for field in _FIELDS}

    def headline(self) -> str:
        """How the run ended, in a line."""
        if self.depth is not None:
            moves = "1 move" if self.depth == 1 else f"{self.depth} moves"
            cost = "" if self.cost == self.depth else f" at cost {self.cost:g}"
            if self.optimal:
                proof = "optimal, proved"
            else:
                proof = "not proved optimal" + (f": {_ENDED_BY[self.stop]}" if self.stop else "")
            return f"solved in {moves}{cost} ({proof})"
        if self.outcome == "unsolvable":
            return "unsolvable: there is no solution, proved"
        return _ENDED_BY[self.stop or "gave-up"]

    def _lines(self) -> List[Tuple[str, str]]:
        lines = [("ended", self.headline())]
        if self.instance is not None:
            lines.append(("instance", self.instance))
        if self.reason is not None:
            lines.append(("because", self.reason))
        if self.moves is not None:
            moves = [str(move) for move in self.moves]
            joined = (" " if all(len(move) == 1 for move in moves) else ", ").join(moves)
            lines.append(("moves", joined if len(joined) <= 400 else joined[:400] + " …"))
        method = self.method if self.algorithm == self.method else f"{self.algorithm}: {self.method}"
        lines.append(("method", method + (f" with {self.heuristic}" if self.heuristic else "")))
        if self.expanded is not None:
            counts = f"{self.expanded:,} expanded, {self.generated:,} generated, {self.stored_peak:,} stored"
            lines.append(("nodes", counts))
        memory = "" if self.peak_bytes is None else f", {_bytes(self.peak_bytes)}"
        lines.append(("used", _seconds(self.seconds) + memory))
        if self.lower_bound is not None and not self.optimal:
            lines.append(("bound", f"no solution costs less than {self.lower_bound:g}"))
        return lines

    def __repr__(self) -> str:
        return "\n".join(f"{name:>10}  {text}" for name, text in self._lines())

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{escape(text)}</td></tr>'
            for name, text in self._lines()
        )
        return f"<table>{rows}</table>"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. ``result`` has its statistics so far, and the best solution if it had one."""

    result: Any

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted" if result is None else f"interrupted after {_seconds(result.seconds)}")
        self.result = result


def ended(result: Any, raised: Optional[BaseException]) -> None:
    """Raises what ended a run, with what came of it until then."""
    if isinstance(raised, KeyboardInterrupt):
        raise Interrupted(result) from raised
    if raised is not None:
        raise raised


def _seconds(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _bytes(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"
