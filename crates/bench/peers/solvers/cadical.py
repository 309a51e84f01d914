"""CaDiCaL through PySAT. Paths are made by adding a clause for every cycle that turns up."""

import time
from itertools import combinations

from pysat.solvers import Solver as Sat


class Solver:
    def __init__(self):
        self.sat = Sat(name="cadical195")
        self.count = 0
        self.seconds = 0.0
        self.edges = {}

    def variable(self):
        self.count += 1
        return self.count

    def clause(self, literals):
        self.sat.add_clause(list(literals))

    def exactly_one(self, variables):
        self.clause(variables)
        rest = list(variables)
        # Long sets are split by a new variable: pairs alone would be too many.
        while len(rest) > 5:
            group, rest = rest[:4], rest[4:]
            link = self.variable()
            self.at_most_one(group)
            for variable in group:
                self.clause([-variable, link])
            rest.insert(0, link)
        self.at_most_one(rest)

    def at_most_one(self, variables):
        for a, b in combinations(variables, 2):
            self.clause([-a, -b])

    def path(self, nodes, edges, start, end):
        self.edges = edges
        self.around = {node: [] for node in range(nodes)}
        for variable, (a, b) in edges.items():
            self.around[a].append((variable, b))
            self.around[b].append((variable, a))
        for node, around in self.around.items():
            variables = [variable for variable, _ in around]
            wanted = 1 if node in (start, end) else 2
            for some in combinations(variables, len(variables) - wanted + 1):
                self.clause(some)
            for some in combinations(variables, wanted + 1):
                self.clause([-variable for variable in some])

    def parts(self, true):
        """The connected parts that the true edges make."""
        seen, parts = set(), []
        for node in self.around:
            if node in seen:
                continue
            part, stack = {node}, [node]
            while stack:
                for variable, other in self.around[stack.pop()]:
                    if variable in true and other not in part:
                        part.add(other)
                        stack.append(other)
            seen |= part
            parts.append(part)
        return parts

    def solve(self):
        while True:
            before = time.process_time()
            solved = self.sat.solve()
            self.seconds += time.process_time() - before
            if not solved:
                return None
            true = {number for number in self.sat.get_model() if number > 0}
            parts = self.parts(true) if self.edges else [()]
            if len(parts) == 1:
                return true
            for part in parts:
                self.clause([v for v, (a, b) in self.edges.items() if (a in part) != (b in part)])
