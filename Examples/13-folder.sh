#!/bin/sh
# Shows a shop as files: pulled, changed with sed, reviewed, pushed, and taken back.
# Run: HOME=$(mktemp -d) sh Examples/13-folder.sh
set -eu
market() { "${OPENMARKET:-openmarket}" "$@"; }
shop=$(mktemp -d)/shop

# One file for each of the vendor's own products, and its images.
market pull "$shop" mine
head -n 6 "$shop"/products/000006-*.toml

# A change to a file, as an editor or a script makes it; `status` says what differs.
cp -R "$shop" "$shop.before"
sed -i 's/^stock = .*/stock = 7/' "$shop"/products/000006-*.toml
market status "$shop"

# In CI: exit code 8 if there is anything to push, and nothing is sent.
market push "$shop" dry fail-on any || test $? = 8

# The batch, then the files of before, and the batch back.
market push "$shop" yes
cp "$shop.before"/products/* "$shop"/products/
market push "$shop" yes
market status "$shop"
