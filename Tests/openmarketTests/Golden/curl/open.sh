# The life of a product with curl alone on open (from October 2022): description both ways, an address to delete it at.
call() { curl -sS -w '\n%{http_code} %{content_type}\n' "$@"; }

echo "health"
call "$MARKET/healthChecker"

echo "create"
made=$(call -H "identifier: $IDENTIFIER" -F 'params={"name":"맥 미니","description":"curl만으로 만든 상품","price":890000,"currency":"KRW",
"discounted_price":10000,"stock":90,"secret":"'"$SECRET"'"};type=application/json' \
  -F "images=@$PICTURE;type=image/png;filename=image0.png" "$MARKET/api/products")
echo "$made"
id=$(echo "$made" | sed -n 's/^{"id":\([0-9]*\),.*/\1/p')

echo "show"
call "$MARKET/api/products/$id"

echo "it is the first of the list"
curl -sS "$MARKET/api/products?page_no=1&items_per_page=1" | grep -o '"id":[0-9]*' | sed "s/$id/its id/"

echo "edit"
call -X PATCH -H "identifier: $IDENTIFIER" -H 'Content-Type: application/json' \
  -d '{"secret":"'"$SECRET"'","price":900000,"stock":89}' "$MARKET/api/products/$id"

echo "its picture"
picture=$(curl -sS "$MARKET/api/products/$id" | sed -n 's/.*"url":"\([^"]*\)".*/\1/p')
curl -sS "$picture" | cmp - "$PICTURE" && echo "the same bytes"

echo "a wrong secret"
call -X POST -H "identifier: $IDENTIFIER" -H 'Content-Type: application/json' -d '{"secret":"wrong"}' \
  "$MARKET/api/products/$id/archived"

echo "delete in two calls"
ticket=$(curl -sS -H "identifier: $IDENTIFIER" -H 'Content-Type: application/json' -d '{"secret":"'"$SECRET"'"}' \
  "$MARKET/api/products/$id/archived")
call -X DELETE -H "identifier: $IDENTIFIER" "$MARKET$ticket"

echo "gone"
call "$MARKET/api/products/$id"
