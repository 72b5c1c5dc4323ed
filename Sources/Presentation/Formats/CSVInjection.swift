/// Prevents spreadsheets from evaluating a cell as a formula: such text gets a leading `'`, which reading removes.
///
/// Text that begins with quotes or spaces before the formula character is guarded too, so that writing and reading
/// returns the original.
package enum CSVInjection {
  /// Returns the text with a leading `'` if it begins like a formula.
  package static func escape(_ text: String) -> String { isFormula(text.unicodeScalars) ? "'" + text : text }

  /// Removes the `'` that `escape` added.
  package static func unescape(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.first == "'", isFormula(scalars.dropFirst()) else { return text }
    return String(String.UnicodeScalarView(scalars.dropFirst()))
  }

  private static func isFormula(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
    for scalar in scalars {
      switch scalar {
      case "'", "\"", " ": continue
      case "=", "+", "-", "@", "\t", "\r": return true
      default: return false
      }
    }
    return false
  }
}
