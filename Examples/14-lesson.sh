#!/bin/sh
# Shows a lesson: its products, a creation that is refused, then answered with nothing, and the report of the class.
# Run: HOME=$(mktemp -d) sh Examples/14-lesson.sh
set -eu
folder=$(mktemp -d)
: >"$folder/output"
openmarket serve --port 0 --lesson Examples/parts/lesson.toml --data "$folder/market" >"$folder/output" &
server=$!
trap 'kill $server; wait $server || true; rm -r "$folder"' EXIT

# The last line that it prints is a curl command.
until grep -q '^curl ' "$folder/output"; do sleep 0.1; done
url=$(sed -n 's/^openmarket serving .* at //p' "$folder/output")
report=$(sed -n 's/^teacher //p' "$folder/output")
login=$(grep ' name=vendor1$' "$folder/output")

openmarket --url "$url" -c 'ls columns id,name,price'

# The request is refused with a Retry-After and sent again. The second response is lost, and openmarket finds the product
# instead of sending it once more.
OPENMARKET_URL=$url \
  OPENMARKET_VENDOR_ID=$(echo "$login" | sed 's/.*vendor_id=\([^ ]*\).*/\1/') \
  OPENMARKET_IDENTIFIER=$(echo "$login" | sed 's/.*identifier=\([^ ]*\).*/\1/') \
  OPENMARKET_SECRET=$(echo "$login" | sed 's/.*secret=\([^ ]*\).*/\1/') \
  openmarket --yes -c 'new name="Class mug" description="It was created once." price=12000 currency=KRW stock=3 images=Examples/cup.png'
openmarket --url "$url" -c 'ls where name="Class mug" columns name,price'
openmarket class "$report"
