import Networking

/// The required members of an object with their types.
///
/// It may have others.
struct ObjectSchema: Hashable, Sendable {
  var keys: [String: SchemaType]
  /// The members that may be missing but not null.
  var optional: Set<String> = []

  init(_ keys: [String: SchemaType], optional: Set<String> = []) {
    self.keys = keys
    self.optional = optional
  }

  func problems(of object: JSONObject, at path: String = "") -> [String] {
    keys.sorted { $0.key < $1.key }.flatMap { key, kind -> [String] in
      let place = path.isEmpty ? key : "\(path).\(key)"
      guard let value = object[key] else { return optional.contains(key) ? [] : ["\(place) is missing"] }
      return kind.problem(of: value, at: place)
    }
  }
}
