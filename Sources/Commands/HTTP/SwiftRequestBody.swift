import Foundation
import Networking

/// The JSON object of a request as an `Encodable` type and a value of it.
struct SwiftRequestBody {
  private struct Member {
    var key: String
    var property: String
    var type: String
    /// The value as an expression.
    var value: String
  }

  private let members: [Member]

  /// Creates the type and the value.
  ///
  /// - Parameters:
  ///   - json: The body.
  ///   - string: Returns a text as an expression, with secrets read from their variables.
  /// - Returns: `nil` for other JSON than an object of texts, numbers without exponent and truth values: an optional that
  ///   is `nil` would be omitted where `null` is sent.
  init?(_ json: Data, string: (String) -> String) {
    guard let object = (try? JSON(parsing: json))?.object, !object.keys.isEmpty else { return nil }
    var members: [Member] = []
    let properties = SwiftTypes.properties(object.keys)
    for (key, property) in zip(object.keys, properties) {
      let (type, value): (String, String)
      switch object[key] {
      case .string(let text): (type, value) = ("String", string(text))
      case .bool(let flag): (type, value) = ("Bool", flag ? "true" : "false")
      case .number(let number):
        guard number.literal.wholeMatch(of: /-?[0-9]{1,15}(?:\.[0-9]{1,9})?/) != nil else { return nil }
        let isWhole = !number.literal.utf8.contains(UInt8(ascii: "."))
        if SwiftTypes.isMoney(key) {
          (type, value) = ("Decimal", isWhole ? number.literal : "Decimal(string: \"\(number.literal)\")!")
        } else {
          (type, value) = (isWhole ? "Int" : "Double", number.literal)
        }
      case .invalidLiteral, .object, .array, .null, nil: return nil
      }
      members.append(Member(key: key, property: property, type: type, value: value))
    }
    self.members = members
  }

  /// Returns the lines of the type.
  func type(named name: String) -> [String] {
    let cases = members.map { member in
      member.property.replacing("`", with: "") == member.key
        ? "case \(member.property)" : "case \(member.property) = \(SwiftCodeGenerator.literal(member.key))"
    }
    let isRenamed = members.contains { $0.property.replacing("`", with: "") != $0.key }
    return ["struct \(name): Encodable {"] + members.map { "  let \($0.property): \($0.type)" }
      + (isRenamed ? ["", "  enum CodingKeys: String, CodingKey {"] + cases.map { "    " + $0 } + ["  }"] : []) + ["}"]
  }

  /// Returns the lines that create the value, and an expression for its bytes.
  func value(in variable: String, of name: String) -> (lines: [String], bytes: String) {
    let arguments = members.enumerated().map { index, member in
      "  \(member.property.replacing("`", with: "")): \(member.value)\(index + 1 < members.count ? "," : ")")"
    }
    return (["let \(variable) = \(name)("] + arguments, "try JSONEncoder().encode(\(variable))")
  }
}
