"""Writes docs/novelo.ipynb, executed: python crates/python/notebook.py docs/novelo.ipynb run"""
import nbformat, sys
from nbformat.v4 import new_notebook, new_markdown_cell as md, new_code_cell as code
cells=[
md("""# novelo in a notebook

From a first board to an experiment: solve a puzzle, write a problem of your own, audit its heuristic, compare algorithms and
plot what they did. `pip install ./crates/python pandas` is all that this needs."""),
code("""import novelo

board = novelo.read("sliding:3x3:8,6,7,2,5,4,3,0,1")
board"""),
md("## Solve it\n\n`auto` takes the best method there is; every solution is replayed by code that no solver shares before you see it."),
code("result = board.solve()\nresult"),
code("result.states[-1]"),
md("Name an algorithm and a heuristic, with limits. `optimal` is true only where this run has proved it."),
code("""for algorithm in ["astar", "idastar", "greedy"]:
    run = board.solve(algorithm, "manhattan", time_limit="10s")
    print(f"{algorithm:8} cost {run.cost}, optimal: {run.optimal}, {run.expanded:,} expanded")"""),
code("print(board.solve('bfs', node_limit=1000).headline())"),
md("## What there is\n\nEverything explains itself: `novelo.puzzles()`, `novelo.algorithms()`, `novelo.heuristics(puzzle)`, `novelo.counts()`."),
code("""import pandas

pandas.DataFrame(novelo.heuristics("sliding"))[["name", "admissible", "consistent", "why"]].head(5)"""),
md("## A search tree"),
code("""small = novelo.read("sliding:3x3:1,2,3,0,4,6,7,5,8")
tree = small.trace("astar", "manhattan")
tree"""),
code("tree.nodes[:6]"),
md("`print(tree.graphviz())` is the tree for Graphviz."),
md("""## A problem of your own

Three methods make a problem. States can be anything that has a hash. Here: get everybody over the river; the boat holds two,
and nowhere may cannibals outnumber missionaries."""),
code('''class River:
    """Missionaries and cannibals: who is on the left bank, and whether the boat is there."""

    unit_cost = True

    def __init__(self, couples=3, seats=2):
        self.couples, self.seats = couples, seats

    def start(self):
        return (self.couples, self.couples, True)

    def successors(self, state):
        missionaries, cannibals, boat = state
        way = -1 if boat else 1
        for m in range(self.seats + 1):
            for c in range(self.seats + 1 - m):
                if m + c == 0 or 0 < m < c:
                    continue
                after = (missionaries + way * m, cannibals + way * c, not boat)
                if self.is_safe(after):
                    yield f"{m}m {c}c", after

    def is_safe(self, state):
        m, c, _ = state
        if not (0 <= m <= self.couples and 0 <= c <= self.couples):
            return False
        return m in (0, self.couples) or m == c

    def is_goal(self, state):
        return state == (0, 0, False)

novelo.solve(River(), "bfs")'''),
code('''print(novelo.solve(River(couples=4), "bfs").headline())
print(novelo.solve(River(couples=4, seats=3), "bfs").headline())'''),
md("""## A heuristic of your own, audited

Each crossing brings at most two people over, so the people left over two is an estimate. Does it ever overestimate? A search
cannot know; `audit` looks for a counterexample."""),
code('''def people(state):
    missionaries, cannibals, boat = state
    return missionaries + cannibals

novelo.audit(River(), people)'''),
code('''def crossings(state):
    missionaries, cannibals, boat = state
    return (missionaries + cannibals) / 2

novelo.audit(River(), crossings)'''),
md("Nothing was found against this one, and there is an argument for it: we may promise it."),
code("novelo.solve(River(), 'astar', crossings, admissible=True)"),
md("""## Three algorithms, compared

Each run is in a process of its own. The result is a table here, and a list of dictionaries for everything else."""),
code('''runs = novelo.compare(
    novelo.generate("sliding", size="3x3", seed=1, count=6), ["bfs", "astar", "idastar"], ["manhattan"]
)
runs.table(["algorithm", "heuristic"])'''),
code('''frame = pandas.DataFrame(runs)
frame.groupby("algorithm")[["expanded", "stored_peak"]].mean().round()'''),
code('''plots = runs.plots()
list(plots)'''),
code('plots["mean-nodes-expanded"]'),
md("""## An experiment

The text of an experiment, or a file of `experiments/`: what to run, and how often. Here A\\* with ever more weight on the
heuristic."""),
code('''experiment = novelo.run_experiment("""
title = "Weighted A*: fewer nodes for a longer solution"

[[instances]]
generate = "sliding"
size = "3x3"
count = 5
seed = 4

[[methods]]
algorithms = ["wastar"]
heuristics = ["manhattan"]
sweep.weight = [1, 1.5, 2, 3, 5]
""")
experiment.table(["weight"])'''),
code('''experiment.plots(["weight"])["weight-nodes-expanded"]'''),
md("""## A puzzle's heuristic against the truth

`audit` of a puzzle's own heuristic looks at every state of a small board, and draws estimates against true distances."""),
code('''audit = novelo.audit("sliding", "manhattan", size="2x3")
print(audit)
audit.plot'''),
md("## Grids and graphs\n\nGiven as a whole, they are searched without a call back into Python."),
code('''grid = novelo.Grid([[1, 1, 1, 1], [1, 9, 9, 1], [1, 1, float("inf"), 1]], neighbours=8)
way = grid.solve((0, 0), (2, 3))
way.states, round(way.cost, 3)'''),
]
nb=new_notebook(cells=cells, metadata={"kernelspec":{"display_name":"Python 3","language":"python","name":"python3"},"language_info":{"name":"python"}})
for i,c in enumerate(nb.cells): c["id"]=f"cell-{i:02}"
if len(sys.argv)>2:
    import nbclient
    nbclient.NotebookClient(nb, timeout=120, kernel_name="python3").execute()
    for c in nb.cells:
        if c.cell_type=="code":
            c.metadata={}
nbformat.write(nb, sys.argv[1])
