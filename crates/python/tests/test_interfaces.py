"""Classes written for aima-python and simpleai run as they are."""

import pytest
from problems import GOAL, distance, steps

import novelo

BOARD = (8, 1, 3, 4, 0, 2, 7, 6, 5)


class AimaProblem:
    """The base class of aima-python, as its users have it before them."""

    def __init__(self, initial, goal=None):
        self.initial = initial
        self.goal = goal

    def actions(self, state):
        raise NotImplementedError

    def result(self, state, action):
        raise NotImplementedError

    def goal_test(self, state):
        """Return True if the state is a goal."""
        return state == self.goal

    def path_cost(self, c, state1, action, state2):
        """Return the cost of a solution path that arrives at state2 from state1 via action."""
        return c + 1

    def value(self, state):
        raise NotImplementedError


class AimaEight(AimaProblem):
    def actions(self, state):
        return [move for move, _ in steps(state)]

    def result(self, state, action):
        return dict(steps(state))[action]

    def h(self, node):
        return distance(node.state)


class SimpleAiEight:
    """What a subclass of simpleai's SearchProblem has."""

    def __init__(self, initial_state=None):
        self.initial_state = initial_state

    def actions(self, state):
        return [move for move, _ in steps(state)]

    def result(self, state, action):
        return dict(steps(state))[action]

    def cost(self, state, action, state2):
        return 1

    def is_goal(self, state):
        return state == GOAL

    def heuristic(self, state):
        return distance(state)


@pytest.mark.parametrize("problem", [AimaEight(BOARD, GOAL), SimpleAiEight(BOARD)])
@pytest.mark.parametrize("name", ["astar", "bfs", "ucs", "idastar"])
def test_a_class_runs_as_it_is(problem, name):
    truth = novelo.read("sliding:3x3:" + ",".join(map(str, BOARD))).solve()
    result = novelo.solve(problem, name, admissible=True)
    assert result.cost == truth.cost and result.optimal
    assert result.states[0] == BOARD and result.states[-1] == GOAL
    assert all(dict(steps(a))[move] == b for a, move, b in zip(result.states, result.moves, result.states[1:]))


def test_costs_of_their_own_count():
    class Dear(AimaEight):
        def path_cost(self, c, state1, action, state2):
            return c + (5 if action in "UD" else 1)

    class DearToo(SimpleAiEight):
        def cost(self, state, action, state2):
            return 5 if action in "UD" else 1

    class Fourth(AimaEight):
        path_cost = None

        def action_cost(self, state, action, result):
            return 5 if action in "UD" else 1

    problems = [Dear(BOARD, GOAL), DearToo(BOARD), Fourth(BOARD, GOAL)]
    results = [novelo.solve(problem, "ucs") for problem in problems]
    assert len({result.cost for result in results}) == 1
    for result in results:
        assert result.optimal and result.cost == sum(5 if move in "UD" else 1 for move in result.moves)
        assert not novelo.solve(problems[0], "bfs").optimal


def test_the_packages_agree():
    search = pytest.importorskip("simpleai.search")

    class Eight(search.SearchProblem, SimpleAiEight):
        actions, result, is_goal, heuristic = (
            SimpleAiEight.actions, SimpleAiEight.result, SimpleAiEight.is_goal, SimpleAiEight.heuristic,
        )  # fmt: skip

    problem = Eight(BOARD)
    assert novelo.solve(problem, "astar").cost == search.astar(problem, graph_search=True).cost
    assert novelo.solve(problem, "bfs").optimal
