import Foundation

extension String {
  /// The text in Normalization Form C.
  ///
  /// Names typed on a Mac arrive decomposed into jamo and must compare and measure like all others.
  package var nfcNormalized: String {
    // No byte of a scalar below U+0300 is this large, and testing bytes is faster than testing scalars.
    let isPlain = utf8.withContiguousStorageIfAvailable { bytes in
      var index = 0
      while index < bytes.count, bytes[index] < 0xCC { index += 1 }
      return index == bytes.count
    }
    if isPlain == true { return self }
    // Most text needs no composition: scalars below the combining marks, and complete syllables.
    if unicodeScalars.allSatisfy({ $0.value < 0x300 || Hangul.syllables.contains($0) }) { return self }
    let composed = precomposedStringWithCanonicalMapping
    guard composed.unicodeScalars.contains(where: Hangul.trailingConsonants.contains) else { return composed }
    // Foundation does not compose a syllable without a final consonant with a consonant that follows it (UAX #15,
    // D117).
    var result = UnicodeScalarView()
    for scalar in composed.unicodeScalars {
      if let last = result.last, let syllable = Hangul.compose(last, scalar) {
        result.removeLast()
        result.append(syllable)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

/// The arithmetic of Korean syllables (Unicode Standard, section 3.12).
package enum Hangul {
  package static let syllables: ClosedRange<Unicode.Scalar> = "\u{AC00}"..."\u{D7A3}"
  static let trailingConsonants: ClosedRange<Unicode.Scalar> = "\u{11A8}"..."\u{11C2}"
  private static let leadingConsonants: ClosedRange<Unicode.Scalar> = "\u{1100}"..."\u{1112}"
  private static let vowels: ClosedRange<Unicode.Scalar> = "\u{1161}"..."\u{1175}"
  /// The number of syllables that share an initial consonant and a vowel: one without a final consonant and one for
  /// each.
  private static let finalCount: UInt32 = 28

  /// Returns the index of the final consonant of a syllable: 0 without one, 8 for ㄹ; `nil` for other scalars.
  static func trailingConsonantIndex(of syllable: Unicode.Scalar) -> UInt32? {
    syllables.contains(syllable) ? (syllable.value - syllables.lowerBound.value) % finalCount : nil
  }

  /// Composes an initial consonant and a vowel, or a syllable and a final consonant; returns `nil` for other pairs.
  package static func compose(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    if leadingConsonants.contains(first), vowels.contains(second) {
      let vowel = second.value - vowels.lowerBound.value
      let block = (first.value - leadingConsonants.lowerBound.value) * 21 + vowel
      return Unicode.Scalar(syllables.lowerBound.value + block * finalCount)
    }
    // U+11A7, one before the first final consonant, denotes none.
    guard trailingConsonants.contains(second), trailingConsonantIndex(of: first) == 0 else { return nil }
    return Unicode.Scalar(first.value + second.value - 0x11A7)
  }
}
