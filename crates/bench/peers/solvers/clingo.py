"""clingo, one thread, its usual configuration. Rules are given to it ground, so that no time goes into grounding."""

import time

import clingo


class Solver:
    def __init__(self):
        self.control = clingo.Control(["--models=1"])
        self.backend = self.control.backend()
        self.backend.__enter__()
        self.variables = []
        self.seconds = 0.0

    def variable(self):
        atom = self.backend.add_atom()
        self.backend.add_rule([atom], choice=True)
        self.variables.append(atom)
        return atom

    def clause(self, literals):
        self.backend.add_rule([], [-literal for literal in literals])

    def exactly_one(self, variables):
        self.clause(variables)
        self.backend.add_weight_rule([], 2, [(variable, 1) for variable in variables])

    def path(self, nodes, edges, start, end):
        leaves = {node: [] for node in range(nodes)}
        enters = {node: [] for node in range(nodes)}
        reached = [self.backend.add_atom() for _ in range(nodes)]
        self.backend.add_rule([reached[start]])
        for variable, (a, b) in edges.items():
            both = []
            for source, target in ((a, b), (b, a)):
                if source != end and target != start:
                    go = self.variable()
                    both.append(go)
                    leaves[source].append(go)
                    enters[target].append(go)
                    self.clause([-go, variable])
                    self.backend.add_rule([reached[target]], [reached[source], go])
            self.clause([-variable] + both)
        for node in range(nodes):
            if node != end:
                self.exactly_one(leaves[node])
            if node != start:
                self.exactly_one(enters[node])
            self.clause([reached[node]])

    def solve(self):
        self.backend.__exit__(None, None, None)
        found = []
        before = time.process_time()
        self.control.solve(on_model=lambda model: found.append({v for v in self.variables if model.is_true(v)}))
        self.seconds = time.process_time() - before
        return found[0] if found else None
