/// A member that could not be read: which, and what stood there, short enough to be shown.
package struct JSONFault: Error, Hashable, Sendable {
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
      case .odd(let word): word
      case .null, .bool, .number, .string: found.text
      }
    self.init(field: field, found: text)
  }
}
