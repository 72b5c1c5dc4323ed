# The life of an item with curl alone on camp2 (May 2021): deleting wants the password alone and answers the item.
call() { curl -sS -w '\n%{http_code} %{content_type}\n' "$@"; }

echo "create"
made=$(call -F title='맥 미니' -F descriptions='curl만으로 만든 상품' -F price=890000 -F currency=KRW -F stock=90 \
  -F discounted_price=880000 -F "images[]=@$PICTURE;type=image/png;filename=image0.png" -F password=1234 "$MARKET/item")
echo "$made"
id=$(echo "$made" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')

echo "show"
call "$MARKET/item/$id"

echo "find it on the last page"
page=1
while curl -sS "$MARKET/items/$((page + 1))" | grep -q '"id"'; do page=$((page + 1)); done
curl -sS "$MARKET/items/$page" | grep -o "\"id\":$id,\"title\":\"[^\"]*\""

echo "is the password right: a change of nothing"
call -X PATCH -F password=1234 "$MARKET/item/$id"
call -X PATCH -F password=4321 "$MARKET/item/$id"

echo "edit"
call -X PATCH -F price=900000 -F stock=89 -F password=1234 "$MARKET/item/$id"

echo "its picture"
picture=$(curl -sS "$MARKET/item/$id" | sed -n 's/.*"images":\["\([^"]*\)".*/\1/p')
curl -sS "$picture" | cmp - "$PICTURE" && echo "the same bytes"

echo "delete"
call -X DELETE -H 'Content-Type: application/json' -d '{"password":"1234"}' "$MARKET/item/$id"

echo "gone"
call "$MARKET/item/$id"
