"""Search problems and puzzles, solved by every textbook algorithm, with proofs, limits and statistics, at native speed.

A puzzle::

    import novelo
    result = novelo.read("sliding:3x3:8,6,7,2,5,4,3,0,1").solve("astar", "manhattan")
    result.cost, result.optimal, result.expanded

A problem of one's own, by :class:`novelo.Problem`, or as aima-python or simpleai have it::

    result = novelo.solve(problem, "astar")

:class:`novelo.Grid` and :class:`novelo.Graph` search arrays and graphs; :func:`novelo.compare`,
:func:`novelo.run_experiment` and :func:`novelo.audit` are the lab; :func:`novelo.algorithms` explains what there is.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Union, overload

from . import _novelo
from ._lab import Audit, Plot, Runs, Table, audit, compare, run_experiment
from ._maps import Graph, Grid
from ._options import MemoryLimit, TimeLimit
from ._problems import Problem, solve_problem, trace_problem
from ._progress import Listener, Progress
from ._puzzles import (
    AlgorithmInfo,
    Check,
    HeuristicInfo,
    Instance,
    PuzzleInfo,
    Solutions,
    algorithms,
    counts,
    generate,
    heuristics,
    puzzles,
    read,
    read_all,
)
from ._results import A, Interrupted, Number, Result, S
from ._trace import Trace, TraceNode

__version__ = _novelo.__version__

__all__ = [
    "AlgorithmInfo",
    "Audit",
    "Check",
    "Graph",
    "Grid",
    "HeuristicInfo",
    "Instance",
    "Interrupted",
    "Plot",
    "Problem",
    "Progress",
    "PuzzleInfo",
    "Result",
    "Runs",
    "Solutions",
    "Table",
    "Trace",
    "TraceNode",
    "algorithms",
    "audit",
    "compare",
    "counts",
    "generate",
    "heuristics",
    "puzzles",
    "read",
    "read_all",
    "run_experiment",
    "solve",
    "trace",
]


@overload
def solve(
    problem: Union[str, os.PathLike[str], Instance],
    algorithm: str = "auto",
    heuristic: Optional[str] = None,
    *,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: Optional[int] = None,
    depth_limit: Optional[int] = None,
    threads: Optional[int] = None,
    order: Optional[str] = None,
    shuffle: Optional[int] = None,
    progress: Union[bool, Listener] = False,
) -> Result[str, Instance]: ...


@overload
def solve(
    problem: Problem[S, A],
    algorithm: str = "auto",
    heuristic: Optional[Callable[[S], Optional[Number]]] = None,
    *,
    admissible: Optional[bool] = None,
    consistent: Optional[bool] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: Optional[int] = None,
    depth_limit: Optional[int] = None,
    threads: Optional[int] = None,
    shuffle: Optional[int] = None,
    progress: Union[bool, Listener] = False,
) -> Result[A, S]: ...


@overload
def solve(
    problem: Any,
    algorithm: str = "auto",
    heuristic: Any = None,
    *,
    admissible: Optional[bool] = None,
    consistent: Optional[bool] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: Optional[int] = None,
    depth_limit: Optional[int] = None,
    threads: Optional[int] = None,
    order: Optional[str] = None,
    shuffle: Optional[int] = None,
    progress: Union[bool, Listener] = False,
) -> Result[Any, Any]: ...


def solve(
    problem: Any,
    algorithm: str = "auto",
    heuristic: Any = None,
    *,
    admissible: Optional[bool] = None,
    consistent: Optional[bool] = None,
    order: Optional[str] = None,
    progress: Union[bool, Listener] = False,
    **limits: Any,
) -> Result[Any, Any]:
    """Solves an instance (or whatever :func:`novelo.read` reads), or a problem of one's own.

    A problem is a class with ``start()``, ``successors(state)`` and ``is_goal(state)`` (:class:`novelo.Problem`), or one that
    was written for aima-python (``initial``, ``actions``, ``result``, ``goal_test``, ``path_cost``, ``h``) or simpleai
    (``initial_state``, ``actions``, ``result``, ``is_goal``, ``cost``, ``heuristic``). ``"auto"`` is then A* where there is a
    heuristic, and uniform cost search without.

    Nobody knows of a heuristic of one's own whether it overestimates: say ``admissible=True`` if it never does, or
    ``consistent=True`` if it does not drop by more than an action costs either. Without, no answer that rests on it is
    called optimal. :func:`novelo.audit` looks for a counterexample.

    Limits: ``time_limit`` (seconds or ``"1m30s"``), ``memory_limit`` (bytes or ``"2GiB"``), ``node_limit`` (expansions),
    ``depth_limit`` (actions). ``progress=True`` shows a bar; a function is told several times a second. Ctrl-C raises
    :class:`novelo.Interrupted`, which has the result so far.
    """
    if isinstance(problem, (str, os.PathLike)):
        problem = read(problem)
    if isinstance(problem, Instance):
        _refuse(admissible=admissible, consistent=consistent)
        return problem.solve(algorithm, heuristic, order=order, progress=progress, **limits)
    _refuse(order=order)
    return solve_problem(
        problem, algorithm, heuristic, admissible=admissible, consistent=consistent, progress=progress, **limits
    )


def trace(
    problem: Any,
    algorithm: str = "astar",
    heuristic: Any = None,
    *,
    admissible: Optional[bool] = None,
    consistent: Optional[bool] = None,
    order: Optional[str] = None,
    most: int = 100_000,
    **limits: Any,
) -> Trace[Any, Any]:
    """Searches as :func:`novelo.solve` does, and keeps the search tree, up to ``most`` nodes."""
    if isinstance(problem, (str, os.PathLike)):
        problem = read(problem)
    if isinstance(problem, Instance):
        _refuse(admissible=admissible, consistent=consistent)
        return problem.trace(algorithm, heuristic, order=order, most=most, **limits)
    _refuse(order=order)
    return trace_problem(
        problem, algorithm, heuristic, admissible=admissible, consistent=consistent, most=most, **limits
    )


def _refuse(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise TypeError(f"{name} means nothing here: a puzzle's heuristics know what they promise, and only its rules have orders")
