"""Grids and graphs, beside searches written out here."""

import heapq
import math
import random

import pytest

import novelo

NAMES = [info["name"] for info in novelo.algorithms()]
WALL = float("inf")


def cheapest(edges, start, goal):
    """The cost of a cheapest path, by Dijkstra's algorithm."""
    costs, queue = {start: 0}, [(0, start)]
    while queue:
        cost, node = heapq.heappop(queue)
        if node == goal:
            return cost
        if cost > costs[node]:
            continue
        for other, step in edges(node):
            if cost + step < costs.get(other, math.inf):
                costs[other] = cost + step
                heapq.heappush(queue, (cost + step, other))
    return None


def neighbours(grid, eight, diagonal, corners):
    rows, cols = len(grid), len(grid[0])

    def free(row, col):
        return 0 <= row < rows and 0 <= col < cols and grid[row][col] != WALL

    def edges(cell):
        row, col = cell
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                across = abs(down) + abs(right) == 2
                if (down, right) == (0, 0) or across and not eight or not free(row + down, col + right):
                    continue
                if across and not corners and not (free(row + down, col) and free(row, col + right)):
                    continue
                yield (row + down, col + right), grid[row + down][col + right] * (diagonal if across else 1)

    return edges


@pytest.mark.parametrize("eight", [False, True])
@pytest.mark.parametrize("diagonal", [2**0.5, 1, 3, 0.5])
@pytest.mark.parametrize("corners", [True, False])
def test_ways_on_grids_are_the_cheapest(eight, diagonal, corners):
    rng = random.Random(7)
    for trial in range(12):
        costs = [1, 2, 5] if trial % 2 else [0.5, 1.25, 3.0]
        grid = [[WALL if rng.random() < 0.25 else rng.choice(costs) for _ in range(9)] for _ in range(7)]
        cells = [(row, col) for row in range(7) for col in range(9) if grid[row][col] != WALL]
        start, goal = rng.sample(cells, 2)
        edges = neighbours(grid, eight, diagonal, corners)
        truth = cheapest(edges, start, goal)
        ready = novelo.Grid(grid, neighbours=8 if eight else 4, diagonal=diagonal, corners=corners)
        for name in ("astar", "ucs", "nbs", "mm", "baestar"):
            result = ready.solve(start, goal, name)
            if truth is None:
                assert result.outcome == "unsolvable"
                continue
            assert result.optimal and result.cost == pytest.approx(truth), name
            assert result.states[0] == start and result.states[-1] == goal == result.final
            walked = sum(dict(edges(a))[b] for a, b in zip(result.states, result.states[1:]))
            assert walked == pytest.approx(truth)


@pytest.mark.parametrize("name", NAMES)
def test_every_algorithm_walks_a_grid(name):
    grid = novelo.Grid([[1, 1, 9, 1], [1, WALL, 1, 1], [1, 1, 1, 1]])
    result = grid.solve((0, 0), (1, 3), {"dls": "dls:limit=12"}.get(name, name), node_limit=100_000)
    assert result.solved and result.cost >= 6
    if result.optimal:
        assert result.cost == 6


def test_arrays_are_grids():
    numpy = pytest.importorskip("numpy")
    free = numpy.ones((20, 30), dtype=bool)
    free[5, :29] = False
    result = novelo.Grid(free).solve((0, 0), (19, 0))
    assert result.cost == 19 + 2 * 29 and isinstance(result.cost, int)
    assert novelo.Grid(free.T).shape == (30, 20)
    assert novelo.Grid(numpy.full((4, 4), 3, dtype="int8")).solve((0, 0), (3, 3)).cost == 18
    with pytest.raises(ValueError, match="two dimensions"):
        novelo.Grid(numpy.ones(4))


def test_bad_grids_are_refused():
    for costs, sentence in [
        ([[1, -2]], r"the cell \(0, 1\) is -2: it must not be below 0"),
        ([[1, math.nan]], r"the cell \(0, 1\) is NaN"),
        ([[1], [1, 2]], "equally long"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            novelo.Grid(costs)
    grid = novelo.Grid([[1, WALL], [1, 1]])
    for cell, sentence in [((0, 1), "is a wall"), ((2, 0), "outside of the 2 x 2 cells"), ((-1, 0), "outside")]:
        with pytest.raises(ValueError, match=sentence):
            grid.solve((0, 0), cell)
    with pytest.raises(ValueError, match="4 or 8 neighbours"):
        novelo.Grid([[1]], neighbours=6)


def test_a_heuristic_of_ones_own_guides():
    grid = novelo.Grid([[1] * 12 for _ in range(12)])
    goal = (11, 11)
    result = grid.solve((0, 0), goal, "astar", lambda cell: abs(cell[0] - 11) + abs(cell[1] - 11), consistent=True)
    assert result.optimal and result.cost == 22
    silent = grid.solve((0, 0), goal, "astar", lambda cell: 0)
    assert silent.cost == 22 and not silent.optimal and "admissible=True" in silent.reason
    with pytest.raises(ZeroDivisionError):
        grid.solve((0, 0), goal, "astar", lambda cell: 1 / 0)
    with pytest.raises(ValueError, match="the estimate of a place is -1"):
        grid.solve((0, 0), goal, "astar", lambda cell: -1)


def test_graphs_of_networkx():
    networkx = pytest.importorskip("networkx")
    rng = random.Random(3)
    for directed in (False, True):
        graph = networkx.gnp_random_graph(60, 0.08, seed=5, directed=directed)
        for _, _, attributes in graph.edges(data=True):
            attributes["weight"] = rng.randrange(10)
        ready = novelo.Graph(graph)
        for goal in range(1, 60, 7):
            try:
                truth = networkx.dijkstra_path_length(graph, 0, goal)
            except networkx.NetworkXNoPath:
                truth = None
            for name in ("auto", "bidirectional"):
                result = ready.solve(0, goal, name)
                assert result.solved == (truth is not None)
                if name == "auto" and truth is not None:
                    assert result.cost == truth and result.optimal
                    assert networkx.path_weight(graph, result.states, "weight") == truth
    places = {node: (rng.random(), rng.random()) for node in graph}
    for source, target, attributes in graph.edges(data=True):
        attributes["weight"] = math.dist(places[source], places[target])

    def straight(node, goal):
        return math.dist(places[node], places[goal])

    ready = novelo.Graph(graph)
    result = ready.solve(0, 40, "astar", straight, admissible=True)
    assert result.optimal and result.cost == pytest.approx(networkx.astar_path_length(graph, 0, 40, straight))
    assert ready.solve(0, 40, "auto", straight).method == "astar"


def test_graphs_of_edges():
    graph = novelo.Graph([("a", "b", 2), ("b", "c", 2.5), ("a", "c", 5)])
    result = graph.solve("a", "c")
    assert result.moves == ["b", "c"] and result.cost == 4.5
    assert graph.solve("c", "a").outcome == "unsolvable"
    assert novelo.Graph([("a", "b"), ("b", "c")]).solve("a", "c", "bfs").optimal
    for edges, sentence in [
        ([("a", "b", -1)], "the edge 'a' to 'b' is -1"),
        ([("a", "b", math.nan)], "the edge 'a' to 'b' is nan"),
        ([("a", "b", "dear")], "it must be a number"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            novelo.Graph(edges)
    with pytest.raises(ValueError, match="'z' is no node"):
        graph.solve("a", "z")
    with pytest.raises(ValueError, match="astar needs a heuristic"):
        graph.solve("a", "c", "astar")
