/// The document of the editions of 2021.
extension OpenAPIDocument {
  static func camp(base: String, _ kind: CampKind) -> JSON {
    let id = parameter("id", in: "path", "integer")
    let page = parameter("page", in: "path", "integer")
    let answered = answer("The item", "application/json", reference("Item"))
    return make(
      "Open Market, edition \(kind.rawValue)", base: base,
      paths: [
        .init(
          "/items/{page}",
          [
            "get": operation("Twenty items", [page], answer("One page", "application/json", reference("Page")))
          ]),
        .init("/item", ["post": operation("Put up an item", body: form(fields(optional: "")), answered)]),
        .init(
          "/item/{id}",
          [
            "get": operation("One item", [id], answered),
            "patch": operation("Change some fields", [id], body: form(fields(optional: "?")), answered),
            "delete": operation("Delete an item", [id], body: json(password(kind)), deleted(kind)),
          ]),
      ],
      schemas: [
        .init("Error", error(kind)), .init("Item", itemSchema(more: [("descriptions", "string")], lists: ["images"])),
        .init("Row", itemSchema(more: [], lists: [])),
        .init("Page", shape([("page", "integer")], more: [.init("items", array(of: reference("Row")))])),
      ])
  }

  private static func error(_ kind: CampKind) -> JSON {
    switch kind {
    case .camp1: shape([("error", "boolean"), ("reason", "string")])
    case .camp2: shape([("error?", "boolean"), ("reason?", "string"), ("message?", "string")])
    }
  }

  private static func password(_ kind: CampKind) -> JSON {
    switch kind {
    case .camp1: shape([("id", "integer"), ("password", "string")])
    case .camp2: shape([("password", "string")])
    }
  }

  private static func deleted(_ kind: CampKind) -> JSON {
    switch kind {
    case .camp1: answer("Its id", "application/json", shape([("id", "integer")]))
    case .camp2: answer("The deleted item", "application/json", reference("Item"))
    }
  }

  private static func fields(optional mark: String) -> JSON {
    let texts = ["title", "descriptions", "currency"].map { ($0 + mark, "string") }
    let numbers = ["price", "stock"].map { ($0 + mark, "integer") }
    let images = JSON.Member("images[]", array(of: ["type": "string"]))
    return shape(texts + numbers + [("discounted_price?", "integer"), ("password", "string")], more: [images])
  }

  private static func itemSchema(more: [(String, String)], lists: [String]) -> JSON {
    let members = [
      ("id", "integer"), ("title", "string"), ("price", "integer"), ("currency", "string"), ("stock", "integer"),
      ("discounted_price?", "integer"),
    ]
    let urls = (lists + ["thumbnails"]).map { JSON.Member($0, array(of: ["type": "string", "format": "uri"])) }
    return shape(members + more + [("registration_date", "number")], more: urls)
  }
}
