"""One run of a general solver on one puzzle, for the benchmark of the exact solvers.

usage: peer.py cp-sat|clingo|cadical < ID
       peer.py list

Reads an instance id and prints a line of JSON: the outcome, the CPU seconds from the id to the solution and those of
them that the solver itself took, and the solution in novelo's own words, so that novelo's verifier can judge it.
"""

import importlib.util
import json
import sys
import time

import mazes
import numbrix

PACKAGES = {"cp-sat": "ortools", "clingo": "clingo", "cadical": "pysat"}
PUZZLES = {"numbrix": numbrix, "mazes": mazes}


def main():
    if sys.argv[1:] == ["list"]:
        print(" ".join(name for name, package in PACKAGES.items() if importlib.util.find_spec(package)))
        return
    name = sys.argv[1]
    puzzle, body = sys.stdin.readline().strip().split(":", 1)
    solver = importlib.import_module(f"solvers.{name.replace('-', '_')}").Solver()
    used = time.process_time()
    moves = PUZZLES[puzzle].solve(body, solver)
    seconds = time.process_time() - used
    print(json.dumps({
        "outcome": "unsolvable" if moves is None else "solved",
        "seconds": seconds,
        "solving": solver.seconds,
        "moves": moves,
    }))


if __name__ == "__main__":
    main()
