"""Numbrix: a variable says that a number is in a cell, for every pair that layered reachability between the clues
leaves."""

import re


def read(body):
    size, cells = body.split(":")
    rows, cols = map(int, size.split("x"))
    board = []
    for word in re.findall(r"\d+|[a-z]", cells):
        board += [int(word)] if word.isdigit() else [0] * (ord(word) - ord("a") + 1)
    return rows, cols, board


def neighbours(rows, cols):
    near = []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        near.append([
            r * cols + c
            for r, c in ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
            if 0 <= r < rows and 0 <= c < cols
        ])
    return near


def domains(board, near):
    """The cells that each number can be in: reached in as many steps from the clue before and to the clue after."""
    last = len(board)
    clue = {value: cell for cell, value in enumerate(board) if value}
    empty = {cell for cell, value in enumerate(board) if not value}

    def sweep(values):
        reached, before = {}, None
        for value in values:
            if value in clue:
                reached[value] = {clue[value]}
            elif before is None:
                reached[value] = empty
            else:
                reached[value] = {cell for other in reached[before] for cell in near[other]} & empty
            before = value
        return reached

    up, down = sweep(range(1, last + 1)), sweep(range(last, 0, -1))
    return {value: up[value] & down[value] for value in range(1, last + 1)}


def solve(body, solver):
    rows, cols, board = read(body)
    near = neighbours(rows, cols)
    domain = domains(board, near)
    x = {(value, cell): solver.variable() for value in domain for cell in sorted(domain[value])}
    by_cell = {cell: [] for cell in range(rows * cols)}
    for (value, cell), variable in x.items():
        by_cell[cell].append(variable)
    for value in domain:
        solver.exactly_one([x[value, cell] for cell in sorted(domain[value])])
    for variables in by_cell.values():
        solver.exactly_one(variables)
    for (value, cell), variable in x.items():
        for other in (value - 1, value + 1):
            if other in domain:
                solver.clause([-variable] + [x[other, c] for c in near[cell] if (other, c) in x])
    true = solver.solve()
    if true is None:
        return None
    written = [(value, cell) for (value, cell), variable in x.items() if variable in true and not board[cell]]
    return " ".join(f"{cell // cols + 1},{cell % cols + 1}={value}" for value, cell in written)
