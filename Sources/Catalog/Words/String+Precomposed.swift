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
    if unicodeScalars.allSatisfy({ $0.value < 0x300 || (0xAC00...0xD7A3).contains($0.value) }) { return self }
    let composed = precomposedStringWithCanonicalMapping
    guard composed.unicodeScalars.contains(where: String.finals.contains) else { return composed }
    // Foundation leaves a syllable without a final consonant and the consonant after it apart (UAX #15, D117).
    var result = UnicodeScalarView()
    for scalar in composed.unicodeScalars {
      if String.finals.contains(scalar), let last = result.last, (0xAC00...0xD7A3).contains(last.value),
        (last.value - 0xAC00) % 28 == 0, let joined = Unicode.Scalar(last.value + scalar.value - 0x11A7)
      {
        result.removeLast()
        result.append(joined)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static let finals: ClosedRange<Unicode.Scalar> = "\u{11A8}"..."\u{11C2}"
}
