#!/bin/sh
# Shows a server for a class: three vendors, of whom one creates a product and another may not change it.
# Run: HOME=$(mktemp -d) sh Examples/09-class-server.sh
set -eu
folder=$(mktemp -d)
: >"$folder/output"
openmarket serve --port 0 --vendors 3 --data "$folder/market" >"$folder/output" &
server=$!
trap 'kill $server; wait $server || true; rm -r "$folder"' EXIT

# The last line that it prints is a curl command.
until grep -q '^curl ' "$folder/output"; do sleep 0.1; done
url=$(sed -n 's/^openmarket serving .* at //p' "$folder/output")

# Runs lines as a vendor of the class: as NAME LINE
as() {
  login=$(grep " name=$1\$" "$folder/output")
  OPENMARKET_URL=$url \
    OPENMARKET_VENDOR_ID=$(echo "$login" | sed 's/.*vendor_id=\([^ ]*\).*/\1/') \
    OPENMARKET_IDENTIFIER=$(echo "$login" | sed 's/.*identifier=\([^ ]*\).*/\1/') \
    OPENMARKET_SECRET=$(echo "$login" | sed 's/.*secret=\([^ ]*\).*/\1/') \
    openmarket --yes -c "$2"
}

as vendor1 'new name="Class mug" description="It was created by vendor1." price=12000 currency=KRW stock=3 images=Examples/cup.png'
as vendor2 'ls size 1 columns name,price,vendor'
if as vendor2 'patch where name="Class mug" stock=0'; then exit 1; else echo "vendor2 may not change it"; fi
