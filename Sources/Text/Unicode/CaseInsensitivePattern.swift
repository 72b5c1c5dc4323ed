import Foundation

/// A search text that is case-folded once and then searched for in many texts.
///
/// Comparison uses full case folding in Normalization Form C. A match begins and ends at character boundaries.
package struct CaseInsensitivePattern: Hashable, Sendable {
  private let folded: String
  /// The UTF-8 of `folded` if plain texts can be compared with it byte by byte.
  private let bytes: [UInt8]?

  package init(_ text: String) {
    folded = CaseInsensitivePattern.folded(text)
    let utf8 = Array(folded.utf8)
    bytes = utf8.withUnsafeBufferPointer(CaseInsensitivePattern.supportsByteSearch) ? utf8 : nil
  }

  /// Returns true if `text` contains the search text.
  ///
  /// Every text contains the empty one.
  package func isContained(_ text: String) -> Bool {
    if folded.isEmpty { return true }
    guard let bytes else { return CaseInsensitivePattern.folded(text).contains(folded) }
    let found = text.utf8.withContiguousStorageIfAvailable { utf8 in
      CaseInsensitivePattern.supportsByteSearch(utf8)
        ? CaseInsensitivePattern.containsIgnoringASCIICase(bytes, in: utf8) : nil
    }
    return (found ?? nil) ?? CaseInsensitivePattern.folded(text).contains(folded)
  }

  /// Returns the full case folding.
  ///
  /// Uppercasing comes first, so that `ß` and `SS` are equal.
  private static func folded(_ text: String) -> String { text.nfcNormalized.uppercased().lowercased().nfcNormalized }

  /// Returns true if every scalar is a character by itself and case folding changes no scalar but ASCII capitals.
  ///
  /// That is ASCII without the carriage return, Hangul syllables (U+AC00 to U+D7A3) and ideographs (U+4E00 to U+9FFF).
  private static func supportsByteSearch(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        if byte == 0x0D { return false }
        index += 1
        continue
      }
      guard index + 2 < text.count else { return false }
      let second = text[index + 1]
      switch byte {
      case 0xE5...0xE9, 0xEB, 0xEC: break
      case 0xE4: if second < 0xB8 { return false }
      case 0xEA: if second < 0xB0 { return false }
      case 0xED: if second > 0x9E || (second == 0x9E && text[index + 2] > 0xA3) { return false }
      default: return false
      }
      index += 3
    }
    return true
  }

  /// Searches byte by byte.
  ///
  /// Both texts must be plain: then no match can begin inside a character.
  private static func containsIgnoringASCIICase(_ wanted: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= wanted.count else { return false }
    return wanted.withUnsafeBufferPointer { wanted in
      var start = 0
      while start <= text.count - wanted.count {
        var met = 0
        while met < wanted.count, asciiLowercased(text[start + met]) == wanted[met] { met += 1 }
        if met == wanted.count { return true }
        start += 1
      }
      return false
    }
  }

  private static func asciiLowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
