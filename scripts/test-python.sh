#!/usr/bin/env bash
# Builds the Python package, installs its wheel into an environment of its own, and tests it there: pytest, the types, the
# stubs, the notebook. Needs Rust, a C++ compiler and Python 3.9 or newer with pip and venv; what the tests use comes from the
# Python registry, and is kept beside what Rust has built.
#   NOVELO_PYTHON=python3.12 bash scripts/test-python.sh      with this Python
set -euo pipefail
cd "$(dirname "$0")/../crates/python"

python=${NOVELO_PYTHON:-python3}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../../target}
tools=$CARGO_TARGET_DIR/python-tools
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if cargo fmt --version >/dev/null 2>&1; then cargo fmt --check; fi

# The packages that the tests use do not change with the source.
wanted="$("$python" --version) $(sed -n '/^test = /p' pyproject.toml) maturin"
if [ "$(cat "$tools/wanted" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$tools"
    "$python" -m venv "$tools"
    "$tools/bin/python" -c "
import re, subprocess, sys
extras = re.search(r'^test = \[(.*)\]', open('pyproject.toml').read(), re.M).group(1)
names = re.findall(r'\"(.*?)\"', extras)
subprocess.check_call([sys.executable, '-m', 'pip', 'install', '--quiet', 'maturin', *names])"
    echo "$wanted" >"$tools/wanted"
fi

# Built for the tests: the user's functions take most of the time, the compiler should not.
"$tools/bin/maturin" build --quiet --locked --profile dev --out "$work/wheels" --interpreter "$tools/bin/python"

# A fresh environment with nothing but the package, and the tools of the tests behind it.
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$work"/wheels/novelo-*.whl
"$work/venv/bin/python" -c 'import novelo; assert novelo.solve("sliding:2x2:3,1,2,0").optimal'
"$tools/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
    >"$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tools.pth"

cp -r tests "$work/tests"
cp ../../docs/novelo.ipynb "$work/tests/"
cd "$work/tests"
export NOVELO_CACHE=$work/cache PYTHONDONTWRITEBYTECODE=1
py=$work/venv/bin/python
"$py" -m pytest --quiet -p no:cacheprovider .
"$py" -m mypy --strict --cache-dir "$tools/mypy" --package novelo
"$py" -m mypy --strict --cache-dir "$tools/mypy" typed.py
"$py" typed.py
"$py" -m mypy.stubtest novelo
