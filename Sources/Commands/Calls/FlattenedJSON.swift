import Networking

/// The scalar values of a JSON text with their paths: `pages[0].price`.
struct FlattenedJSON {
  private(set) var leaves: [(String, String)] = []

  init(_ json: JSON) { walk(json, "") }

  private mutating func walk(_ json: JSON, _ path: String) {
    switch json {
    case .null, .bool, .number, .string, .invalidLiteral: leaves.append((path, json.serialized))
    case .array(let elements):
      if elements.isEmpty { leaves.append((path, "[]")) }
      for (index, element) in elements.enumerated() { walk(element, "\(path)[\(index)]") }
    case .object(let object):
      if object.keys.isEmpty { leaves.append((path, "{}")) }
      for key in object.keys { walk(object[key] ?? .null, path.isEmpty ? key : "\(path).\(key)") }
    }
  }
}
