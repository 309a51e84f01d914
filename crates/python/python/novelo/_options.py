"""What a run is told, checked where the native module would not say which option is wrong."""

from __future__ import annotations

import datetime
from typing import Any, Dict, Optional, Union

TimeLimit = Union[float, str, datetime.timedelta, None]
MemoryLimit = Union[int, str, None]


def whole(name: str, value: Any, most: int = 2**64 - 1) -> Optional[int]:
    """The value of an option that is a whole number, or nothing."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    number = value.__index__()
    if not 0 <= number <= most:
        raise ValueError(f"{name} is a whole number from 0 to {most}, not {number}")
    return int(number)


def time(name: str, value: TimeLimit) -> Union[float, str, None]:
    """Seconds, or a text that the native module reads."""
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, bool) or not (value is None or isinstance(value, (int, float, str))):
        raise TypeError(f"{name} is seconds or a text such as '10s', not {value!r}")
    return value


def memory(name: str, value: MemoryLimit) -> Union[int, str, None]:
    """Bytes, or a text that the native module reads."""
    return value if isinstance(value, str) else whole(name, value)


def options(
    algorithm: str,
    heuristic: Optional[str] = None,
    *,
    order: Optional[str] = None,
    shuffle: Optional[int] = None,
    threads: Optional[int] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    node_limit: Optional[int] = None,
    depth_limit: Optional[int] = None,
) -> Dict[str, Any]:
    """The options of a run, as the native module takes them."""
    if not isinstance(algorithm, str):
        raise TypeError(f"algorithm is a name such as 'astar', not {algorithm!r}")
    if not (heuristic is None or isinstance(heuristic, str)):
        raise TypeError(f"the heuristic of a puzzle is a name such as 'manhattan', not {heuristic!r}")
    return {
        "algorithm": algorithm,
        "heuristic": heuristic,
        "order": order,
        "shuffle": whole("shuffle", shuffle),
        "threads": whole("threads", threads, 1024),
        "time_limit": time("time_limit", time_limit),
        "memory_limit": memory("memory_limit", memory_limit),
        "node_limit": whole("node_limit", node_limit),
        "depth_limit": whole("depth_limit", depth_limit, 2**32 - 1),
    }
