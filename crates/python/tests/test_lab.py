"""Comparisons, experiments and audits."""

import pytest

import novelo

BOARD = "sliding:3x3:1,2,3,0,4,6,7,5,8"
EXPERIMENT = """
title = "Two boards"
repeats = 2
time-limit = "10s"

[[instances]]
generate = "sliding"
size = "3x3"
count = 2

[[methods]]
algorithms = ["bfs", "astar"]
heuristics = ["manhattan"]
"""


def test_a_comparison_is_a_table():
    runs = novelo.compare(BOARD, ["bfs", "astar", "greedy"], ["manhattan", "hamming"])
    assert len(runs) == 5 and {run["outcome"] for run in runs} == {"solved"}
    assert {run["cost"] for run in runs if run["optimal"]} == {3}
    table = runs.table()
    assert len(table.rows) == 5 and "astar manhattan" in table.text and "<table" in runs._repr_html_()
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(runs)
    assert list(frame.algorithm.unique()) == ["bfs", "astar", "greedy"] and frame.expanded.min() >= 3


def test_an_experiment_is_kept_and_goes_on(tmp_path):
    output, told = tmp_path / "two.ndjson", []
    runs = novelo.run_experiment(EXPERIMENT, output=output, progress=lambda done, total: told.append((done, total)))
    assert len(runs) == 8 and told[0] == (0, 8) and told[-1] == (8, 8)
    again = novelo.run_experiment(EXPERIMENT, output=output, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (0, 0) and list(again) == list(runs)
    plots = runs.plots()
    assert plots and all(plot._repr_svg_().startswith("<svg") for plot in plots.values())
    with pytest.raises(ValueError, match="line 3"):
        novelo.run_experiment('title = "x"\n[[methods]]\nalgorithms = ["atsar"]\n[[instances]]\ngenerate = "sliding"\n')


def test_a_puzzles_heuristic_is_audited():
    good = novelo.audit("sliding", "manhattan", size="2x3")
    assert good.admissible and good.consistent and good.exhaustive and "proved for this size" in repr(good)
    assert good.plot._repr_svg_().startswith("<svg")
    bad = novelo.audit("boxes", "corners", size="1x2")
    assert not bad.admissible and bad.found["smallest"]["h"] > bad.found["smallest"]["cost"]
    with pytest.raises(TypeError, match="sliding has"):
        novelo.audit("sliding")
