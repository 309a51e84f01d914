"""novelo beside what classes install: the same searches by turns, the best of some rounds.

    pip install ./crates/python aima3 simpleai didppy networkx pathfinding numpy
    python crates/python/bench/peers.py [rounds]

aima3 names an old NetworkX that nothing here uses: install it with --no-deps.
"""

from __future__ import annotations

import subprocess
import sys
import time

import novelo

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 3


def distance(state, side):
    """The sum of the tiles' distances to their places, blank last."""
    total = 0
    for place, tile in enumerate(state):
        if tile:
            total += abs(place // side - (tile - 1) // side) + abs(place % side - (tile - 1) % side)
    return total


class Tiles:
    """What the classes of all packages have in common."""

    SIDE = 3
    GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)

    def actions(self, state):
        blank = state.index(0)
        moves = []
        if blank >= 3:
            moves.append("U")
        if blank < 6:
            moves.append("D")
        if blank % 3 > 0:
            moves.append("L")
        if blank % 3 < 2:
            moves.append("R")
        return moves

    def result(self, state, action):
        blank = state.index(0)
        other = blank + {"U": -3, "D": 3, "L": -1, "R": 1}[action]
        board = list(state)
        board[blank], board[other] = board[other], board[blank]
        return tuple(board)


def by_turns(name, sides):
    """Prints the best time of each side, and how many times the first is as fast as each other."""
    best = {}
    for _ in range(ROUNDS):
        for side, work in sides.items():
            started = time.perf_counter()
            answer = work()
            seconds = time.perf_counter() - started
            best[side] = min(best.get(side, (seconds, answer)), (seconds, answer), key=lambda it: it[0])
    answers = {round(answer, 6) for _, answer in best.values()}
    assert len(answers) == 1, f"{name}: the sides disagree: {best}"
    first = next(iter(best.values()))[0]
    for side, (seconds, answer) in best.items():
        ratio = "" if seconds == first else f"{seconds / first:.1f}"
        print(f"| {name} | {side} | {seconds * 1e3:,.1f} | {answer:g} | {ratio} |", flush=True)


def own_classes(board):
    """The same class, unchanged, under the package it was written for and under novelo."""
    from aima3 import search as aima
    from simpleai import search as simpleai

    class AimaEight(Tiles, aima.Problem):
        def h(self, node):
            return distance(node.state, 3)

    class SimpleEight(Tiles, simpleai.SearchProblem):
        def is_goal(self, state):
            return state == self.GOAL

        def cost(self, state, action, state2):
            return 1

        def heuristic(self, state):
            return distance(state, 3)

    problem = AimaEight(board, Tiles.GOAL)
    by_turns(
        "8-puzzle, aima-python's class, A*",
        {
            "novelo": lambda: novelo.solve(problem, "astar", consistent=True).cost,
            "aima-python": lambda: aima.astar_search(problem).path_cost,
        },
    )
    other = SimpleEight(board)
    by_turns(
        "8-puzzle, simpleai's class, A*",
        {
            "novelo": lambda: novelo.solve(other, "astar", consistent=True).cost,
            "simpleai": lambda: simpleai.astar(other, graph_search=True).cost,
        },
    )


def fifteen(board):
    """A built-in puzzle beside a model of didppy's with the same heuristic."""
    import didppy as dp

    def model():
        model = dp.Model()
        place = model.add_object_type(number=16)
        at = [model.add_element_var(object_type=place, target=board[i]) for i in range(16)]
        blank = model.add_element_var(object_type=place, target=board.index(0))
        far = [[abs(i // 4 - (t - 1) // 4) + abs(i % 4 - (t - 1) % 4) if t else 0 for t in range(16)] for i in range(16)]
        table = model.add_int_table(far)
        for i in range(16):
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                row, col = i // 4 + down, i % 4 + right
                if 0 <= row < 4 and 0 <= col < 4:
                    other = 4 * row + col
                    model.add_transition(
                        dp.Transition(
                            name=f"{i} {other}",
                            cost=1 + dp.IntExpr.state_cost(),
                            effects=[(at[i], at[other]), (at[other], 0), (blank, other)],
                            preconditions=[blank == i],
                        )
                    )
        goal = [*range(1, 16), 0]
        model.add_base_case([at[i] == goal[i] for i in range(16)])
        model.add_dual_bound(sum(table[i, at[i]] for i in range(16)))
        return model

    ready = model()
    instance = novelo.read("sliding:4x4:" + ",".join(map(str, board)))
    print("expansions:", instance.solve("astar", "manhattan").expanded, file=sys.stderr)
    by_turns(
        "15-puzzle, A* with Manhattan distance",
        {
            "novelo": lambda: instance.solve("astar", "manhattan").cost,
            "didppy": lambda: dp.CAASDy(ready, quiet=True).search().cost,
        },
    )


def grids():
    """A grid of 512 x 512 cells, a quarter of them walls, and the same with costs."""
    import networkx as nx
    import numpy as np
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid as TheirGrid
    from pathfinding.finder.a_star import AStarFinder

    side = 512
    rng = np.random.default_rng(1)
    free = rng.random((side, side)) >= 0.25
    free[0, 0] = free[-1, -1] = True
    start, goal = (0, 0), (side - 1, side - 1)
    graph = nx.grid_2d_graph(side, side)
    graph.remove_nodes_from([(int(r), int(c)) for r, c in zip(*np.nonzero(~free))])
    # The way must exist.
    assert nx.has_path(graph, start, goal)
    grid, ready = novelo.Grid(free), novelo.Graph(graph)

    def manhattan(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    cells = TheirGrid(matrix=free.astype(int).tolist())

    def theirs():
        cells.cleanup()
        finder = AStarFinder(diagonal_movement=DiagonalMovement.never)
        path, _ = finder.find_path(cells.node(0, 0), cells.node(side - 1, side - 1), cells)
        return len(path) - 1

    by_turns(
        "512x512 array, a quarter walls, A*",
        {
            "novelo, from the array on": lambda: novelo.Grid(free).solve(start, goal).cost,
            "novelo": lambda: grid.solve(start, goal).cost,
            "pathfinding": theirs,
            "networkx": lambda: nx.astar_path_length(graph, start, goal, manhattan),
        },
    )
    by_turns(
        "the same as a graph of NetworkX, A* with a heuristic in Python",
        {
            "novelo": lambda: ready.solve(start, goal, "astar", manhattan, consistent=True).cost,
            "networkx": lambda: nx.astar_path_length(graph, start, goal, manhattan),
        },
    )
    by_turns(
        "the same, Dijkstra",
        {
            "novelo": lambda: ready.solve(start, goal, "ucs").cost,
            "networkx": lambda: nx.dijkstra_path_length(graph, start, goal),
        },
    )


def importing():
    """Milliseconds that `import novelo` adds to a process of Python."""

    def seconds(code):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - started

    pairs = [(seconds("import novelo"), seconds("pass")) for _ in range(15)]
    added = min(whole for whole, _ in pairs) - min(bare for _, bare in pairs)
    print(f"\nimport novelo: {added * 1e3:.0f} ms")


if __name__ == "__main__":
    print("| search | package | ms | cost | novelo is faster |")
    print("|---|---|---|---|---|")
    own_classes((5, 6, 8, 7, 2, 4, 0, 1, 3))
    fifteen([5, 1, 7, 10, 11, 3, 6, 14, 0, 2, 4, 13, 12, 8, 15, 9])
    grids()
    importing()
