import Foundation

/// Text that came from a server, made fit for a cell grid: composed, on one line, without invisible characters, of bounded length.
enum ForeignText {
  /// - Parameter limit: in characters; names and descriptions are short, so what is longer is no name.
  static func tame(_ text: String, limit: Int = 120) -> String {
    let scalars = String(text.prefix(limit)).precomposedStringWithCanonicalMapping.unicodeScalars.lazy
      .prefix(limit * 8)
    var kept = String.UnicodeScalarView()
    for scalar in scalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: kept.append(" ")
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: kept.append(scalar)
      }
    }
    return String(kept).split(separator: " ").joined(separator: " ")
  }
}
