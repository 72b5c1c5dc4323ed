import Networking
import Text

/// The value that a name in a line stands for when the line is read: `$p.price`, `_.name`, `@3.stock`.
package enum NamedValue: Hashable, Sendable {
  case value(JSON)
  /// The values that a path with `[*]` leads to, in their order.
  case elements([Element])
  /// There is an answer or a product of that name, and it has no such member.
  case missing

  /// One of the values of a path with `[*]`.
  package struct Element: Hashable, Sendable {
    /// Where it is: `$p.pages[3].price`.
    package var path: String
    /// Nil where the member is missing.
    package var value: JSON?

    package init(path: String, value: JSON?) {
      self.path = path
      self.value = value
    }
  }

  /// Returns a number for a text that is one, else the text.
  package init(word text: String) { self = .value(JSON(word: text)) }

  /// The text that takes the place of the name in a line; nil where there is no single value.
  package var text: String? {
    if case .value(let json) = self { json.plainText } else { nil }
  }

  /// The value itself; nil where there is no single one.
  package var json: JSON? {
    if case .value(let json) = self { json } else { nil }
  }

  /// Whether a path may lead into it.
  var isNested: Bool {
    switch self {
    case .value(.array), .value(.object), .elements: true
    case .value, .missing: false
    }
  }
}

/// Returns the value of a name without its dollar sign (`p`, `p.pages[0].id`, `_.price`); nil where there is nothing of
/// that name.
package typealias NamedValues = (String) -> NamedValue?
