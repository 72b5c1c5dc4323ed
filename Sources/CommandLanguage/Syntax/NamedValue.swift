import Networking

/// The value of a name when a line is parsed: `$p.price`, `_.name`, `@3.stock`.
package enum NamedValue: Hashable, Sendable {
  case value(JSON)
  /// The values of a path with `[*]`, in order.
  case elements([Element])
  /// There is a response or a product of that name, but it doesn't have the member.
  case missing

  /// One of the values of a path with `[*]`.
  package struct Element: Hashable, Sendable {
    /// The path of the value: `$p.pages[3].price`.
    package var path: String
    /// The value, or `nil` if the member is missing.
    package var value: JSON?

    package init(path: String, value: JSON?) {
      self.path = path
      self.value = value
    }
  }

  /// Creates a number if the text is one, otherwise the text.
  package init(word text: String) { self = .value(JSON(word: text)) }

  /// The text that replaces the name in a line, or `nil` if there isn't exactly one value.
  package var text: String? {
    if case .value(let json) = self { json.plainText } else { nil }
  }

  /// The value, or `nil` if there isn't exactly one.
  package var json: JSON? {
    if case .value(let json) = self { json } else { nil }
  }

  /// A Boolean value that indicates whether a path may lead into the value.
  var isNested: Bool {
    switch self {
    case .value(.array), .value(.object), .elements: true
    case .value, .missing: false
    }
  }
}

/// Returns the value of a name without its dollar sign (`p`, `p.pages[0].id`, `_.price`), or `nil` if it isn't defined.
package typealias NamedValues = (String) -> NamedValue?
