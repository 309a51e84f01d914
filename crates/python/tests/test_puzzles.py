"""Puzzles: reading, solving, what a notebook shows."""

import copy
import pickle

import pytest

import novelo

HARDEST = "sliding:3x3:8,6,7,2,5,4,3,0,1"
SMALL = "sliding:3x3:1,2,3,0,4,6,7,5,8"


def test_an_instance_tells_what_it_is():
    instance = novelo.read(HARDEST)
    assert (instance.puzzle, instance.size, instance.id) == ("sliding", "3x3", HARDEST)
    assert instance.impossible is None
    assert novelo.read("sliding:3x3:2,1,3,4,5,6,7,8,0").impossible
    assert instance == novelo.Instance(HARDEST) == pickle.loads(pickle.dumps(instance)) == copy.copy(instance)
    assert "8" in instance.show() and instance._repr_svg_().startswith("<svg")
    assert instance.png().startswith(b"\x89PNG")


def test_texts_files_and_ids_are_read(tmp_path):
    text = "3 1\n2 0\n"
    assert novelo.read(text, puzzle="sliding").id == "sliding:2x2:3,1,2,0"
    path = tmp_path / "boards.txt"
    path.write_text(f"{HARDEST}\n{SMALL}\n")
    assert [it.name for it in novelo.read_all(path)] == ["boards#1", "boards#2"]
    assert novelo.read(f"{path}#2").id == SMALL
    with pytest.raises(ValueError, match="holds 2 instances"):
        novelo.read(path)
    with pytest.raises(FileNotFoundError, match="nothing.txt"):
        novelo.read("nothing.txt")
    with pytest.raises(ValueError, match="line 1, column"):
        novelo.read("sliding:3x3:8,6,7,2,5,4,3,0,9")


def test_the_hardest_board_takes_31_moves():
    result = novelo.read(HARDEST).solve()
    assert result.solved and result.optimal and result.cost == result.depth == 31
    assert result.algorithm == "auto" and result.method != "auto"
    assert len(result.states) == 32 and result.states[0].id == HARDEST
    assert result.states[-1].id == result.final == "sliding:3x3:1,2,3,4,5,6,7,8,0"
    assert "solved in 31 moves (optimal, proved)" in repr(result) and "<table>" in result._repr_html_()
    check = novelo.read(HARDEST).check(result.moves)
    assert check and check.cost == 31
    assert not novelo.read(HARDEST).check(result.moves[:-1])
    illegal = novelo.read(HARDEST).check("D R")
    assert not illegal and illegal.failure["at"] == 1


def test_solve_takes_whatever_can_be_read():
    assert novelo.solve(SMALL, "bfs").cost == novelo.solve(novelo.read(SMALL), "astar", "manhattan").cost == 3


def test_every_puzzle_makes_solves_and_draws_its_instances():
    for info in novelo.puzzles():
        lesson = novelo.read(info["lesson"])
        assert lesson.solve(time_limit="20s").solved, info["name"]
        made = novelo.generate(info["name"], seed=3)
        assert made == novelo.generate(info["name"], seed=3, count=1)[0]
        assert made.puzzle == info["name"] and made._repr_svg_().startswith("<svg")
        names = [it["name"] for it in novelo.heuristics(info["name"])]
        assert names and "zero" in names
        possible = [it["name"] for it in novelo.algorithms(info["name"])]
        assert possible[0] == "auto" and "dls" in possible and "astar" in possible


def test_limits_and_mistakes_have_the_sentences_of_the_command_line():
    instance = novelo.read("sliding:4x4:15,13,10,7,2,1,6,3,9,11,0,12,5,4,8,14")
    nodes = instance.solve("astar", "manhattan", node_limit=100)
    assert (nodes.outcome, nodes.stop, nodes.expanded) == ("stopped", "nodes", 100)
    assert instance.solve("ucs", time_limit=0.05).stop == "time"
    assert instance.solve("ucs", memory_limit="4MiB").stop == "memory"
    assert instance.solve("bfs", depth_limit=3).stop == "depth"
    for call, sentence in [
        (lambda: instance.solve("atsar"), "there is no algorithm 'atsar'; did you mean 'astar'?"),
        (lambda: instance.solve("astar", "manhatan"), "did you mean 'manhattan'?"),
        (lambda: instance.solve("dls"), "dls needs a depth limit"),
        (lambda: instance.solve(time_limit="soon"), "'soon' is not a time; write 500ms, 10s or 1m30s"),
        (lambda: novelo.generate("slidng"), "did you mean 'sliding'?"),
        (lambda: novelo.generate("sliding", size="4by4"), "is not a size"),
        (lambda: novelo.generate("sliding", colour="red"), "means nothing to sliding"),
        (lambda: novelo.read("what is this?\n"), "does not look like any puzzle"),
    ]:
        with pytest.raises(ValueError, match=sentence.replace("?", r"\?")):
            call()
    with pytest.raises(TypeError, match="is a name such as 'manhattan'"):
        instance.solve("astar", lambda state: 0)


def test_the_tree_of_a_search():
    trace = novelo.trace(SMALL, "astar", "manhattan")
    assert trace.result.cost == 3 and trace.moves_to(trace.path[-1]) == trace.result.moves
    text = trace.graphviz()
    assert text.startswith("digraph") and text.count("->") == len(trace.nodes) - 1
    with pytest.raises(ValueError, match="has no search tree"):
        novelo.trace(novelo.puzzles()[1]["lesson"], "auto")


def test_solutions_are_counted():
    counted = [info["name"] for info in novelo.puzzles() if info["name"] in ("numbrix", "mazes")]
    for name in counted:
        solutions = novelo.read(next(it for it in novelo.puzzles() if it["name"] == name)["lesson"]).count_solutions(most=5)
        assert solutions.count >= 1
        assert len(solutions.solutions) == min(solutions.count, 10)
    with pytest.raises(ValueError, match="are not counted"):
        novelo.read(SMALL).count_solutions()


def test_progress_is_told():
    told = []
    instance = novelo.read("sliding:4x4:15,13,10,7,2,1,6,3,9,11,0,12,5,4,8,14")
    instance.solve("idastar", "zero", time_limit=0.5, progress=told.append)
    assert told and told[-1]["measure"] == "bound"


def test_every_count_is_explained():
    fields = novelo.read(SMALL).solve("astar").as_dict()
    assert novelo.counts().keys() <= fields.keys()
