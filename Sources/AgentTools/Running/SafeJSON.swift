import ModelContextProtocol
import Networking
import Text

extension JSON {
  /// Returns the value for an agent: texts of strangers without control characters, and prices as strings, because the
  /// numbers of JSON become binary fractions in clients.
  ///
  /// A long text is cut and then ends in `...`, so that one product or one call fits a response.
  var forAgents: JSON {
    amountsAsText.mappingStrings { Sanitizer.sanitized($0, .keep, limit: JSON.maximumTextLength) }
  }

  /// The maximum length of a text in Unicode scalars.
  static let maximumTextLength = 4_000

  private static let amounts: Set = ["price", "discount", "sale"]

  private var amountsAsText: JSON {
    switch self {
    case .null, .bool, .number, .string, .invalidLiteral: self
    case .array(let elements): .array(elements.map(\.amountsAsText))
    case .object(let object):
      .object(
        object.keys.map { key in
          guard JSON.amounts.contains(key), case .number(let number)? = object[key] else {
            return (key, (object[key] ?? .null).amountsAsText)
          }
          return (key, .string(number.literal))
        })
    }
  }

  /// The integer, or `nil` for any other value.
  var integer: Int? { if case .number(let number) = self { number.int } else { nil } }
  /// The text, or `nil` for any other value.
  var text: String? { if case .string(let text) = self { text } else { nil } }
}

extension JSONObject {
  /// The text of a member, or `nil` without one.
  func text(_ key: String) -> String? { self[key]?.text }
  /// The integer of a member, or `nil` without one.
  func integer(_ key: String) -> Int? { self[key]?.integer }
  /// Returns whether a member is true.
  func flag(_ key: String) -> Bool { self[key] == .bool(true) }
}
