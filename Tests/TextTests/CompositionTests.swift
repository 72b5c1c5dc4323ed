import Testing
import Text

/// Normalization Form C with composed Korean syllables.
struct CompositionTests {
  @Test(arguments: [
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{D558}\u{11AB}", "\u{D55C}"), ("e\u{301}", "\u{E9}"), ("가", "가"),
    ("\u{D55C}\u{11AB}", "\u{D55C}\u{11AB}"), ("abc", "abc"),
  ]) func textIsNormalizedToNFC(_ loose: String, _ joined: String) {
    // Swift's == treats both as equal.
    #expect(Array(loose.nfcNormalized.utf8) == Array(joined.utf8))
  }

  @Test func everySyllableIsComposedOfItsJamo() {
    for initial in UInt32(0x1100)...0x1112 {
      for vowel in UInt32(0x1161)...0x1175 {
        for final in UInt32(0x11A7)...0x11C2 {
          let parts = [initial, vowel] + (final == 0x11A7 ? [] : [final])
          let loose = String(String.UnicodeScalarView(parts.compactMap(Unicode.Scalar.init)))
          let whole = 0xAC00 + ((initial - 0x1100) * 21 + vowel - 0x1161) * 28 + final - 0x11A7
          if loose.nfcNormalized.unicodeScalars.map(\.value) != [whole] { Issue.record("\(parts)") }
        }
      }
    }
  }
}
