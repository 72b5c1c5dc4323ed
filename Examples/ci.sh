#!/bin/sh
# A CI job against a server that may be unwell: Examples/ci.sh ADDRESS FOLDER
#
# The exit status is that of the tests; FOLDER holds junit.xml, and attempts.txt with every read that was sent more than
# once.
set -eu
address=$1
folder=$2
examples=$(dirname "$0")

market() {
  "${OPENMARKET:-openmarket}" --url "$address" --api open --keep-going "$@"
}

mkdir -p "$folder"

# A look at the server, as a user meets it: a read that is answered 503 is sent again, and that is told.
market -f "$examples/ci.market" >/dev/null 2>"$folder/look.txt" || true
grep ' attempts: ' "$folder/look.txt" >"$folder/attempts.txt" || true

# The tests send every read once: a 503 is a failure, in the report with its request and its response.
market --junit "$folder/junit.xml" -f "$examples/ci.market" >/dev/null
