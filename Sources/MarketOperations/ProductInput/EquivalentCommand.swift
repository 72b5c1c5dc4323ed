import Catalog
import CommandLanguage

/// The equivalent command line for input from a form or an editor.
package enum EquivalentCommand {
  /// Returns `new name='…' price=…` without empty fields.
  package static func new(_ texts: [ProductField: String]) -> String {
    ("new "
      + NewProductForm.fields.compactMap { field in texts[field].flatMap { spelled(field.rawValue, $0) } }.joined(
        separator: " "))
  }

  /// Returns a line such as `patch 42 stock=3`.
  package static func patch(_ product: Product, _ assignments: [Assignment]) -> String {
    "patch \(product.id) " + assignments.compactMap { spelled($0.name, $0.value) }.joined(separator: " ")
  }

  private static func spelled(_ name: String, _ value: String) -> String? {
    if value.isEmpty { return nil }
    // An unquoted `@` at the beginning would read a file.
    return name + "=" + Quoting.quote(value, always: value.hasPrefix("@"))
  }
}
