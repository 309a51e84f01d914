#!/usr/bin/env bash
# Asks a server for everything its OpenAPI document allows, and much that it does not: no answer may be a fault of the
# server. Needs Python 3; schemathesis comes into a virtual environment under target/.
#   scripts/fuzz-api.sh [examples per operation, 200 if absent]
set -euo pipefail
cd "$(dirname "$0")/.."

venv=target/schemathesis
[ -x "$venv/bin/schemathesis" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet "schemathesis>=4,<5"; }

# NOVELO names a program that is built already.
program=${NOVELO:-target/debug/novelo}
[ -n "${NOVELO:-}" ] || cargo build --quiet --bin novelo
log=$(mktemp)
"$program" serve --port 0 --no-open --job-time 2s --job-memory 64MiB >"$log" 2>"$log.errors" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -f "$log" "$log.errors"' EXIT
until url=$(grep -o 'http://[^/]*' "$log"); do sleep 0.1; done

"$venv/bin/schemathesis" run "$url/api/openapi.json" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --max-examples "${1:-200}" --exclude-path-regex '/events$' --request-timeout 30 --workers 2

kill -0 "$server" || { echo "the server died" >&2; exit 1; }
if grep -i 'panicked' "$log.errors"; then echo "the server panicked" >&2; exit 1; fi
