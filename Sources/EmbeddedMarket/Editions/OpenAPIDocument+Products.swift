/// The document of the editions with vendors.
extension OpenAPIDocument {
  static func products(_ kind: VendorEditionKind, base: String, _ mode: OpenAPIMode) -> WireJSON {
    let isOpen = kind == .open
    let status = String(KnownBugs(isOn: mode.hasQuirks).status(of: kind))
    let edit = operation(
      "editProduct", "Change some fields", parameters: [id, identifier], body: json(reference("EditParams")),
      status: status, response: product("The product"),
      refusals: ownRefusals + [("409", "thumbnail_id is not a picture of the product")])
    let show = operation("showProduct", "One product", parameters: [id], response: product("The product"))
    let deletion = deletion(kind, status: status)
    // The first products of `training` had null in some members until they were edited.
    let nulls = mode.hasQuirks && !isOpen ? Set(KnownBugs.nullableMembers) : []
    let row = rowMembers(isOpen ? [("vendorName", "string"), ("description", "string")] : [])
    return document(
      "Open Market, edition \(kind.rawValue)", base: base, mode,
      paths: common(searches: isOpen, mode) + [
        .init("/api/products/{id}", .object([.init("get", show), .init("patch", edit)] + deletion.operation))
      ] + deletion.paths,
      schemas: schemas(description: kind.spelling.descriptionKey, mode) + [
        .init("Page", page(kind)), .init("Row", nullable(objectSchema(row), nulls)),
        .init("Product", nullable(productSchema(), nulls)),
        .init(
          "Image",
          objectSchema(
            [("id", "integer"), ("url", "url"), ("thumbnail_url", "url")]
              + (isOpen ? [] : [("succeed", "boolean")]) + [("issued_at", "string")])),
        .init(
          "Vendor",
          objectSchema(
            isOpen
              ? [("id", "integer"), ("name", "string")]
              : [("name", "string"), ("id", "integer"), ("created_at", "string"), ("issued_at", "string")])),
      ])
  }

  /// Returns the two requests of a deletion: what the path of a product has of them, and the paths of their own.
  private static func deletion(
    _ kind: VendorEditionKind, status: String
  ) -> (operation: [WireJSON.Member], paths: [WireJSON.Member]) {
    func ask(_ name: String, _ summary: String, _ answer: String) -> WireJSON {
      operation(
        name, summary, parameters: [id, identifier], body: json(reference("SecretParams")), status: status,
        response: response(answer, type: "text/plain", schema: ["type": "string"]), refusals: ownRefusals)
    }
    func delete(_ summary: String, _ key: [WireJSON], _ refusals: [(String, String)]) -> WireJSON.Member {
      .init(
        "delete",
        operation(
          "deleteProduct", summary, parameters: key + [identifier], status: status,
          response: product("The deleted product"), refusals: refusals + [unknownProduct]))
    }
    switch kind {
    case .open:
      let token = parameter(
        "id", in: "path",
        schema: [
          "type": "string", "pattern": "^[A-Za-z0-9+]{52,76}={0,2}$",
          "description": "What comes behind /api/products/ in the answer of archiveProduct.",
        ])
      let refusals = [
        ("400", "The identifier is missing or unknown"),
        ("403", "The path was not given out, or the product is another vendor's"),
      ]
      let archived = ask("archiveProduct", "The path to delete", "A path such as /api/products/{token}")
      return (
        [delete("Delete by the path from archived", [token], refusals)],
        [.init("/api/products/{id}/archived", ["post": archived])]
      )
    case .training:
      let secret = parameter(
        "product_secret", in: "path", schema: ["type": "string"],
        description: "The answer of askProductSecret; not the vendor's secret, which is answered with 400.")
      let refusals = [
        ("400", "The identifier or the product's secret is wrong"), ("403", "The product is another vendor's"),
      ]
      return (
        [],
        [
          .init("/api/products/{id}/secret", ["post": ask("askProductSecret", "The secret of a product", "A UUID")]),
          .init(
            "/api/products/{id}/{product_secret}",
            .object([delete("Delete with the product's secret", [id, secret], refusals)])),
        ]
      )
    }
  }

  /// Returns the schema of a page, whose members are spelled in two ways.
  private static func page(_ kind: VendorEditionKind) -> WireJSON {
    let names =
      kind == .open
      ? ["pageNo", "itemsPerPage", "totalCount", "offset", "limit", "lastPage", "hasNext", "hasPrev"]
      : ["page_no", "items_per_page", "total_count", "offset", "limit", "last_page", "has_next", "has_prev"]
    let members = names.map { ($0, $0.hasPrefix("has") ? "boolean" : "integer") }
    return objectSchema(members, more: [.init("pages", array(of: reference("Row")))])
  }

  private static let identifier = parameter(
    "identifier", in: "header", schema: ["type": "string", "minLength": .number(1)],
    description: "The vendor. It is no credential: the secret of the vendor is in the body of a request.",
    example: EmbeddedMarket.demoVendor.identifier)
  private static let unknownProduct = ("404", "There is no such product")
  /// The refusals of requests for a product of one's own.
  private static let ownRefusals = [
    ("400", "The identifier is unknown, the secret does not match it, or a value is not allowed"),
    ("403", "The product is another vendor's"), unknownProduct,
  ]
  private static func product(_ what: String) -> WireJSON {
    response(what, type: "application/json", schema: reference("Product"))
  }

  private static func common(searches: Bool, _ mode: OpenAPIMode) -> [WireJSON.Member] {
    let search = parameter("search_value", in: "query", schema: ["type": "string"], required: false)
    let page = parameter(
      "page_no", in: "query", schema: integer(VendorHandlers.pages), required: false, mayBeEmpty: true)
    let size = parameter(
      "items_per_page", in: "query", schema: integer(VendorHandlers.pageSizes), required: false, mayBeEmpty: true)
    let health = response("The text OK", type: "application/json", schema: ["type": "string"])
    return [
      .init(
        "/healthChecker",
        ["get": operation("checkHealth", "Whether the market is up", parameters: [], response: health)]),
      .init(
        "/api/products",
        [
          "get": operation(
            "listProducts", "Products, newest first", parameters: [page, size] + (searches ? [search] : []),
            response: response("One page", type: "application/json", schema: reference("Page")),
            refusals: mode.hasQuirks
              ? [("400", "A number is not allowed"), ("500", "page_no is less than 1")]
              : [("400", "A number is not allowed")]),
          "post": operation(
            "createProduct", "Put up a product", parameters: [identifier],
            body: form(reference("CreateForm"), pictures: "images", mode), status: "201",
            response: product("The new product"),
            refusals: [ownRefusals[0]]),
        ]),
    ]
  }

  private static func schemas(description: String, _ mode: OpenAPIMode) -> [WireJSON.Member] {
    [
      .init("Error", objectSchema([("code", "integer"), ("message", "string")])),
      .init("SecretParams", objectSchema([.init("secret", vendorSecret)])),
      .init(
        "CreateForm",
        objectSchema([.init("params", reference("CreateParams")), .init("images", pictures(mode))])),
      .init("CreateParams", parameters(description, optional: false, mode)),
      .init("EditParams", parameters(description, optional: true, mode)),
    ]
  }

  private static let vendorSecret = secretText("The secret of the vendor; with another one the answer is 400.")

  private static func parameters(_ description: String, optional: Bool, _ mode: OpenAPIMode) -> WireJSON {
    let mark = optional ? "?" : ""
    let name = mode.isStrict ? text(optional, ProductValidator.nameLength) : text(optional)
    let words = mode.isStrict ? text(optional, ProductValidator.descriptionLength) : text(optional)
    var discount = number(true)
    if mode.isStrict, case .object(let members) = discount {
      discount = .object(members + [.init("description", "Not above the price.")])
    }
    let members: [(String, WireJSON)] = [
      ("name" + mark, name), (description + mark, words), ("price" + mark, number(optional)),
      ("currency" + mark, mode.isStrict ? currency(optional) : text(optional)), ("discounted_price?", discount),
      ("stock?", number(true, most: .max)), ("secret", vendorSecret),
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

  /// Returns the schema of a string with a length in code points; other values have no length.
  private static func text(_ optional: Bool, _ length: ClosedRange<Int>) -> WireJSON {
    [
      "type": .list(["string"] + (optional ? ["null"] : [])), "minLength": .number(Int64(length.lowerBound)),
      "maxLength": .number(Int64(length.upperBound)),
    ]
  }

  private static func currency(_ optional: Bool) -> WireJSON {
    ["enum": .list(ProductValidator.currencies.map(WireJSON.text) + (optional ? [.null] : []))]
  }

  /// Returns an object schema some of whose members may be null.
  private static func nullable(_ schema: WireJSON, _ names: Set<String>) -> WireJSON {
    guard case .object(let members) = schema else { return schema }
    return .object(
      members.map { member in
        guard member.key == "properties", case .object(let properties) = member.value else { return member }
        let marked = properties.map { names.contains($0.key) ? .init($0.key, nullable($0.value)) : $0 }
        return WireJSON.Member("properties", .object(marked))
      })
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

  private static func productSchema() -> WireJSON {
    objectSchema(
      rowMembers([("description", "string")]),
      more: [.init("images", array(of: reference("Image"))), .init("vendors", reference("Vendor"))])
  }
}
