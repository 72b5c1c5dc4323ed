import Foundation

/// What a search compares: canonical composition (so typed and decomposed Hangul meet) in lower case.
enum Fold {
  static func text(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
}
