import Networking

extension JSONShape {
  /// Creates the shape of an object with these members in the order of their keys.
  ///
  /// - Parameters:
  ///   - members: The members.
  ///   - omittable: The keys of members that may be missing.
  static func object(_ members: [String: JSONShape], omittable: Set<String> = []) -> JSONShape {
    .object(
      members.sorted { $0.key < $1.key }.map { key, shape in
        (key, omittable.contains(key) ? .omittable(shape) : shape)
      })
  }

  /// The keys of an object.
  var keys: [String] {
    if case .object(let members) = self { members.map(\.key) } else { [] }
  }

  /// Returns what is wrong with an object, or an empty list.
  func problems(of object: JSONObject) -> [String] {
    misfits(.object(object)).map { misfit in
      let place = misfit.path.hasPrefix(".") ? String(misfit.path.dropFirst()) : misfit.path
      return switch (misfit.expected, misfit.found) {
      case (_, nil): "\(place) is missing"
      case (.wholeNumber, .number): "\(place) is not a whole number"
      case (.time, .string): "\(place) is not a time"
      case (_, let found?): "\(place) is \(JSONShape.name(of: found))"
      }
    }
  }

  private static func name(of json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    case .invalidLiteral: "not JSON"
    }
  }
}
