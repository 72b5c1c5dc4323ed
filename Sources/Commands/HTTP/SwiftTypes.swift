import Foundation
import Networking
import OrderedCollections

/// `Codable` types for a response.
///
/// Members that are null or missing in some elements of an array are optional, and prices are exact decimals.
package struct SwiftTypes {
  package let root: String
  package let text: String

  /// Creates the types of responses of one kind.
  ///
  /// - Parameters:
  ///   - name: The name of their type.
  ///   - names: The names of types that exist already, to which those of the new types are added.
  /// - Returns: `nil` for responses that are neither objects nor arrays of objects.
  package init?(_ responses: [JSON], named name: String, besides names: inout Set<String>) {
    var writer = SwiftTypeWriter(names)
    let objects = responses.compactMap(\.object)
    let elements = responses.compactMap(\.array)
    if !objects.isEmpty, objects.count == responses.count {
      root = name
      writer.write(name, objects)
    } else if elements.count == responses.count {
      let all = elements.flatMap { $0 }
      let objects = all.compactMap(\.object)
      guard !objects.isEmpty, objects.count == all.count else { return nil }
      root = "[\(name)]"
      writer.write(name, objects)
    } else {
      return nil
    }
    text = writer.text
    names = writer.names
  }

  /// Creates the types of one response.
  package init?(_ json: JSON, named name: String) {
    var names: Set<String> = []
    self.init([json], named: name, besides: &names)
  }

  private static let reserved: Set = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where",
    "while",
  ]

  /// The names of types of Swift, Foundation and SwiftUI, which a type of an app would hide.
  static let frameworkNames: Set = [
    "Alert", "Angle", "Animation", "App", "Array", "Binding", "Bool", "Bundle", "Button", "Calendar", "Canvas",
    "Capsule", "Character", "Circle", "Codable", "Collection", "Color", "Commands", "Data", "Date", "Decimal",
    "Decodable", "Decoder", "Dictionary", "Divider", "Double", "Edge", "EditMode", "Encodable", "Encoder",
    "Environment", "Equatable", "Error", "FetchRequest", "Float", "Font", "Form", "Formatter", "Gradient", "Grid",
    "Group", "HStack", "Hashable", "Host", "Identifiable", "Image", "IndexSet", "Int", "Label", "Layout", "Link",
    "List", "Locale", "Material", "Measurement", "Menu", "Message", "Mirror", "Namespace", "Never", "Notification",
    "Operation", "Optional", "Path", "Picker", "Point", "Preview", "Process", "Progress", "Published", "Query",
    "Range", "Rectangle", "Result", "Scanner", "Scene", "ScrollView", "Section", "Sendable", "Sequence", "Set",
    "Shape", "Size", "Slider", "Spacer", "State", "Stepper", "Stream", "String", "Substring", "Tab", "Table",
    "Task", "Text", "Thread", "Timer", "Toggle", "Tuple", "Type", "URL", "URLQueryItem", "URLRequest", "UUID",
    "Unit", "VStack", "View", "Window", "ZStack",
  ]

  /// Returns a valid Swift identifier: `createdAt` for `created_at`.
  static func identifier(_ key: String) -> String {
    let words = key.split { !($0.isLetter || $0.isNumber) }
    var name = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    // A key without letters and digits, such as "".
    if name.isEmpty { name = "member" }
    if name.first?.isNumber == true { name = "_" + name }
    return reserved.contains(name) ? "`\(name)`" : name
  }

  /// Returns the identifiers of the members of an object, no two of which are equal.
  static func properties(_ keys: some Sequence<String>) -> [String] {
    var taken: Set<String> = []
    return keys.map { key in
      var property = identifier(key)
      while !taken.insert(property).inserted { property += "_" }
      return property
    }
  }

  /// Returns whether the member is an amount of money, of which a `Double` isn't exact.
  static func isMoney(_ key: String) -> Bool {
    let lowered = key.lowercased()
    return ["price", "discount", "amount", "cost", "fee"].contains { lowered.contains($0) } || lowered == "sale"
  }
}

/// Generates types, each before those of its members.
private struct SwiftTypeWriter {
  private var types: [String] = []
  private(set) var names: Set<String>

  init(_ names: Set<String>) { self.names = names }

  var text: String { types.joined(separator: "\n\n") }

  /// Generates the type of objects with the same role.
  mutating func write(_ name: String, _ objects: [JSONObject]) {
    names.insert(name)
    var keys: OrderedSet<String> = []
    for object in objects { keys.formUnion(object.keys) }
    let index = types.count
    types.append("")
    var lines: [String] = []
    var codes: [String] = []
    var isRenamed = false
    for (key, property) in zip(keys, SwiftTypes.properties(keys)) {
      let values = objects.map { $0[key] }
      let isOptional = values.contains { $0 == nil || $0 == .null }
      guard let type = type(of: values.compactMap { $0 == .null ? nil : $0 }, key) else {
        lines.append("  // \(SwiftCodeGenerator.literal(key)) has several types and is omitted.")
        continue
      }
      lines.append("  let \(property): \(type)\(isOptional ? "?" : "")")
      isRenamed = isRenamed || property.replacing("`", with: "") != key
      codes.append(
        property.replacing("`", with: "") == key
          ? "case \(property)" : "case \(property) = \(SwiftCodeGenerator.literal(key))")
    }
    if isRenamed, !codes.isEmpty {
      lines += ["", "  enum CodingKeys: String, CodingKey {"] + codes.map { "    " + $0 } + ["  }"]
    }
    types[index] = (["struct \(name): Codable {"] + lines + ["}"]).joined(separator: "\n")
  }

  /// Returns the type of the values, or `nil` if they have several types.
  private mutating func type(of values: [JSON], _ key: String) -> String? {
    guard let first = values.first else { return SwiftTypeWriter.guessedType(key) }
    switch first {
    case .bool: return values.allSatisfy { if case .bool = $0 { true } else { false } } ? "Bool" : nil
    case .string, .invalidLiteral:
      return values.allSatisfy { if case .string = $0 { true } else { false } } ? "String" : nil
    case .number:
      let numbers = values.compactMap { value -> JSONNumber? in
        if case .number(let number) = value { number } else { nil }
      }
      guard numbers.count == values.count else { return nil }
      if SwiftTypes.isMoney(key) { return "Decimal" }
      return numbers.allSatisfy { $0.int != nil } ? "Int" : "Double"
    case .object:
      let objects = values.compactMap(\.object)
      guard objects.count == values.count else { return nil }
      let name = uniqueName(SwiftTypeWriter.typeName(key))
      write(name, objects)
      return name
    case .array:
      let lists = values.compactMap(\.array)
      guard lists.count == values.count else { return nil }
      let elements = lists.flatMap { $0 }
      guard let element = type(of: elements.filter { $0 != .null }, SwiftTypeWriter.singular(key)) else { return nil }
      return "[\(element)\(elements.contains(.null) ? "?" : "")]"
    case .null: return nil
    }
  }

  /// Returns the name, or `ImageItem` for `Image`: a name that no other type has and that hides none.
  private mutating func uniqueName(_ name: String) -> String {
    var free = SwiftTypes.frameworkNames.contains(name) ? name + "Item" : name
    while names.contains(free) { free += "Item" }
    return free
  }

  /// Returns the likely type of a key without values.
  private static func guessedType(_ key: String) -> String {
    let lowered = key.lowercased()
    if SwiftTypes.isMoney(key) { return "Decimal" }
    return lowered == "id" || lowered.hasSuffix("_id") || key.hasSuffix("Id") || lowered.contains("stock")
      ? "Int" : "String"
  }

  private static func singular(_ key: String) -> String {
    if key.hasSuffix("ies") { return key.dropLast(3) + "y" }
    return key.count > 1 && key.hasSuffix("s") && !key.hasSuffix("ss") ? String(key.dropLast()) : key
  }

  private static func typeName(_ key: String) -> String {
    let name = SwiftTypes.identifier(key).replacing("`", with: "")
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
