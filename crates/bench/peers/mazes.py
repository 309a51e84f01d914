"""Unequal Length Mazes: a variable says that the path steps between two neighbouring cells; clauses say which lengths may
not meet at a turn."""

import re

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def read(body):
    size, rows = body.split(":")[:2]
    rows_count, cols = map(int, size.split("x"))
    free = []
    for row, text in enumerate(rows.split("/")):
        col = 0
        for word in re.findall(r"\d+|x", text):
            if word == "x":
                col += 1
            else:
                free += [(row, col + i) for i in range(int(word))]
                col += int(word)
    return free, (rows_count - 1, 0), (0, cols - 1)


def solve(body, solver):
    free, start, end = read(body)
    number = {cell: i for i, cell in enumerate(free)}
    join = {}
    edges = {}
    for row, col in free:
        for way, back, other in (("R", "L", (row, col + 1)), ("D", "U", (row + 1, col))):
            if other in number:
                variable = solver.variable()
                edges[variable] = (number[row, col], number[other])
                join[row, col, way] = join[(*other, back)] = variable

    def arm(cell, way):
        variables = []
        while (*cell, way) in join:
            variables.append(join[(*cell, way)])
            cell = (cell[0] + STEPS[way][0], cell[1] + STEPS[way][1])
        return variables

    solver.path(len(free), edges, number[start], number[end])
    for cell in free:
        for across in (arm(cell, "L"), arm(cell, "R")):
            for along in (arm(cell, "U"), arm(cell, "D")):
                for length in range(1, min(len(across), len(along)) + 1):
                    ended = across[length:length + 1] + along[length:length + 1]
                    solver.clause([-v for v in across[:length] + along[:length]] + ended)
    true = solver.solve()
    if true is None:
        return None
    moves, cell, facing, before = [], start, None, None
    while cell != end:
        way = next(w for w in STEPS if join.get((*cell, w)) in true and join[(*cell, w)] != before)
        if way != facing:
            moves.append(f"turn {way}")
            facing = way
        moves.append(way)
        before = join[(*cell, way)]
        cell = (cell[0] + STEPS[way][0], cell[1] + STEPS[way][1])
    return " ".join(moves)
