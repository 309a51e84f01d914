"""Problems that several tests search."""

from __future__ import annotations

from typing import Iterator, Tuple

State = Tuple[int, ...]
GOAL: State = (1, 2, 3, 4, 5, 6, 7, 8, 0)
MOVES = {"U": -3, "D": 3, "L": -1, "R": 1}


def distance(state: State) -> int:
    """The sum of the tiles' distances to their places."""
    total = 0
    for place, tile in enumerate(state):
        if tile:
            total += abs(place // 3 - (tile - 1) // 3) + abs(place % 3 - (tile - 1) % 3)
    return total


def steps(state: State) -> Iterator[Tuple[str, State]]:
    """The moves of the blank, in the order that the puzzle itself has them."""
    blank = state.index(0)
    for move in "ULRD":
        if (
            (move == "U" and blank < 3)
            or (move == "D" and blank > 5)
            or (move == "L" and blank % 3 == 0)
            or (move == "R" and blank % 3 == 2)
        ):
            continue
        other = blank + MOVES[move]
        board = list(state)
        board[blank], board[other] = board[other], board[blank]
        yield move, tuple(board)


class EightPuzzle:
    """The 8-puzzle, with all that a problem can say about itself."""

    unit_cost = True
    consistent = True

    def __init__(self, board: State = (8, 1, 3, 4, 0, 2, 7, 6, 5)) -> None:
        self.board = board

    def start(self) -> State:
        return self.board

    def successors(self, state: State) -> Iterator[Tuple[str, State]]:
        return steps(state)

    def is_goal(self, state: State) -> bool:
        return state == GOAL

    def heuristic(self, state: State) -> int:
        return distance(state)

    def goals(self) -> list[State]:
        return [GOAL]

    def predecessors(self, state: State) -> list[State]:
        return [before for _, before in steps(state)]

    def heuristic_from_start(self, state: State) -> int:
        where = {tile: place for place, tile in enumerate(self.board)}
        total = 0
        for place, tile in enumerate(state):
            if tile:
                total += abs(place // 3 - where[tile] // 3) + abs(place % 3 - where[tile] % 3)
        return total

    def id(self) -> str:
        """The same board as an instance."""
        return "sliding:3x3:" + ",".join(map(str, self.board))


class Line:
    """From 0 to a number by steps whose costs a function says."""

    def __init__(self, cost, end: int = 5) -> None:  # type: ignore[no-untyped-def]
        self.cost = cost
        self.end = end

    def start(self) -> int:
        return 0

    def successors(self, at: int) -> Iterator[Tuple[str, int, object]]:
        yield "on", at + 1, self.cost(at)

    def is_goal(self, at: int) -> bool:
        return at == self.end


class Endless:
    """There is always more, and never a goal."""

    def start(self) -> Tuple[int, int]:
        return (0, 0)

    def successors(self, at: Tuple[int, int]) -> Iterator[Tuple[str, Tuple[int, int]]]:
        yield "x", (at[0] + 1, at[1])
        yield "y", (at[0], at[1] + 1)

    def is_goal(self, at: Tuple[int, int]) -> bool:
        return False


class Naturals:
    """As endless, and no number is reached by two paths."""

    def start(self) -> int:
        return 1

    def successors(self, at: int) -> Iterator[Tuple[str, int]]:
        yield "double", 2 * at
        yield "and one", 2 * at + 1

    def is_goal(self, at: int) -> bool:
        return False
