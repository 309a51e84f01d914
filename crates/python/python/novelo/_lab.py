"""Comparisons, experiments and audits."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _novelo
from ._options import MemoryLimit, TimeLimit, memory, time, whole
from ._problems import rules
from ._progress import counting
from ._puzzles import Instance, read_all
from ._results import Interrupted

Instances = Union[str, "os.PathLike[str]", Instance, Sequence[Union[str, "os.PathLike[str]", Instance]]]
Counting = Union[bool, Callable[[int, int], object]]


class Plot:
    """A drawing, which a notebook shows."""

    __slots__ = ("title", "svg")

    def __init__(self, title: str, svg: str) -> None:
        self.title = title
        self.svg = svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes it into a file, as SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<plot: {self.title}>"


class Runs(List[Dict[str, Any]]):
    """Runs, each a dictionary; ``pandas.DataFrame(runs)`` takes them as they are.

    In a notebook they are shown as a table of means, the best of each column strong: see :meth:`table`.
    """

    def _written(self) -> str:
        return json.dumps(list(self))

    def table(self, by: Sequence[str] = ("method",)) -> Table:
        """The runs put together by what they have in common: ``method``, ``algorithm``, ``heuristic``, ``instance``,
        ``puzzle``, ``size``, or a parameter that an experiment sweeps."""
        return Table(_novelo.summary(self._written(), list(by)))

    def plots(self, by: Sequence[str] = ("method",)) -> Dict[str, Plot]:
        """The plots that there are enough runs for, by name."""
        return {name: Plot(title, svg) for name, title, svg in _novelo.charts(self._written(), list(by))}

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __repr__(self) -> str:
        return self.table().text


class Table:
    """A table of means: ``rows`` as dictionaries, and written as ``text``, ``markdown``, ``html``, ``latex`` and ``csv``."""

    rows: List[Dict[str, Any]]
    text: str
    markdown: str
    html: str
    latex: str
    csv: str

    def __init__(self, forms: Dict[str, Any]) -> None:
        for form in ("rows", "text", "markdown", "html", "latex", "csv"):
            setattr(self, form, forms[form])

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


def compare(
    instances: Instances,
    algorithms: Sequence[str] = (),
    heuristics: Sequence[str] = (),
    *,
    repeats: int = 1,
    time_limit: TimeLimit = "10s",
    memory_limit: MemoryLimit = "1GiB",
    node_limit: Optional[int] = None,
    depth_limit: Optional[int] = None,
    threads: int = 1,
    jobs: int = 1,
    progress: Counting = False,
) -> Runs:
    """Runs every sensible method on every instance, or those that are named, each in a process of its own.

    Algorithms that take a heuristic run with each of ``heuristics``, or with all of the puzzle's that need no parameter.
    """
    given = [instances] if isinstance(instances, (str, os.PathLike, Instance)) else list(instances)
    found: List[Instance] = []
    for one in given:
        found.extend([one] if isinstance(one, Instance) else read_all(one))
    tasks = _novelo.tasks(
        {
            "instances": [(instance.name, instance.id) for instance in found],
            "algorithms": list(algorithms),
            "heuristics": list(heuristics),
            "repeats": whole("repeats", repeats, 2**32 - 1),
            "time_limit": time("time_limit", time_limit),
            "memory_limit": memory("memory_limit", memory_limit),
            "node_limit": whole("node_limit", node_limit),
            "depth_limit": whole("depth_limit", depth_limit, 2**32 - 1),
            "threads": whole("threads", threads, 1024),
        }
    )
    return _run(tasks, jobs, None, progress)


def run_experiment(
    experiment: Union[str, os.PathLike[str]],
    *,
    output: Union[str, os.PathLike[str], None] = None,
    jobs: int = 1,
    progress: Counting = False,
) -> Runs:
    """Does the runs of an experiment, a TOML file or its text, each in a process of its own.

    With ``output``, a results file as ``novelo experiment`` writes it, each run is kept as soon as it ends, and those that
    the file has are not done again.
    """
    if isinstance(experiment, str) and "\n" in experiment:
        title, text, tasks = _novelo.read_experiment("experiment.toml", experiment)
    else:
        title, text, tasks = _novelo.read_experiment(os.fspath(experiment))
    kept = None if output is None else (os.fspath(output), title, text)
    return _run(tasks, jobs, kept, progress)


def _run(tasks: str, jobs: int, kept: Any, progress: Counting) -> Runs:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    worker = "import sys; sys.path.insert(0, sys.argv[1]); import novelo; novelo._novelo.serve_worker(int(sys.argv[2]))"
    command = [sys.executable or "python3", "-c", worker, package]
    with counting(progress) as listener:
        told, raised = _novelo.run_tasks(
            tasks, jobs=whole("jobs", jobs, 1024) or 1, command=command, kept=kept, listener=listener
        )
    runs = Runs(json.loads(told))
    if isinstance(raised, KeyboardInterrupt):
        interrupted = Interrupted(None)
        interrupted.result = runs
        raise interrupted from raised
    if raised is not None:
        raise raised
    return runs


class Audit:
    """What an audit of a heuristic has found.

    ``admissible`` and ``consistent`` say whether anything was found against it; ``exhaustive`` whether all states there are
    were looked at, so that it is a proof. ``found`` has everything, of a puzzle as ``novelo audit --json``; ``plot`` draws
    estimates against true costs, for puzzles.
    """

    admissible: bool
    consistent: bool
    exhaustive: bool
    found: Dict[str, Any]
    plot: Optional[Plot]

    def __init__(
        self, admissible: bool, consistent: bool, exhaustive: bool, found: Dict[str, Any], plot: Optional[Plot], text: str
    ) -> None:
        self.admissible = admissible
        self.consistent = consistent
        self.exhaustive = exhaustive
        self.found = found
        self.plot = plot
        self._text = text

    def __repr__(self) -> str:
        return self._text


def audit(
    subject: Any,
    heuristic: Union[str, Callable[[Any], Any], None] = None,
    *,
    size: Optional[str] = None,
    samples: Optional[int] = None,
    seed: int = 1,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
) -> Audit:
    """Whether a heuristic is admissible and consistent: one of a puzzle's, by its name, or of a problem of one's own.

    Of a puzzle every state is looked at where they are few, and else those of ``samples`` instances. Of a problem ``samples``
    states near the start and on random walks: what is found there is wrong, what is not found is not proved right. Without
    a heuristic of its own, a problem is looked at by itself.
    """
    if isinstance(subject, str):
        return _audit_puzzle(subject, heuristic, size, samples or 100, seed, time_limit, memory_limit)
    if isinstance(heuristic, str):
        raise TypeError(f"the heuristic of a problem of one's own is a function of a state, not {heuristic!r}")
    looked = whole("samples", samples) or 2000
    # The two promises are put to the test one after the other.
    functions = rules(subject, heuristic)
    found = {}
    for promise in ("admissible", "consistent"):
        found = _novelo.check_problem(
            functions, samples=looked, admissible=True, consistent=promise == "consistent"
        )
        if "kind" in found:
            break
    kind = found.get("kind")
    of_heuristic = ("inadmissible", "deadend", "inconsistent")
    if kind is not None and kind not in of_heuristic:
        raise ValueError(f"{_where(found)}{found['detail']}")
    name = getattr(functions["heuristic"], "__name__", "heuristic")
    if kind is None:
        text = f"{name}: admissible and consistent as far as was looked, at {found['states']} states; "
        text += f"from {found['compared']} a goal was reached"
    else:
        verdict = "admissible, not consistent" if kind == "inconsistent" else "not admissible"
        text = f"{name}: {verdict}. {_where(found)}{found['detail']}"
    return Audit(kind in (None, "inconsistent"), kind is None, False, found, None, text)


def _where(found: Dict[str, Any]) -> str:
    action = "" if found["action"] is None else f", action {found['action']!r}"
    return f"In the state {found['state']!r}{action}: "


def _audit_puzzle(
    puzzle: str,
    heuristic: Any,
    size: Optional[str],
    samples: int,
    seed: int,
    time_limit: TimeLimit,
    memory_limit: MemoryLimit,
) -> Audit:
    if not isinstance(heuristic, str):
        names = ", ".join(info["name"] for info in _novelo.heuristics(puzzle))
        raise TypeError(f"the heuristic of a puzzle is a name, not {heuristic!r}; {puzzle} has {names}")
    found = _novelo.audit(
        puzzle,
        heuristic,
        size=size,
        samples=whole("samples", samples) or 0,
        seed=whole("seed", seed) or 0,
        time_limit=time("time_limit", time_limit),
        memory_limit=memory("memory_limit", memory_limit),
    )
    admissible, consistent, exhaustive = (found[it] for it in ("admissible", "consistent", "exhaustive"))
    verdict = "admissible and consistent" if consistent else "admissible, not consistent" if admissible else "not admissible"
    strength = ", proved for this size" if exhaustive else " as far as was looked" if consistent else ", proved by example"
    text = f"{found['heuristic']} of {puzzle}: {verdict}{strength}; looked at {found['scope']}"
    if found["smallest"] is not None:
        smallest = found["smallest"]
        text += f"; the smallest: h = {smallest['h']}, true cost {smallest['cost']}: {smallest['instance']}"
    plot = Plot(f"{found['heuristic']} against the true cost", found.pop("svg"))
    return Audit(admissible, consistent, exhaustive, found, plot, text)
