"""The notebook runs from its first cell to its last."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

HERE = Path(__file__).parent
PLACES = [HERE / "novelo.ipynb", HERE.parents[2] / "docs" / "novelo.ipynb" if len(HERE.parents) > 2 else HERE]


def test_the_notebook_runs():
    path = next((place for place in PLACES if place.is_file()), None)
    if path is None:
        pytest.skip("the notebook is in docs/ of the source")
    notebook = nbformat.read(path, as_version=4)
    kept = [len(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    made = [len(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"]
    # Its outputs are kept: whoever reads it sees what it does.
    assert kept == made
