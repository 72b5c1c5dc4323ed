/// The error for a member of the wrong type: its key and its value, shortened to 40 characters.
package struct JSONTypeError: Error, Hashable, Sendable {
  package var field: String
  package var found: String

  package init(field: String, found: String) {
    self.field = field
    self.found = found.count > 40 ? found.prefix(40) + "…" : found
  }

  package init(field: String, found: JSON) {
    let text =
      switch found {
      case .object: "{…}"
      case .array: "[…]"
      case .invalidLiteral(let word): word
      case .null, .bool, .number, .string: found.serialized
      }
    self.init(field: field, found: text)
  }
}
