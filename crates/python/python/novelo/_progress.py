"""How a long run shows where it is."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, TypedDict, Union


class Progress(TypedDict):
    """What a run looks like while it goes on; `reached` is in the `measure` that the algorithm goes by."""

    seconds: float
    expanded: int
    generated: int
    stored: int
    bytes: int
    measure: str
    reached: float


Listener = Callable[[Progress], object]


@contextmanager
def listening(progress: Union[bool, Listener]) -> Iterator[Optional[Listener]]:
    """The function that is told: the caller's, or one that shows a bar (of tqdm, where it is installed)."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        with _line() as write:
            yield lambda told: write(
                f"{told['expanded']:,} expanded, {told['measure']} {told['reached']:g}, {told['seconds']:.1f} s"
            )
        return
    with tqdm(unit=" expanded", unit_scale=True) as bar:

        def show(told: Progress) -> None:
            bar.set_postfix_str(f"{told['measure']} {told['reached']:g}", refresh=False)
            bar.update(told["expanded"] - bar.n)

        yield show


@contextmanager
def counting(progress: Union[bool, Callable[[int, int], object]]) -> Iterator[Optional[Callable[[int, int], Any]]]:
    """The same for runs of which so many of so many are done."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        with _line() as write:
            yield lambda done, total: write(f"{done} of {total} runs")
        return
    with tqdm(unit=" runs") as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


@contextmanager
def _line() -> Iterator[Callable[[str], object]]:
    longest = 0

    def write(text: str) -> None:
        nonlocal longest
        longest = max(longest, len(text))
        print(f"\r{text:<{longest}}", end="", file=sys.stderr, flush=True)

    try:
        yield write
    finally:
        if longest:
            print(f"\r{'':<{longest}}\r", end="", file=sys.stderr, flush=True)
