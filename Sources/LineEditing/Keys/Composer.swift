import CEditLine
import Foundation
import Text

/// Composes a character with the one before it if Unicode has a composed character for both.
///
/// Hangul that arrives decomposed (file names from macOS) becomes syllables: then one key press deletes one syllable,
/// and libedit, which cannot draw characters without width, can draw it.
enum Composer {
  static func joined(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    guard canFollow(second) else { return nil }
    if (0x1160...0x11FF).contains(second.value) { return Hangul.compose(first, second) }
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
