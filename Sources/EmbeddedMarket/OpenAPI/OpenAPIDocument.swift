/// What an edition serves as an OpenAPI 3.1 document, for clients and their generators.
enum OpenAPIDocument {
  /// The frame: who, where, which paths, which shapes.
  static func make(_ title: String, base: String, paths: [JSON.Member], schemas: [JSON.Member]) -> JSON {
    [
      "openapi": "3.1.0",
      "info": ["title": .text(title), "version": "1.0"],
      "servers": [["url": .text(base)]],
      "paths": .object(paths),
      "components": ["schemas": .object(schemas)],
    ]
  }

  static func reference(_ name: String) -> JSON { ["$ref": .text("#/components/schemas/" + name)] }

  static func array(of items: JSON) -> JSON { ["type": "array", "items": items] }

  static func parameter(_ name: String, in place: String, _ type: String, required: Bool = true) -> JSON {
    ["name": .text(name), "in": .text(place), "required": .bool(required), "schema": ["type": .text(type)]]
  }

  /// An object schema; names that end in `?` may be missing.
  static func shape(_ members: [(String, String)], more: [JSON.Member] = []) -> JSON {
    let plain = members.map { name, word in JSON.Member(String(name.prefix { $0 != "?" }), type(word)) }
    let required = members.map(\.0).filter { !$0.hasSuffix("?") } + more.map(\.key)
    return [
      "type": "object", "properties": .object(plain + more), "required": .list(required.map(JSON.text)),
    ]
  }

  static func answer(_ what: String, _ type: String, _ schema: JSON) -> JSON {
    ["description": .text(what), "content": .object([.init(type, ["schema": schema])])]
  }

  static func operation(
    _ summary: String, _ parameters: [JSON] = [], body: JSON? = nil, status: String = "200", _ answer: JSON
  ) -> JSON {
    let failure = self.answer("What was wrong", "application/json", reference("Error"))
    var members: [JSON.Member] = [.init("summary", .text(summary)), .init("parameters", .list(parameters))]
    if let body { members.append(.init("requestBody", ["required": true, "content": body])) }
    members.append(.init("responses", .object([.init(status, answer), .init("default", failure)])))
    return .object(members)
  }

  static func form(_ schema: JSON) -> JSON { .object([.init("multipart/form-data", ["schema": schema])]) }

  static func json(_ schema: JSON) -> JSON { .object([.init("application/json", ["schema": schema])]) }

  /// `day` is a date without a zone, `file` the bytes of a picture, `url` an address.
  private static func type(_ word: String) -> JSON {
    switch word {
    case "file": ["type": "string", "contentMediaType": "application/octet-stream"]
    case "url": ["type": "string", "format": "uri"]
    case "integer": ["type": "integer", "format": "int64"]
    default: ["type": .text(word)]
    }
  }
}
