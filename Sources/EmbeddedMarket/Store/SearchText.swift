import Foundation

/// The normal form of searched texts: canonical composition, so that composed and decomposed Hangul match, in lower
/// case.
enum SearchText {
  static func searchKey(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
}
