/// Keeps a spreadsheet from running a cell as a formula: such text gets a leading `'`, and reading takes exactly it off.
///
/// Text that already begins with quotes or spaces before the sign is guarded too, so that reading back is the identity.
package enum FormulaGuard {
  package static func guarded(_ text: String) -> String { isFormula(text.unicodeScalars) ? "'" + text : text }

  package static func unguarded(_ text: String) -> String {
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
