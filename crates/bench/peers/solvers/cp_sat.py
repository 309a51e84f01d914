"""CP-SAT of OR-Tools, one worker."""

import time

from ortools.sat.python import cp_model


class Solver:
    def __init__(self):
        self.model = cp_model.CpModel()
        self.variables = [None]
        self.seconds = 0.0

    def variable(self):
        self.variables.append(self.model.NewBoolVar(""))
        return len(self.variables) - 1

    def literal(self, number):
        return self.variables[number] if number > 0 else self.variables[-number].Not()

    def clause(self, literals):
        self.model.AddBoolOr([self.literal(number) for number in literals])

    def exactly_one(self, variables):
        self.model.AddExactlyOne([self.variables[number] for number in variables])

    def path(self, nodes, edges, start, end):
        """The edges that are true make one path from start to end through all nodes; `edges` maps a variable to two
        nodes."""
        arcs = [(end, start, self.model.NewConstant(1))]
        for variable, (a, b) in edges.items():
            there, back = self.model.NewBoolVar(""), self.model.NewBoolVar("")
            arcs += [(a, b, there), (b, a, back)]
            self.model.Add(there + back == self.variables[variable])
        self.model.AddCircuit(arcs)

    def solve(self):
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        before = time.process_time()
        status = solver.Solve(self.model)
        self.seconds = time.process_time() - before
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        return {number for number, v in enumerate(self.variables) if number and solver.BooleanValue(v)}
