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
