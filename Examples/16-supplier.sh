#!/bin/sh
# Shows a supplier's price list: what its columns mean is stated once, and the next week's file is read by the recipe.
# Run: HOME=$(mktemp -d) sh Examples/16-supplier.sh
set -eu
market() { "${OPENMARKET:-openmarket}" "$@"; }
lists=$(mktemp -d)

# A title above the headings, ₩ and commas, no product numbers, and a total.
cat > "$lists/week48.csv" <<'END'
서울상사 단가표,,
품명,공급가,수량
먹색 요리책,"₩15,000",31
먹색 요가 볼,"₩16,000",-
합계,,31
END

# Without a recipe nothing is guessed: exit code 4, and the line to type.
market -c 'recipe rm seoul-goods yes' || true
market -c "import $lists/week48.csv yes" || test $? = 4

# The line, with a price computed from the supplier's; it saves the recipe.
market -c "import $lists/week48.csv columns '품명=name,공급가=cost,수량=stock' key name price=cost*1.3 round 100 \
  cells '-=keep' skip '합계' with seoul-goods yes"

# The next week: the recipe is found by the headings.
sed 's/,31$/,28/' "$lists/week48.csv" > "$lists/week49.csv"
market -c "import $lists/week49.csv yes"
market -c "recipe check $lists/week49.csv as csv"
