#!/bin/sh
# Shows a nightly job that fails and is tried again: nothing is done twice, and what was left is finished first.
# Run: HOME=$(mktemp -d) sh Examples/15-nightly.sh
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp Examples/parts/nightly.market "$folder"
cd "$folder"

# The same key is the same night. `resume` finishes what an earlier attempt, or an earlier night, has left.
# In crontab: 0 3 * * * openmarket --once $(date +\%F) -c 'resume yes' -f nightly.market
night() { "${OPENMARKET:-openmarket}" --once "$(date +%F)" -c 'resume yes' -f nightly.market; }

# The first attempt adds to the stock and finds no prices.csv. The second one has the file, and adds nothing.
for attempt in 1 2 3; do
  if night; then break; fi
  printf 'id,price\n138,19500\n' >prices.csv
  sleep 1
done

# Started again on that day, the job says that it has ended.
night
