import Foundation

extension String {
  /// NFC: names typed on a Mac arrive as loose jamo and must compare and measure like everyone else's.
  package var precomposed: String {
    // Below U+0300 no byte is this large, and bytes are looked at faster than letters.
    let isPlain = utf8.withContiguousStorageIfAvailable { bytes in
      var index = 0
      while index < bytes.count, bytes[index] < 0xCC { index += 1 }
      return index == bytes.count
    }
    if isPlain == true { return self }
    // Most text is: letters below the combining ones, and whole syllables.
    if unicodeScalars.allSatisfy({ $0.value < 0x300 || Hangul.syllables.contains($0) }) { return self }
    let composed = precomposedStringWithCanonicalMapping
    guard composed.unicodeScalars.contains(where: Hangul.finals.contains) else { return composed }
    // Foundation leaves a syllable without a final consonant and the consonant after it apart (UAX #15, D117).
    var result = UnicodeScalarView()
    for scalar in composed.unicodeScalars {
      if let last = result.last, let syllable = Hangul.joined(last, scalar) {
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
  static let finals: ClosedRange<Unicode.Scalar> = "\u{11A8}"..."\u{11C2}"
  private static let initials: ClosedRange<Unicode.Scalar> = "\u{1100}"..."\u{1112}"
  private static let vowels: ClosedRange<Unicode.Scalar> = "\u{1161}"..."\u{1175}"
  /// Syllables that share an initial and a vowel: one without a final consonant, then one for each.
  private static let finalCount: UInt32 = 28

  /// The number of the final consonant of a syllable, 0 without one, 8 for ㄹ; nil for what is no syllable.
  static func final(of syllable: Unicode.Scalar) -> UInt32? {
    syllables.contains(syllable) ? (syllable.value - syllables.lowerBound.value) % finalCount : nil
  }

  /// The one syllable that an initial and a vowel make, or a syllable and a final consonant; nil for other pairs.
  package static func joined(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    if initials.contains(first), vowels.contains(second) {
      let vowel = second.value - vowels.lowerBound.value
      let block = (first.value - initials.lowerBound.value) * 21 + vowel
      return Unicode.Scalar(syllables.lowerBound.value + block * finalCount)
    }
    // The first of the finals, U+11A7, stands for none.
    guard finals.contains(second), final(of: first) == 0 else { return nil }
    return Unicode.Scalar(first.value + second.value - 0x11A7)
  }
}
