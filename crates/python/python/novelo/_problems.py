"""Problems of one's own."""

from __future__ import annotations

from types import CodeType
from typing import Any, Callable, Dict, Iterable, Optional, Protocol, Tuple, TypeVar, Union

from . import _novelo
from ._options import options
from ._progress import Listener, listening
from ._results import Number, Result, S, ended
from ._trace import Trace


A_co = TypeVar("A_co", covariant=True)


class Problem(Protocol[S, A_co]):
    """A problem: where it starts, what can be done, when it is solved. Any class with these methods is one.

    States can be anything that has a hash: tuples, strings, frozensets, frozen dataclasses. Every function is asked once for
    each state, whatever the algorithm. A class may say more:

    - ``heuristic(state)``: an estimate of the cost that is left; ``None`` or infinity where no goal can be reached
    - ``admissible = True``: it never overestimates; ``consistent = True``: nor does it drop by more than an action costs.
      Only then is an answer that rests on it called optimal
    - ``unit_cost = True``: all actions cost the same, and so the shortest solution is the cheapest
    - ``goals()``, all goal states, and ``predecessors(state)``, the states from which one action leads to a state: for
      algorithms that search from both ends; ``heuristic_from_start(state)`` for those of them that need it
    """

    def start(self) -> S:
        """The state that the search starts from."""
        ...

    def successors(self, state: S) -> Iterable[Union[Tuple[A_co, S], Tuple[A_co, S, Number]]]:
        """What can be done in a state: pairs of action and state, or triples with the cost. Without it, each costs 1."""
        ...

    def is_goal(self, state: S) -> bool:
        """Whether a state is a solution."""
        ...


class Node:
    """A state, for heuristics of aima-python, which are given a node."""

    __slots__ = ("state",)

    def __init__(self, state: Any) -> None:
        self.state = state


def _adds_one(self: Any, c: Any, state1: Any, action: Any, state2: Any) -> Any:
    """The usual path_cost of aima-python."""
    return c + 1


def _is_one(self: Any, state: Any, action: Any, state2: Any) -> Any:
    """The usual cost of simpleai."""
    return 1


def _does_the_same(method: Any, reference: Callable[..., Any]) -> bool:
    """Whether a method is, instruction by instruction, a reference: then it need not be called."""
    code: Optional[CodeType] = getattr(getattr(method, "__func__", None), "__code__", None)
    same = reference.__code__
    return (
        code is not None
        and code.co_code == same.co_code
        and code.co_argcount == same.co_argcount
        and code.co_consts[1:] == same.co_consts[1:]
        and code.co_names == same.co_names
    )


def rules(problem: Any, heuristic: Optional[Callable[[Any], Any]]) -> Dict[str, Any]:
    """The functions of a problem, for the native module, whichever of the interfaces it has."""

    def method(*names: str) -> Optional[Any]:
        found = (getattr(problem, name, None) for name in names)
        return next((it for it in found if callable(it)), None)

    if heuristic is not None and not callable(heuristic):
        raise TypeError(f"the heuristic of a problem of one's own is a function of a state, not {heuristic!r}")
    is_goal = method("is_goal", "goal_test")
    estimate, node = heuristic or method("heuristic"), None
    told: Dict[str, Any] = {"successors": None, "actions": None, "result": None, "cost": None, "cost_of_path": False}
    start, successors, actions, result = (method(it) for it in ("start", "successors", "actions", "result"))
    if start is not None and successors is not None and is_goal is not None:
        told["successors"] = successors
        first = start()
    elif actions is not None and result is not None and is_goal is not None and _initial(problem):
        told["actions"], told["result"] = actions, result
        path_cost, cost = method("path_cost"), method("action_cost", "cost")
        if path_cost is not None and not _does_the_same(path_cost, _adds_one):
            told["cost"], told["cost_of_path"] = path_cost, True
        elif path_cost is None and cost is not None and not _does_the_same(cost, _is_one):
            told["cost"] = cost
        if estimate is None:
            estimate = method("h")
            node = Node
        first = getattr(problem, _initial(problem) or "")
    else:
        raise TypeError(
            f"{type(problem).__name__} is no problem: one has the methods start(), successors(state) and is_goal(state), or "
            "what aima-python asks for (initial, actions, result, goal_test), or simpleai (initial_state, actions, result, "
            "is_goal)"
        )
    unit_cost = getattr(problem, "unit_cost", None)
    backwards = {name: method(name) for name in ("goals", "predecessors", "heuristic_from_start")}
    return {
        **told,
        "start": first,
        "is_goal": is_goal,
        "heuristic": estimate,
        "node": node,
        "unit_cost": unit_cost if isinstance(unit_cost, bool) else None,
        **backwards,
    }


def _initial(problem: Any) -> Optional[str]:
    return next((name for name in ("initial", "initial_state") if hasattr(problem, name)), None)


def promised(problem: Any, name: str, given: Optional[bool]) -> bool:
    """Whether a promise of a heuristic is made, by the call or else by the problem."""
    return given if given is not None else getattr(problem, name, False) is True


def run(
    problem: Any,
    algorithm: str,
    heuristic: Optional[Callable[[Any], Any]],
    admissible: Optional[bool],
    consistent: Optional[bool],
    progress: Union[bool, Listener],
    most: Optional[int],
    **limits: Any,
) -> Tuple[Result[Any, Any], Dict[str, Any], Optional[BaseException]]:
    """Runs an algorithm on a problem: the result, all that was told, and what ended it."""
    functions = rules(problem, heuristic)
    estimate = functions["heuristic"]
    chosen = algorithm
    if algorithm == "auto":
        chosen = "ucs" if estimate is None else "astar"
    with listening(progress) as listener:
        told, raised = _novelo.solve_problem(
            functions,
            options(chosen, **limits),
            # A promise of the problem is one of its own heuristic.
            admissible=promised(None if heuristic else problem, "admissible", admissible),
            consistent=promised(None if heuristic else problem, "consistent", consistent),
            listener=listener,
            trace=most,
        )
    told["algorithm"] = "auto" if algorithm == "auto" else told["method"]
    told["heuristic"] = getattr(estimate, "__name__", repr(estimate)) if told["guided"] else None
    told["name"] = type(problem).__name__
    return Result(told, told.get("states")), told, raised


def solve_problem(
    problem: Any,
    algorithm: str,
    heuristic: Optional[Callable[[Any], Any]],
    *,
    admissible: Optional[bool],
    consistent: Optional[bool],
    progress: Union[bool, Listener],
    **limits: Any,
) -> Result[Any, Any]:
    """Solves a problem of one's own."""
    result, _, raised = run(problem, algorithm, heuristic, admissible, consistent, progress, None, **limits)
    ended(result, raised)
    return result


def trace_problem(
    problem: Any,
    algorithm: str,
    heuristic: Optional[Callable[[Any], Any]],
    *,
    admissible: Optional[bool],
    consistent: Optional[bool],
    most: int,
    **limits: Any,
) -> Trace[Any, Any]:
    """Solves a problem of one's own and keeps the search tree."""
    result, told, raised = run(problem, algorithm, heuristic, admissible, consistent, False, most, **limits)
    ended(result, raised)
    return Trace(told["trace"], result, lambda node: str(node.state))
