import Foundation
import MarketAPI
import Networking
import ShellRuntime
import Text

/// An OpenAPI 3 or Swagger 2.0 document: its paths, operations and schemas, with references resolved.
struct OpenAPIDocument {
  let root: JSONObject
  /// The version that the document states, such as `3.1.0`.
  let version: String
  /// The paths in the order of the document.
  let paths: [Path]
  private let templates: [String: [Path]]
  private let references: References

  /// The maximum number of paths, and of the characters of one; a longer one is ignored.
  private static let maximumPaths = 10_000
  private static let maximumLength = 500

  /// A path with its operations.
  struct Path {
    /// The path as the document has it, such as `/products/{product_id}/`.
    let text: String
    /// The path without the names of its parameters, without an ending and a slash at its end: `/products/{}`.
    let template: String
    let item: JSONObject
  }

  /// Returns whether a document says that it is one of OpenAPI.
  static func isOne(_ document: JSON) -> Bool {
    guard let object = document.object else { return false }
    return object["openapi"] != nil || object["swagger"] != nil
  }

  /// - Throws: `CommandError` for an unknown version, and for more paths than are read.
  init(_ document: JSON) throws(CommandError) {
    root = document.object ?? JSONObject()
    switch root["openapi"] ?? root["swagger"] {
    case .string(let text): version = text
    case .number(let number): version = number.literal
    default: version = ""
    }
    let isKnown = root["openapi"] == nil ? version.hasPrefix("2") : version.hasPrefix("3.")
    guard isKnown else {
      throw .underivable(
        LocalizedText(
          "Unknown version of OpenAPI: \(.foreign(String(version.prefix(40)))).",
          ko: "알 수 없는 OpenAPI 버전: \(.foreign(String(version.prefix(40))))."),
        LocalizedText("OpenAPI 3.0 and 3.1 and Swagger 2.0 are read.", ko: "OpenAPI 3.0과 3.1, Swagger 2.0을 읽습니다."))
    }
    let items = root["paths"]?.object ?? JSONObject()
    guard items.keys.count <= OpenAPIDocument.maximumPaths else {
      throw .underivable(
        LocalizedText(
          "The document has \(items.keys.count) paths.", ko: "문서에 경로가 \(items.keys.count)개 있습니다."),
        LocalizedText(
          "At most \(OpenAPIDocument.maximumPaths) are read.", ko: "\(OpenAPIDocument.maximumPaths)개까지 읽습니다."))
    }
    let references = References(root: .object(root))
    let paths = items.keys.compactMap { text -> Path? in
      guard text.utf8.count <= OpenAPIDocument.maximumLength, let item = references.object(items[text]) else {
        return nil
      }
      return Path(text: text, template: OpenAPIDocument.template(of: text), item: item)
    }
    (self.paths, self.references) = (paths, references)
    templates = Dictionary(grouping: paths, by: \.template)
  }

  var isSwagger: Bool { root["openapi"] == nil }

  /// Returns a path without the names of its parameters, without an ending and a slash at its end.
  static func template(of path: String) -> String {
    var text = ""
    var isInside = false
    for character in path {
      if character == "}" { isInside = false }
      if !isInside { text.append(character) }
      if character == "{" { isInside = true }
    }
    while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    return text.hasSuffix(".json") ? String(text.dropLast(5)) : text
  }

  /// An operation of a path.
  struct Operation {
    let path: Path
    let method: RequestMethod
    let object: JSONObject
  }

  /// Returns the operation of a path, or `nil` if the document has none.
  func operation(_ method: RequestMethod, of path: Path) -> Operation? {
    references.object(path.item[method.rawValue.lowercased()]).map {
      Operation(path: path, method: method, object: $0)
    }
  }

  /// Returns the first operation with this method among paths of one template.
  func operation(_ method: RequestMethod, template: String) -> Operation? {
    (templates[template] ?? []).lazy.compactMap { operation(method, of: $0) }.first
  }

  /// A parameter of a request; in Swagger 2.0 its body is one too.
  struct RequestParameter {
    let name: String
    /// The part of the request that has it, as the member `in` says: `query`, `path` or `body`.
    let place: String
    let isRequired: Bool
    /// The schema: in Swagger 2.0 the parameter itself, but for a body.
    let schema: JSONObject

    /// Returns an integer of the schema.
    func number(_ key: String) -> Int? { schema[key]?.int }
  }

  /// Returns the parameters of an operation, those of its path included.
  func parameters(of operation: Operation) -> [RequestParameter] {
    let lists = [operation.path.item["parameters"], operation.object["parameters"]]
    return lists.flatMap { ($0?.array ?? []).prefix(ValueShape.maximumCount) }.compactMap { value in
      guard let object = references.object(value), let name = object["name"]?.string,
        let place = object["in"]?.string
      else { return nil }
      return RequestParameter(
        name: name, place: place, isRequired: object["required"] == .bool(true),
        schema: references.object(object["schema"]) ?? object)
    }
  }

  // MARK: Bodies

  /// The type and the shape of the body of a request or response.
  struct BodyShape {
    /// The type of content, such as `application/json`, or `nil` if the document names none.
    var type: String?
    var shape: ValueShape
  }

  /// Returns the body of the first response with one of these statuses that has one.
  func response(of operation: Operation, _ statuses: [String]) -> BodyShape? {
    let responses = operation.object["responses"]?.object ?? JSONObject()
    for status in statuses {
      guard let response = references.object(responses[status]) else { continue }
      if let body = body(response, types: operation.object["produces"]) { return body }
    }
    return nil
  }

  static let successes = ["200", "201", "202", "2XX", "2xx", "default"]

  /// Returns the names of the header fields of a successful response.
  func responseHeaders(of operation: Operation) -> [String] {
    let responses = operation.object["responses"]?.object ?? JSONObject()
    let response = OpenAPIDocument.successes.lazy.compactMap { references.object(responses[$0]) }.first
    return Array((response?["headers"]?.object?.keys ?? []).prefix(ValueShape.maximumCount))
  }

  /// Returns the body of a request, or `nil` if it has none.
  func request(of operation: Operation) -> BodyShape? {
    if let object = references.object(operation.object["requestBody"]) { return body(object, types: nil) }
    let parameters = parameters(of: operation)
    let types = operation.object["consumes"] ?? root["consumes"]
    if let parameter = parameters.first(where: { $0.place == "body" }) {
      return body(JSONObject([("schema", .object(parameter.schema))]), types: types)
    }
    guard parameters.contains(where: { $0.place == "formData" }) else { return nil }
    return BodyShape(
      type: OpenAPIDocument.types(types).first ?? "application/x-www-form-urlencoded", shape: ValueShape())
  }

  private static func types(_ value: JSON?) -> [String] {
    (value?.array ?? []).compactMap(\.string)
  }

  /// Returns whether content is JSON as this program sends it; a list of JSON Patch operations is not.
  static func isJSON(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" }.lowercased()
    return name.contains("json") && !name.contains("json-patch") || name == "*/*"
  }

  private func body(_ object: JSONObject, types: JSON?) -> BodyShape? {
    guard isSwagger else {
      guard let content = object["content"]?.object, !content.keys.isEmpty else { return nil }
      let names = content.keys
      let type =
        names.first { $0.lowercased().hasPrefix("application/json") } ?? names.first(where: OpenAPIDocument.isJSON)
        ?? names[0]
      let media = references.object(content[type]) ?? JSONObject()
      return BodyShape(type: type, shape: shape(media["schema"], or: example(of: media)))
    }
    let names = OpenAPIDocument.types(types)
    let type = names.first(where: OpenAPIDocument.isJSON) ?? names.first
    let examples = object["examples"]?.object
    guard object["schema"] != nil || examples != nil else { return nil }
    return BodyShape(type: type, shape: shape(object["schema"], or: examples.flatMap { $0[$0.keys.first ?? ""] }))
  }

  /// Returns the example of a body: many documents have one in place of a schema.
  private func example(of media: JSONObject) -> JSON? {
    if let example = media["example"] { return example }
    guard let examples = media["examples"]?.object, let name = examples.keys.first else { return nil }
    return references.object(examples[name])?["value"]
  }

  private func shape(_ schema: JSON?, or example: JSON?) -> ValueShape {
    var reader = SchemaReader(references)
    let shape = reader.shape(schema)
    if let example, shape.members.isEmpty, shape.element?.members.isEmpty ?? true { return ValueShape(of: [example]) }
    return shape
  }

  // MARK: Security

  /// Returns the first scheme that an operation asks for, or `nil` for none.
  func scheme(of operation: Operation) -> JSONObject? {
    let requirements = operation.object["security"] ?? root["security"]
    let schemes =
      (isSwagger ? root["securityDefinitions"] : root["components"]?.object?["securitySchemes"])?.object
      ?? JSONObject()
    // An empty requirement makes the others optional.
    for requirement in requirements?.array ?? [] {
      guard let name = requirement.object?.keys.first else { continue }
      if let scheme = references.object(schemes[name]) { return scheme }
    }
    return nil
  }
}

/// The values that `$ref` names: those in the same document.
struct References {
  let root: JSON

  /// The maximum number of references to references.
  private static let maximumSteps = 32

  /// Returns the pointer of a reference into the same document, or `nil` for any other.
  static func pointer(_ text: String) -> JSONPointer? {
    guard text.hasPrefix("#") else { return nil }
    let fragment = String(text.dropFirst())
    return JSONPointer(fragment.removingPercentEncoding ?? fragment)
  }

  /// Returns an object, or the one that it refers to.
  func object(_ value: JSON?) -> JSONObject? {
    var value = value
    for _ in 0..<References.maximumSteps {
      guard let object = value?.object else { return nil }
      guard let text = object["$ref"]?.string else { return object }
      guard let pointer = References.pointer(text) else { return nil }
      value = pointer.value(in: root)
    }
    return nil
  }
}

/// Reads schemas as shapes.
///
/// A schema that contains itself or is nested deeply is unknown, and so are all schemas after a maximum number. Each part
/// gets its share of that number, so that a large part leaves enough for those after it.
struct SchemaReader {
  private let references: References
  /// The number of schemas that may still be read.
  private var budget = 20_000
  /// The maximum depth of the values, and that of the schemas, which references and alternatives make deeper.
  private static let maximumDepth = 8
  private static let maximumLevel = 40

  init(_ references: References) { self.references = references }

  mutating func shape(_ schema: JSON?) -> ValueShape { shape(schema, depth: 0, level: 0, inside: []) }

  private mutating func shape(_ schema: JSON?, depth: Int, level: Int, inside outer: [String]) -> ValueShape {
    var result = ValueShape()
    guard budget > 0, depth < SchemaReader.maximumDepth, level < SchemaReader.maximumLevel, let object = schema?.object
    else { return result }
    budget -= 1
    if let text = object["$ref"]?.string {
      guard !outer.contains(text), let pointer = References.pointer(text) else { return result }
      let target = pointer.value(in: references.root)
      result = shape(target, depth: depth, level: level + 1, inside: outer + [text])
      if object["readOnly"] == .bool(true) { result.isReadOnly = true }
      return result
    }
    readType(of: object, into: &result)
    let properties = object["properties"]?.object ?? JSONObject()
    let names = properties.keys.prefix(ValueShape.maximumCount)
    let alternatives = ["allOf", "anyOf", "oneOf"].flatMap { key in
      (object[key]?.array ?? []).prefix(ValueShape.maximumCount).map { (isChoice: key != "allOf", schema: $0) }
    }
    var count = names.count + alternatives.count + (object["items"] == nil ? 0 : 1)
    func inner(_ schema: JSON?, depth: Int, _ reader: inout SchemaReader) -> ValueShape {
      let share = reader.budget / max(1, count)
      let rest = reader.budget - share
      reader.budget = share
      defer { (reader.budget, count) = (reader.budget + rest, count - 1) }
      return reader.shape(schema, depth: depth, level: level + 1, inside: outer)
    }
    if !names.isEmpty { result.kinds.insert(.object) }
    for name in names { result[name] = inner(properties[name], depth: depth + 1, &self) }
    if let items = object["items"] {
      result.kinds.insert(.array)
      result.element = inner(items, depth: depth + 1, &self)
    }
    for part in alternatives {
      var shape = inner(part.schema, depth: depth, &self)
      if part.isChoice { shape.isReadOnly = false }
      result.merge(shape)
    }
    // A part of `allOf` may require the members of another one.
    let requiring = [object] + alternatives.filter { !$0.isChoice }.compactMap(\.schema.object)
    let required = requiring.flatMap { ($0["required"]?.array ?? []).prefix(ValueShape.maximumCount) }
    result.require(required.compactMap(\.string))
    return result
  }

  private func readType(of object: JSONObject, into result: inout ValueShape) {
    let types = object["type"]?.array ?? [object["type"] ?? .null]
    for case .string(let type) in types.prefix(8) {
      switch type {
      case "string": result.kinds.insert(.text)
      case "integer": result.kinds.insert(.integer)
      case "number": result.kinds.insert(.number)
      case "boolean": result.kinds.insert(.boolean)
      case "array": result.kinds.insert(.array)
      case "object": result.kinds.insert(.object)
      default: break
      }
    }
    if let format = object["format"]?.string { result.format = format }
    if object["readOnly"] == .bool(true) { result.isReadOnly = true }
  }
}
