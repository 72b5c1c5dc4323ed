import Catalog
import Language

/// What a form or an editor filled in, as the line that does the same without asking.
package enum SpelledLine {
  /// `new name='…' price=…`, empty fields left out.
  package static func new(_ texts: [Field: String]) -> String {
    ("new "
      + DraftForm.fields.compactMap { field in texts[field].flatMap { spelled(field.rawValue, $0) } }.joined(
        separator: " "))
  }

  /// `patch 42 stock=3`.
  package static func patch(_ product: Product, _ assignments: [Assignment]) -> String {
    "patch \(product.id) " + assignments.compactMap { spelled($0.name, $0.value) }.joined(separator: " ")
  }

  private static func spelled(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return nil }
    // A bare `@` in front would read a file.
    return name + "=" + Quoting.quote(value, always: value.hasPrefix("@"))
  }
}
