"""Runs docs/novelo.ipynb from its first cell to its last, and keeps what comes out: `python crates/python/notebook.py`.

Needs the package with what its tests use: `pip install './crates/python[test]'`.
"""

from pathlib import Path

import nbclient
import nbformat

PLACE = Path(__file__).parents[2] / "docs" / "novelo.ipynb"

notebook = nbformat.read(PLACE, as_version=4)
nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
for cell in notebook.cells:
    # When each cell ran is nobody's business, and would be a change every time.
    cell.metadata.pop("execution", None)
# Nor is with which Python.
notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
nbformat.write(notebook, PLACE)
