/// The OpenAPI 3.1 document of an edition, for clients and generators.
enum OpenAPIDocument {
  /// Returns the document for a title, base URL, paths and schemas.
  static func document(
    _ title: String, base: String, paths: [WireJSON.Member], schemas: [WireJSON.Member]
  ) -> WireJSON {
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

  static func parameter(
    _ name: String, in place: String, _ schema: WireJSON, required: Bool = true, mayBeEmpty: Bool = false
  ) -> WireJSON {
    let members: [WireJSON.Member] = [
      .init("name", .text(name)), .init("in", .text(place)), .init("required", .bool(required)),
      .init("schema", schema),
    ]
    return .object(mayBeEmpty ? members + [.init("allowEmptyValue", true)] : members)
  }

  static func integer(_ bounds: ClosedRange<Int64>) -> WireJSON {
    [
      "type": "integer", "format": "int64", "minimum": .number(bounds.lowerBound),
      "maximum": .number(bounds.upperBound),
    ]
  }

  /// The schema of one to five pictures.
  static let pictures: WireJSON = [
    "type": "array", "minItems": .number(1), "maxItems": .number(5),
    "items": ["type": "string", "format": "binary"],
  ]

  static let id = parameter("id", in: "path", integer(.min ... .max))

  /// Returns an object schema from names and types.
  ///
  /// A name that ends in `?` is optional.
  static func objectSchema(_ members: [(String, String)], more: [WireJSON.Member] = []) -> WireJSON {
    objectSchema(members.map { name, word in WireJSON.Member(name, type(word)) } + more)
  }

  /// Returns an object schema from names and schemas.
  ///
  /// A name that ends in `?` is optional.
  static func objectSchema(_ members: [WireJSON.Member]) -> WireJSON {
    let required = members.map(\.key).filter { !$0.hasSuffix("?") }
    return [
      "type": "object",
      "properties": .object(members.map { WireJSON.Member($0.key.filter { $0 != "?" }, $0.value) }),
      "required": .list(required.map(WireJSON.text)),
    ]
  }

  static func answer(_ what: String, _ type: String, _ schema: WireJSON) -> WireJSON {
    ["description": .text(what), "content": .object([.init(type, ["schema": schema])])]
  }

  static func operation(
    _ name: String, _ summary: String, _ parameters: [WireJSON] = [], body: WireJSON? = nil, status: String = "200",
    _ answer: WireJSON
  ) -> WireJSON {
    let failure = self.answer("What was wrong", "application/json", reference("Error"))
    var members: [WireJSON.Member] = [
      .init("operationId", .text(name)), .init("summary", .text(summary)), .init("parameters", .list(parameters)),
    ]
    if let body { members.append(.init("requestBody", ["required": true, "content": body])) }
    members.append(.init("responses", .object([.init(status, answer), .init("default", failure)])))
    return .object(members)
  }

  static func form(_ schema: WireJSON) -> WireJSON { .object([.init("multipart/form-data", ["schema": schema])]) }

  static func json(_ schema: WireJSON) -> WireJSON { .object([.init("application/json", ["schema": schema])]) }

  /// Returns a schema: `url` is a URI, anything else is a type of JSON Schema.
  private static func type(_ word: String) -> WireJSON {
    switch word {
    case "url": ["type": "string", "format": "uri"]
    case "integer": ["type": "integer", "format": "int64"]
    default: ["type": .text(word)]
    }
  }
}

/// The document of the editions of 2021.
extension OpenAPIDocument {
  static func camp(base: String, _ kind: CampEditionKind) -> WireJSON {
    let page = parameter("page", in: "path", integer(1...(1 << 40) - 1))
    let answered = answer("The item", "application/json", reference("Item"))
    return document(
      "Open Market, edition \(kind.rawValue)", base: base,
      paths: [
        .init(
          "/items/{page}",
          [
            "get": operation(
              "listItems", "Twenty items", [page], answer("One page", "application/json", reference("Page")))
          ]),
        .init(
          "/item", ["post": operation("createItem", "Put up an item", body: form(fields(optional: "")), answered)]),
        .init(
          "/item/{id}",
          [
            "get": operation("showItem", "One item", [id], answered),
            "patch": operation(
              "editItem", "Change some fields", [id], body: form(fields(optional: "?")), answered),
            "delete": operation("deleteItem", "Delete an item", [id], body: json(password(kind)), deleted(kind)),
          ]),
      ],
      schemas: [
        .init("Error", error(kind)), .init("Item", itemSchema(more: [("descriptions", "string")], lists: ["images"])),
        .init("Row", itemSchema(more: [], lists: [])),
        .init("Page", objectSchema([("page", "integer")], more: [.init("items", array(of: reference("Row")))])),
      ])
  }

  private static func error(_ kind: CampEditionKind) -> WireJSON {
    switch kind {
    case .camp1: objectSchema([("error", "boolean"), ("reason", "string")])
    case .camp2: objectSchema([("error?", "boolean"), ("reason?", "string"), ("message?", "string")])
    }
  }

  private static func password(_ kind: CampEditionKind) -> WireJSON {
    switch kind {
    case .camp1: objectSchema([("id", "integer"), ("password", "string")])
    case .camp2: objectSchema([("password", "string")])
    }
  }

  private static func deleted(_ kind: CampEditionKind) -> WireJSON {
    switch kind {
    case .camp1: answer("Its id", "application/json", objectSchema([("id", "integer")]))
    case .camp2: answer("The deleted item", "application/json", reference("Item"))
    }
  }

  private static func fields(optional mark: String) -> WireJSON {
    let texts = ["title", "descriptions", "currency"].map { ($0 + mark, "string") }
    let bounds = integer(.min ... .max)
    let numbers = ["price" + mark, "stock" + mark, "discounted_price?"].map { WireJSON.Member($0, bounds) }
    return objectSchema(texts + [("password", "string")], more: numbers + [.init("images[]" + mark, pictures)])
  }

  private static func itemSchema(more: [(String, String)], lists: [String]) -> WireJSON {
    let members = [
      ("id", "integer"), ("title", "string"), ("price", "integer"), ("currency", "string"), ("stock", "integer"),
      ("discounted_price?", "integer"),
    ]
    let urls = (lists + ["thumbnails"]).map { WireJSON.Member($0, array(of: ["type": "string", "format": "uri"])) }
    return objectSchema(members + more + [("registration_date", "number")], more: urls)
  }
}
