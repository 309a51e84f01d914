"""The puzzles."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence, TypedDict, Union, overload

from . import _novelo
from ._options import MemoryLimit, TimeLimit, options, whole
from ._progress import Listener, listening
from ._results import Result, ended
from ._trace import Trace, TraceNode

Moves = Union[str, Sequence[str]]


class Parameter(TypedDict):
    """A parameter of an algorithm, a heuristic or a generator, in words."""

    name: str
    kind: str
    values: str
    default: Optional[str]
    required: bool
    about: str


class AlgorithmInfo(TypedDict):
    """What an algorithm is, in words."""

    name: str
    title: str
    about: str
    complete: str
    optimal: str
    time: str
    space: str
    needs: str
    takes_heuristic: bool
    parameters: List[Parameter]


class HeuristicInfo(TypedDict):
    """What a heuristic of a puzzle is, in words."""

    name: str
    about: str
    admissible: bool
    consistent: bool
    why: str
    parameters: List[Parameter]


class PuzzleInfo(TypedDict):
    """What a puzzle is, in words."""

    name: str
    title: str
    about: str
    formats: str
    moves: str
    example: str
    lesson: str
    sizes: List[str]
    generator: List[Parameter]


class Failure(TypedDict):
    """A move that is not legal: its place from 1, the move, and why."""

    at: int
    move: str
    reason: str


class Check:
    """What a replay of moves has found; true if they are a solution."""

    legal: int
    cost: int
    failure: Optional[Failure]
    solved: bool
    missing: Optional[str]
    end: str

    def __init__(self, fields: Dict[str, Any]) -> None:
        for field in ("legal", "cost", "failure", "solved", "missing", "end"):
            setattr(self, field, fields[field])

    def __bool__(self) -> bool:
        return self.failure is None and self.solved

    def __repr__(self) -> str:
        if self.failure is not None:
            return f"<move {self.failure['at']}, {self.failure['move']}: {self.failure['reason']}>"
        moves = "1 move" if self.legal == 1 else f"{self.legal} moves"
        return f"<solved by {moves} at cost {self.cost}>" if self.solved else f"<not solved: {self.missing}>"


class Solutions:
    """The solutions of an instance: how many there are, at least if not ``exact``, and the first of them."""

    count: int
    exact: bool
    stop: Optional[str]
    solutions: List[List[str]]

    def __init__(self, fields: Dict[str, Any]) -> None:
        for field in ("count", "exact", "stop", "solutions"):
            setattr(self, field, fields[field])

    def __repr__(self) -> str:
        return f"<{'' if self.exact else 'at least '}{self.count} solutions>"


class Instance:
    """One puzzle to solve. :func:`novelo.read` and :func:`novelo.generate` make instances."""

    __slots__ = ("_native",)

    def __init__(self, id: str) -> None:
        """The instance of an id."""
        self._native: _novelo.Instance = read(id)._native

    @property
    def puzzle(self) -> str:
        """The puzzle's name."""
        return self._native.puzzle

    @property
    def size(self) -> str:
        """Rows and columns, such as ``4x4``."""
        return self._native.size

    @property
    def id(self) -> str:
        """The instance on one line; reading it gives the same instance."""
        return self._native.id

    @property
    def name(self) -> Optional[str]:
        """Its name in the file it comes from."""
        return self._native.name

    @property
    def impossible(self) -> Optional[str]:
        """Why there is no solution, where that is seen without a search."""
        return self._native.impossible()

    def solve(
        self,
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
    ) -> Result[str, Instance]:
        """Searches for a solution, which is replayed by code that no solver shares before it is returned.

        Algorithms and heuristics are named as on the command line, with their parameters: ``"wastar:weight=2"``;
        :func:`novelo.algorithms` and :func:`novelo.heuristics` explain them. Limits: seconds or ``"1m30s"``, bytes of the
        search's own structures or ``"2GiB"`` (nine tenths of what is free if absent), expansions, moves. Other threads of
        Python go on meanwhile. Ctrl-C ends it with :class:`novelo.Interrupted`, which has the result so far.
        """
        how = options(
            algorithm, heuristic, order=order, shuffle=shuffle, threads=threads, time_limit=time_limit,
            memory_limit=memory_limit, node_limit=node_limit, depth_limit=depth_limit,
        )  # fmt: skip
        with listening(progress) as listener:
            told, raised = self._native.solve(how, listener)
        return self._result(told, raised)

    def trace(
        self,
        algorithm: str = "astar",
        heuristic: Optional[str] = None,
        *,
        most: int = 100_000,
        time_limit: TimeLimit = None,
        memory_limit: MemoryLimit = None,
        node_limit: Optional[int] = None,
        depth_limit: Optional[int] = None,
        order: Optional[str] = None,
        shuffle: Optional[int] = None,
    ) -> Trace[str, str]:
        """Searches and keeps the search tree, up to ``most`` nodes."""
        how = options(
            algorithm, heuristic, order=order, shuffle=shuffle, time_limit=time_limit, memory_limit=memory_limit,
            node_limit=node_limit, depth_limit=depth_limit,
        )  # fmt: skip
        told, raised = self._native.trace(how, whole("most", most) or 0)
        result: Result[str, Any] = self._result(told, raised)

        def board(node: TraceNode[str, str]) -> Optional[str]:
            return None if node.backward else self.show(trace.moves_to(node.number))

        trace: Trace[str, str] = Trace(told["trace"], result, board)
        return trace

    def _result(self, told: Dict[str, Any], raised: Optional[BaseException]) -> Result[str, Instance]:
        moves = told["moves"]

        def states() -> Optional[List[Instance]]:
            return None if moves is None else [_held(native) for native in self._native.along(moves)]

        result: Result[str, Instance] = Result(told, states)
        ended(result, raised)
        return result

    def count_solutions(
        self,
        most: int = 1_000_000,
        keep: int = 10,
        *,
        time_limit: TimeLimit = None,
        memory_limit: MemoryLimit = None,
        node_limit: Optional[int] = None,
    ) -> Solutions:
        """Counts the solutions up to ``most``, for puzzles whose solutions can be counted, and keeps the first few."""
        how = options("auto", time_limit=time_limit, memory_limit=memory_limit, node_limit=node_limit)
        told, raised = self._native.enumerate(how, whole("most", most) or 0, whole("keep", keep) or 0)
        solutions = Solutions(told)
        ended(solutions, raised)
        return solutions

    def check(self, moves: Moves) -> Check:
        """Replays moves, a list or a text, by code that no solver shares."""
        return Check(self._native.check(self._moves(moves)))

    def after(self, moves: Moves) -> Instance:
        """The instance that moves lead to."""
        return _held(self._native.after(self._moves(moves)))

    def show(self, moves: Moves = ()) -> str:
        """The board as text, after some moves."""
        return self._native.pictures(self._moves(moves))[-1]

    def svg(self, moves: Moves = ()) -> str:
        """The board as SVG, after some moves."""
        return (self.after(moves) if moves else self)._native.svg()

    def png(self, moves: Moves = ()) -> bytes:
        """The board as PNG, after some moves."""
        return (self.after(moves) if moves else self)._native.png()

    def _moves(self, moves: Moves) -> List[str]:
        return self._native.parse_moves(moves) if isinstance(moves, str) else list(moves)

    def _repr_svg_(self) -> str:
        return self._native.svg()

    def __repr__(self) -> str:
        return f"novelo.Instance({self.id!r})"

    def __str__(self) -> str:
        return self.show()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __reduce__(self) -> Any:
        return Instance, (self.id,)


def _held(native: _novelo.Instance) -> Instance:
    instance = Instance.__new__(Instance)
    instance._native = native
    return instance


def read_all(
    source: Union[str, os.PathLike[str]], *, puzzle: Optional[str] = None, goal: Optional[str] = None
) -> List[Instance]:
    """All instances of a file or a text."""
    if isinstance(source, os.PathLike):
        name, is_text = os.fspath(source), False
    else:
        name, is_text = source, "\n" in source
    return [_held(native) for native in _novelo.read(name, text=is_text, puzzle=puzzle, goal=goal)]


def read(
    source: Union[str, os.PathLike[str]], *, puzzle: Optional[str] = None, goal: Optional[str] = None
) -> Instance:
    """Reads an instance: an id (``"sliding:2x2:3,1,2,0"``), a file, one instance of a file (``"set.txt#12"``), or a text of
    several lines in any format of any puzzle. ``puzzle`` says which puzzle it is, where its looks do not."""
    instances = read_all(source, puzzle=puzzle, goal=goal)
    if len(instances) != 1:
        is_text = isinstance(source, str) and "\n" in source
        what = "the text" if is_text else os.fspath(source)
        way = "use read_all" if is_text else f"pick one, such as {what}#1, or use read_all"
        raise ValueError(f"{what} holds {len(instances)} instances; one is needed here: {way}")
    return instances[0]


@overload
def generate(
    puzzle: str,
    *,
    size: Optional[str] = None,
    seed: int = 0,
    difficulty: Optional[str] = None,
    count: None = None,
    **generator: Union[str, int, float, bool],
) -> Instance: ...


@overload
def generate(
    puzzle: str,
    *,
    size: Optional[str] = None,
    seed: int = 0,
    difficulty: Optional[str] = None,
    count: int,
    **generator: Union[str, int, float, bool],
) -> List[Instance]: ...


def generate(
    puzzle: str,
    *,
    size: Optional[str] = None,
    seed: int = 0,
    difficulty: Optional[str] = None,
    count: Optional[int] = None,
    **generator: Union[str, int, float, bool],
) -> Union[Instance, List[Instance]]:
    """Makes an instance that has a solution, or a list of ``count``; the same for the same arguments.

    The options of each puzzle's generator are in ``novelo.puzzles()``, under ``generator``; hyphens are written ``_``.
    """

    def text(value: Union[str, int, float, bool]) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    made = _novelo.generate(
        puzzle,
        size=size,
        seed=whole("seed", seed) or 0,
        difficulty=difficulty,
        count=1 if count is None else whole("count", count) or 0,
        options={name.replace("_", "-"): text(value) for name, value in generator.items()},
    )
    instances = [_held(native) for native in made]
    return instances[0] if count is None else instances


def algorithms(puzzle: Optional[str] = None) -> List[AlgorithmInfo]:
    """The algorithms of the engine, explained; with a puzzle, all that its instances can be solved by."""
    return _novelo.algorithms(puzzle)


def heuristics(puzzle: str) -> List[HeuristicInfo]:
    """The heuristics of a puzzle, explained; the first is the default."""
    return _novelo.heuristics(puzzle)


def puzzles() -> List[PuzzleInfo]:
    """The puzzles, explained."""
    return _novelo.puzzles()


def counts() -> Dict[str, str]:
    """What each count of a result is."""
    return _novelo.counts()
