/// The documents of the editions with vendors.
extension OpenAPIDocument {
  static func open(base: String) -> WireJSON {
    let archived = operation(
      "archiveProduct", "The path to delete", [id, identifier], body: json(reference("SecretParams")),
      answer("A path such as /api/products/{token}", "text/plain", ["type": "string"]))
    let delete = operation(
      "deleteProduct", "Delete by the path from archived", [token, identifier], product("The deleted product"))
    let paging: WireJSON = objectSchema(
      [
        ("pageNo", "integer"), ("itemsPerPage", "integer"), ("totalCount", "integer"), ("offset", "integer"),
        ("limit", "integer"), ("lastPage", "integer"), ("hasNext", "boolean"), ("hasPrev", "boolean"),
      ], more: [.init("pages", array(of: reference("Row")))])
    let search = parameter("search_value", in: "query", ["type": "string"], required: false)
    return document(
      "Open Market, edition open", base: base,
      paths: common(listing: [search]) + [
        .init(
          "/api/products/{id}",
          [
            "get": operation("showProduct", "One product", [id], product("The product")),
            "patch": edit, "delete": delete,
          ]),
        .init("/api/products/{id}/archived", ["post": archived]),
      ],
      schemas: schemas(description: "description") + [
        .init("Page", paging),
        .init("Row", objectSchema(rowMembers([("vendorName", "string"), ("description", "string")]))),
        .init("Product", productSchema),
        .init(
          "Image", objectSchema([("id", "integer"), ("url", "url"), ("thumbnail_url", "url"), ("issued_at", "string")])),
        .init("Vendor", objectSchema([("id", "integer"), ("name", "string")])),
      ])
  }

  static func training(base: String) -> WireJSON {
    let secret = operation(
      "askProductSecret", "The secret of a product", [id, identifier], body: json(reference("SecretParams")),
      answer("A UUID", "text/plain", ["type": "string"]))
    let delete = operation(
      "deleteProduct", "Delete with the product's secret",
      [id, parameter("product_secret", in: "path", ["type": "string"]), identifier],
      product("The deleted product"))
    let paging: WireJSON = objectSchema(
      [
        ("page_no", "integer"), ("items_per_page", "integer"), ("total_count", "integer"), ("offset", "integer"),
        ("limit", "integer"), ("last_page", "integer"), ("has_next", "boolean"), ("has_prev", "boolean"),
      ], more: [.init("pages", array(of: reference("Row")))])
    return document(
      "Open Market, edition training", base: base,
      paths: common(listing: []) + [
        .init(
          "/api/products/{id}",
          [
            "get": operation("showProduct", "One product", [id], product("The product")),
            "patch": edit,
          ]),
        .init("/api/products/{id}/secret", ["post": secret]),
        .init("/api/products/{id}/{product_secret}", ["delete": delete]),
      ],
      schemas: schemas(description: "descriptions") + [
        .init("Page", paging), .init("Row", objectSchema(rowMembers([]))), .init("Product", productSchema),
        .init(
          "Image",
          objectSchema([
            ("id", "integer"), ("url", "url"), ("thumbnail_url", "url"), ("succeed", "boolean"),
            ("issued_at", "string"),
          ])),
        .init(
          "Vendor",
          objectSchema([
            ("name", "string"), ("id", "integer"), ("created_at", "string"), ("issued_at", "string"),
          ])),
      ])
  }

  private static let identifier = parameter("identifier", in: "header", ["type": "string"])
  private static let token = parameter(
    "id", in: "path",
    [
      "type": "string", "pattern": "^[A-Za-z0-9+]{52,76}={0,2}$",
      "description": "What comes behind /api/products/ in the answer of archiveProduct.",
    ])
  private static let edit = operation(
    "editProduct", "Change some fields", [id, identifier], body: json(reference("EditParams")),
    product("The product"))

  private static func product(_ what: String) -> WireJSON { answer(what, "application/json", reference("Product")) }

  private static func common(listing more: [WireJSON]) -> [WireJSON.Member] {
    let page = parameter("page_no", in: "query", integer(VendorHandlers.pages), required: false, mayBeEmpty: true)
    let size = parameter(
      "items_per_page", in: "query", integer(VendorHandlers.pageSizes), required: false, mayBeEmpty: true)
    let health = answer("The text OK", "application/json", ["type": "string"])
    return [
      .init("/healthChecker", ["get": operation("checkHealth", "Whether the market is up", [], health)]),
      .init(
        "/api/products",
        [
          "get": operation(
            "listProducts", "Products, newest first", [page, size] + more,
            answer("One page", "application/json", reference("Page"))),
          "post": operation(
            "createProduct", "Put up a product", [identifier], body: form(reference("CreateForm")), status: "201",
            product("The new product")),
        ]),
    ]
  }

  private static func schemas(description: String) -> [WireJSON.Member] {
    [
      .init("Error", objectSchema([("code", "integer"), ("message", "string")])),
      .init("SecretParams", objectSchema([("secret", "string")])),
      .init(
        "CreateForm",
        objectSchema([.init("params", reference("CreateParams")), .init("images", pictures)])),
      .init("CreateParams", parameters(description, optional: false)),
      .init("EditParams", parameters(description, optional: true)),
    ]
  }

  private static func parameters(_ description: String, optional: Bool) -> WireJSON {
    let mark = optional ? "?" : ""
    let members: [(String, WireJSON)] = [
      ("name" + mark, text(optional)), (description + mark, text(optional)), ("price" + mark, number(optional)),
      ("currency" + mark, text(optional)), ("discounted_price?", number(true)), ("stock?", number(true, most: .max)),
      ("secret", ["type": "string"]),
    ]
    let cover: [(String, WireJSON)] = optional ? [("thumbnail_id?", number(true, most: .max))] : []
    return objectSchema((members + cover).map { WireJSON.Member($0.0, $0.1) })
  }

  /// Returns the schema of a string.
  ///
  /// As Jackson does, strings are also read from other values and numbers from strings; an optional member may be null.
  private static func text(_ optional: Bool) -> WireJSON {
    ["type": .list(["string", "number", "boolean"] + (optional ? ["null"] : []))]
  }

  /// Returns the schema of a number: the bounds apply to numbers, the pattern to strings.
  private static func number(_ optional: Bool, most: Int64 = JSONParameters.maximumMoney) -> WireJSON {
    [
      "type": .list(["number", "string"] + (optional ? ["null"] : [])),
      "minimum": .number(0), "maximum": .number(most),
      "pattern": .text("^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?$" + (optional ? "|^$" : "")),
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
    objectSchema(
      rowMembers([("description", "string")]),
      more: [.init("images", array(of: reference("Image"))), .init("vendors", reference("Vendor"))])
  }
}
