#!/bin/sh
# Shows a CI job against a server that may be unwell, with ADDRESS and FOLDER as arguments; without them, a server of its own.
# Run: HOME=$(mktemp -d) sh Examples/12-ci.sh
#
# The exit status is that of the tests. FOLDER gets junit.xml, and attempts.txt with every read that was sent more than
# once.
set -eu
address=${1:-}
folder=${2:-$(mktemp -d)}
examples=$(dirname "$0")

if [ -z "$address" ]; then
  : >"$folder/server.txt"
  "${OPENMARKET:-openmarket}" serve --port 0 --data "$folder/market" >"$folder/server.txt" &
  server=$!
  trap 'kill $server; wait $server || true' EXIT
  until grep -q '^curl ' "$folder/server.txt"; do sleep 0.1; done
  address=$(sed -n 's/^openmarket serving .* at //p' "$folder/server.txt")
fi

market() {
  "${OPENMARKET:-openmarket}" --url "$address" --api open --keep-going "$@"
}

mkdir -p "$folder"

# A look at the server as a user meets it: a read that is answered with 503 is sent again, and this is reported.
market -f "$examples/parts/ci.market" >/dev/null 2>"$folder/look.txt" || true
grep ' attempts: ' "$folder/look.txt" >"$folder/attempts.txt" || true

# The tests send every read once: a 503 is a failure, in the report with its request and its response.
market --junit "$folder/junit.xml" -f "$examples/parts/ci.market" >/dev/null
