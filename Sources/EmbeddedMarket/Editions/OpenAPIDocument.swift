/// What an edition serves as an OpenAPI 3.1 document, for clients and their generators.
enum OpenAPIDocument {
  /// The frame: who, where, which paths, which shapes.
  static func make(_ title: String, base: String, paths: [WireJSON.Member], schemas: [WireJSON.Member]) -> WireJSON {
    [
      "openapi": "3.1.0",
      "info": ["title": .text(title), "version": "1.0"],
      "servers": [["url": .text(base)]],
      "paths": .object(paths),
      "components": ["schemas": .object(schemas)],
    ]
  }

  static func reference(_ name: String) -> WireJSON { ["$ref": .text("#/components/schemas/" + name)] }

  static func array(of items: WireJSON) -> WireJSON { ["type": "array", "items": items] }

  static func parameter(_ name: String, in place: String, _ type: String, required: Bool = true) -> WireJSON {
    ["name": .text(name), "in": .text(place), "required": .bool(required), "schema": ["type": .text(type)]]
  }

  /// An object schema; names that end in `?` may be missing.
  static func shape(_ members: [(String, String)], more: [WireJSON.Member] = []) -> WireJSON {
    let plain = members.map { name, word in WireJSON.Member(String(name.prefix { $0 != "?" }), type(word)) }
    let required = members.map(\.0).filter { !$0.hasSuffix("?") } + more.map(\.key)
    return [
      "type": "object", "properties": .object(plain + more), "required": .list(required.map(WireJSON.text)),
    ]
  }

  static func answer(_ what: String, _ type: String, _ schema: WireJSON) -> WireJSON {
    ["description": .text(what), "content": .object([.init(type, ["schema": schema])])]
  }

  static func operation(
    _ summary: String, _ parameters: [WireJSON] = [], body: WireJSON? = nil, status: String = "200", _ answer: WireJSON
  ) -> WireJSON {
    let failure = self.answer("What was wrong", "application/json", reference("Error"))
    var members: [WireJSON.Member] = [.init("summary", .text(summary)), .init("parameters", .list(parameters))]
    if let body { members.append(.init("requestBody", ["required": true, "content": body])) }
    members.append(.init("responses", .object([.init(status, answer), .init("default", failure)])))
    return .object(members)
  }

  static func form(_ schema: WireJSON) -> WireJSON { .object([.init("multipart/form-data", ["schema": schema])]) }

  static func json(_ schema: WireJSON) -> WireJSON { .object([.init("application/json", ["schema": schema])]) }

  /// `day` is a date without a zone, `file` the bytes of a picture, `url` an address.
  private static func type(_ word: String) -> WireJSON {
    switch word {
    case "file": ["type": "string", "contentMediaType": "application/octet-stream"]
    case "url": ["type": "string", "format": "uri"]
    case "integer": ["type": "integer", "format": "int64"]
    default: ["type": .text(word)]
    }
  }
}

/// The document of the editions of 2021.
extension OpenAPIDocument {
  static func camp(base: String, _ kind: CampKind) -> WireJSON {
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

  private static func error(_ kind: CampKind) -> WireJSON {
    switch kind {
    case .camp1: shape([("error", "boolean"), ("reason", "string")])
    case .camp2: shape([("error?", "boolean"), ("reason?", "string"), ("message?", "string")])
    }
  }

  private static func password(_ kind: CampKind) -> WireJSON {
    switch kind {
    case .camp1: shape([("id", "integer"), ("password", "string")])
    case .camp2: shape([("password", "string")])
    }
  }

  private static func deleted(_ kind: CampKind) -> WireJSON {
    switch kind {
    case .camp1: answer("Its id", "application/json", shape([("id", "integer")]))
    case .camp2: answer("The deleted item", "application/json", reference("Item"))
    }
  }

  private static func fields(optional mark: String) -> WireJSON {
    let texts = ["title", "descriptions", "currency"].map { ($0 + mark, "string") }
    let numbers = ["price", "stock"].map { ($0 + mark, "integer") }
    let images = WireJSON.Member("images[]", array(of: ["type": "string"]))
    return shape(texts + numbers + [("discounted_price?", "integer"), ("password", "string")], more: [images])
  }

  private static func itemSchema(more: [(String, String)], lists: [String]) -> WireJSON {
    let members = [
      ("id", "integer"), ("title", "string"), ("price", "integer"), ("currency", "string"), ("stock", "integer"),
      ("discounted_price?", "integer"),
    ]
    let urls = (lists + ["thumbnails"]).map { WireJSON.Member($0, array(of: ["type": "string", "format": "uri"])) }
    return shape(members + more + [("registration_date", "number")], more: urls)
  }
}
