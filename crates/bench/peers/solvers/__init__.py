"""Three general solvers behind one interface.

A `Solver` has variables (numbers from 1), clauses over them, sets of which exactly one is true, and one path through all
nodes of a graph. `solve` gives the variables that are true, or None; `seconds` is the CPU time of the solver alone.
"""
