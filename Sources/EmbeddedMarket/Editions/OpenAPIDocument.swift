/// The OpenAPI 3.1 document of an edition, for clients and generators.
enum OpenAPIDocument {
  /// Returns the document for a title, base URL, paths and schemas.
  static func document(
    _ title: String, base: String, _ mode: OpenAPIMode, paths: [WireJSON.Member], schemas: [WireJSON.Member]
  ) -> WireJSON {
    let info: [WireJSON.Member] = [.init("title", .text(title)), .init("version", "1.0")]
    let description = mode.description.isEmpty ? [] : [WireJSON.Member("description", .text(mode.description))]
    return [
      "openapi": "3.1.0",
      "info": .object(info + description),
      "servers": [["url": .text(base)]],
      "paths": .object(paths),
      "components": ["schemas": .object(schemas)],
    ]
  }

  static func reference(_ name: String) -> WireJSON { ["$ref": .text("#/components/schemas/" + name)] }

  static func array(of items: WireJSON) -> WireJSON { ["type": "array", "items": items] }

  static func parameter(
    _ name: String, in location: String, schema: WireJSON, required: Bool = true, mayBeEmpty: Bool = false,
    description: String? = nil, example: String? = nil
  ) -> WireJSON {
    var members: [WireJSON.Member] = [
      .init("name", .text(name)), .init("in", .text(location)), .init("required", .bool(required)),
      .init("schema", schema),
    ]
    if mayBeEmpty { members.append(.init("allowEmptyValue", true)) }
    if let description { members.append(.init("description", .text(description))) }
    if let example { members.append(.init("example", .text(example))) }
    return .object(members)
  }

  /// Returns the schema of a secret, with the demo vendor's as an example.
  static func secretText(_ description: String) -> WireJSON {
    [
      "type": "string", "description": .text(description),
      "examples": .list([.text(EmbeddedMarket.demoVendor.secret)]),
    ]
  }

  /// Returns a schema that also allows null.
  static func nullable(_ schema: WireJSON) -> WireJSON {
    guard case .object(let members) = schema else { return schema }
    return .object(
      members.map { member in
        guard member.key == "type", case .text = member.value else { return member }
        return WireJSON.Member("type", .list([member.value, "null"]))
      })
  }

  static func integer(_ bounds: ClosedRange<Int64>) -> WireJSON {
    [
      "type": "integer", "format": "int64", "minimum": .number(bounds.lowerBound),
      "maximum": .number(bounds.upperBound),
    ]
  }

  /// Returns the schema of one to five pictures.
  static func pictures(_ mode: OpenAPIMode) -> WireJSON {
    let description =
      mode.isStrict
      ? "JPEG or PNG files, each smaller than 300 KB." : "Files, usually JPEG or PNG; others are stored as well."
    return [
      "type": "array", "minItems": .number(1), "maxItems": .number(5), "description": .text(description),
      "items": ["type": "string", "format": "binary"],
    ]
  }

  static let id = parameter("id", in: "path", schema: integer(.min ... .max))

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

  static func response(_ what: String, type: String, schema: WireJSON) -> WireJSON {
    ["description": .text(what), "content": .object([.init(type, ["schema": schema])])]
  }

  static func operation(
    _ name: String, _ summary: String, parameters: [WireJSON] = [], body: WireJSON? = nil, status: String = "200",
    response: WireJSON, refusals: [(status: String, description: String)] = []
  ) -> WireJSON {
    func failure(_ what: String) -> WireJSON {
      self.response(what, type: "application/json", schema: reference("Error"))
    }
    let failures = refusals.map { WireJSON.Member($0.status, failure($0.description)) }
    var members: [WireJSON.Member] = [
      .init("operationId", .text(name)), .init("summary", .text(summary)), .init("parameters", .list(parameters)),
    ]
    if let body { members.append(.init("requestBody", ["required": true, "content": body])) }
    let responses = [.init(status, response)] + failures + [.init("default", failure("What was wrong"))]
    members.append(.init("responses", .object(responses)))
    return .object(members)
  }

  /// Returns the content of a form; in strict mode, the part with pictures has only their types.
  static func form(_ schema: WireJSON, pictures name: String, _ mode: OpenAPIMode) -> WireJSON {
    let encoding: WireJSON = .object([.init(name, ["contentType": "image/jpeg, image/png"])])
    let members = [WireJSON.Member("schema", schema)] + (mode.isStrict ? [.init("encoding", encoding)] : [])
    return .object([.init("multipart/form-data", .object(members))])
  }

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
  static func camp(base: String, _ kind: CampEditionKind, _ mode: OpenAPIMode) -> WireJSON {
    func form(optional mark: String) -> WireJSON { self.form(fields(optional: mark, mode), pictures: "images[]", mode) }
    let wrongPassword = [("404", "There is no such item, or the password is not its own")]
    let page = parameter("page", in: "path", schema: integer(1...(1 << 40) - 1))
    let item = response("The item", type: "application/json", schema: reference("Item"))
    return document(
      "Open Market, edition \(kind.rawValue)", base: base, mode,
      paths: [
        .init(
          "/items/{page}",
          [
            "get": operation(
              "listItems", "Twenty items", parameters: [page],
              response: response("One page", type: "application/json", schema: reference("Page")))
          ]),
        .init(
          "/item", ["post": operation("createItem", "Put up an item", body: form(optional: ""), response: item)]),
        .init(
          "/item/{id}",
          [
            "get": operation("showItem", "One item", parameters: [id], response: item),
            "patch": operation(
              "editItem", "Change some fields; with the password alone, check it", parameters: [id],
              body: form(optional: "?"),
              response: item, refusals: wrongPassword),
            "delete": operation(
              "deleteItem", "Delete an item", parameters: [id], body: json(password(kind)), response: deleted(kind),
              refusals: wrongPassword),
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
    let password = WireJSON.Member("password", passwordText)
    return switch kind {
    case .camp1: objectSchema([("id", "integer")], more: [password])
    case .camp2: objectSchema([password])
    }
  }

  private static func deleted(_ kind: CampEditionKind) -> WireJSON {
    switch kind {
    case .camp1: response("Its id", type: "application/json", schema: objectSchema([("id", "integer")]))
    case .camp2: response("The deleted item", type: "application/json", schema: reference("Item"))
    }
  }

  private static let passwordText = secretText(
    "The password that the item was put up with. Items of the sample market have their vendor's.")

  private static func fields(optional mark: String, _ mode: OpenAPIMode) -> WireJSON {
    let texts = ["title", "descriptions", "currency"].map { ($0 + mark, "string") }
    let bounds = integer((mode.isStrict ? 0 : .min) ... .max)
    let numbers = ["price" + mark, "stock" + mark, "discounted_price?"].map { WireJSON.Member($0, bounds) }
    return objectSchema(
      texts, more: [.init("password", passwordText)] + numbers + [.init("images[]" + mark, pictures(mode))])
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

/// The options of a server that change what its OpenAPI document says.
struct OpenAPIMode: Hashable, Sendable {
  /// The documented limits are enforced (`--strict`).
  var isStrict = false
  /// The faults of the real servers are reproduced (`--quirks`).
  var hasQuirks = false

  init(isStrict: Bool = false, hasQuirks: Bool = false) {
    self.isStrict = isStrict
    self.hasQuirks = hasQuirks
  }

  init(_ server: ServerDependencies) {
    self.init(isStrict: server.rules.strict, hasQuirks: server.quirks.isOn)
  }

  /// The words of the description.
  var description: String {
    let strict = "The documented limits are enforced (--strict)."
    let quirks = "The faults on record of the real server are reproduced (--quirks)."
    return [isStrict ? strict : "", hasQuirks ? quirks : ""].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
