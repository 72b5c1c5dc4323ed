import Foundation
import Text

/// Joins a character with the one before it where Unicode has one character for both.
///
/// Hangul that arrives in its parts (file names from macOS) becomes syllables: one key press then deletes one
/// syllable, and libedit, which cannot draw characters without a width of their own, draws it.
enum Composer {
  static func joined(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    guard canFollow(second) else { return nil }
    if (0x1160...0x11FF).contains(second.value) { return Hangul.joined(first, second) }
    let pair = String(String.UnicodeScalarView([first, second])).precomposedStringWithCanonicalMapping.unicodeScalars
    return pair.count == 1 ? pair.first : nil
  }

  static func joined(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: canFollow) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let last = scalars.last, let joined = joined(last, scalar) {
        scalars.removeLast()
        scalars.append(joined)
      } else {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func canFollow(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    return (0x1160...0x11FF).contains(scalar.value) || scalar.properties.canonicalCombiningClass != .notReordered
  }
}
