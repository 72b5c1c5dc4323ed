/// The document of the editions with vendors.
extension OpenAPIDocument {
  static func open(base: String) -> WireJSON {
    let archived = operation(
      "The path to delete", identified, body: json(reference("SecretParams")),
      answer("A path such as /api/products/{token}", "text/plain", ["type": "string"]))
    let delete = operation("Delete by the path from archived", withID, product("The deleted product"))
    let paging: WireJSON = shape(
      [
        ("pageNo", "integer"), ("itemsPerPage", "integer"), ("totalCount", "integer"), ("offset", "integer"),
        ("limit", "integer"), ("lastPage", "integer"), ("hasNext", "boolean"), ("hasPrev", "boolean"),
      ], more: [.init("pages", array(of: reference("Row")))])
    let search = parameter("search_value", in: "query", "string", required: false)
    return make(
      "Open Market, edition open", base: base,
      paths: common(listing: [search]) + [
        .init(
          "/api/products/{id}",
          [
            "get": operation("One product", [id], product("The product")),
            "patch": operation(
              "Change some fields", withID, body: json(reference("EditParams")), product("The product")),
            "delete": delete,
          ]),
        .init("/api/products/{id}/archived", ["post": archived]),
      ],
      schemas: schemas(description: "description") + [
        .init("Page", paging),
        .init("Row", shape(rowMembers([("vendorName", "string"), ("description", "string")]))),
        .init("Product", productSchema),
        .init("Image", shape([("id", "integer"), ("url", "url"), ("thumbnail_url", "url"), ("issued_at", "string")])),
        .init("Vendor", shape([("id", "integer"), ("name", "string")])),
      ])
  }

  static func training(base: String) -> WireJSON {
    let secret = operation(
      "The secret of a product", identified, body: json(reference("SecretParams")),
      answer("A UUID", "text/plain", ["type": "string"]))
    let delete = operation(
      "Delete with the product's secret", withID + [parameter("product_secret", in: "path", "string")],
      product("The deleted product"))
    let paging: WireJSON = shape(
      [
        ("page_no", "integer"), ("items_per_page", "integer"), ("total_count", "integer"), ("offset", "integer"),
        ("limit", "integer"), ("last_page", "integer"), ("has_next", "boolean"), ("has_prev", "boolean"),
      ], more: [.init("pages", array(of: reference("Row")))])
    return make(
      "Open Market, edition training", base: base,
      paths: common(listing: []) + [
        .init(
          "/api/products/{id}",
          [
            "get": operation("One product", [id], product("The product")),
            "patch": operation(
              "Change some fields", withID, body: json(reference("EditParams")), product("The product")),
          ]),
        .init("/api/products/{id}/secret", ["post": secret]),
        .init("/api/products/{id}/{product_secret}", ["delete": delete]),
      ],
      schemas: schemas(description: "descriptions") + [
        .init("Page", paging), .init("Row", shape(rowMembers([]))), .init("Product", productSchema),
        .init(
          "Image",
          shape([
            ("id", "integer"), ("url", "url"), ("thumbnail_url", "url"), ("succeed", "boolean"),
            ("issued_at", "string"),
          ])),
        .init(
          "Vendor",
          shape([
            ("name", "string"), ("id", "integer"), ("created_at", "string"), ("issued_at", "string"),
          ])),
      ])
  }

  private static let id = parameter("id", in: "path", "integer")
  private static let identifier = parameter("identifier", in: "header", "string")
  private static let withID = [id, identifier]
  private static let identified = [id, identifier]

  private static func product(_ what: String) -> WireJSON { answer(what, "application/json", reference("Product")) }

  private static func common(listing more: [WireJSON]) -> [WireJSON.Member] {
    let page = parameter("page_no", in: "query", "integer", required: false)
    let size = parameter("items_per_page", in: "query", "integer", required: false)
    let health = answer("The text OK", "application/json", ["type": "string"])
    return [
      .init("/healthChecker", ["get": operation("Whether the market is up", [], health)]),
      .init(
        "/api/products",
        [
          "get": operation(
            "Products, newest first", [page, size] + more, answer("One page", "application/json", reference("Page"))),
          "post": operation(
            "Put up a product", [identifier], body: form(reference("CreateForm")), status: "201",
            product("The new product")),
        ]),
    ]
  }

  private static func schemas(description: String) -> [WireJSON.Member] {
    [
      .init("Error", shape([("code", "integer"), ("message", "string")])),
      .init("SecretParams", shape([("secret", "string")])),
      .init(
        "CreateForm",
        shape(
          [],
          more: [
            .init("params", reference("CreateParams")),
            .init(
              "images",
              [
                "type": "array", "minItems": .number("1"), "maxItems": .number("5"), "items": ["type": "string"],
              ]),
          ])),
      .init("CreateParams", parameters(description, optional: false)),
      .init("EditParams", parameters(description, optional: true)),
    ]
  }

  private static func parameters(_ description: String, optional: Bool) -> WireJSON {
    let mark = optional ? "?" : ""
    let number: WireJSON = ["type": "number", "minimum": .number("0")]
    let members: [(String, WireJSON)] = [
      ("name" + mark, ["type": "string"]), (description + mark, ["type": "string"]), ("price" + mark, number),
      ("currency" + mark, ["type": "string"]), ("discounted_price?", number),
      ("stock?", ["type": "integer", "minimum": .number("0")]), ("secret", ["type": "string"]),
    ]
    let cover: [(String, WireJSON)] = optional ? [("thumbnail_id?", ["type": "integer"])] : []
    let all = members + cover
    return [
      "type": "object",
      "properties": .object(all.map { WireJSON.Member($0.0.filter { $0 != "?" }, $0.1) }),
      "required": .list(all.map(\.0).filter { !$0.hasSuffix("?") }.map(WireJSON.text)),
    ]
  }

  private static func rowMembers(_ more: [(String, String)]) -> [(String, String)] {
    [("id", "integer"), ("vendor_id", "integer")] + more + [
      ("name", "string"), ("thumbnail", "url"), ("currency", "string"), ("price", "number"),
      ("bargain_price", "number"), ("discounted_price", "number"), ("stock", "integer"), ("created_at", "string"),
      ("issued_at", "string"),
    ]
  }

  private static var productSchema: WireJSON {
    shape(
      rowMembers([("description", "string")]),
      more: [.init("images", array(of: reference("Image"))), .init("vendors", reference("Vendor"))])
  }
}
