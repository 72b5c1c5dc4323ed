import Testing

@testable import LineEditing

struct ComposerTests {
  /// Compared by scalars: Swift treats composed and decomposed text as equal.
  @Test(
    arguments: [
      ("\u{1112}\u{1161}\u{11AB}", [0xD55C]), ("\u{1100}\u{1161}", [0xAC00]), ("\u{AC00}\u{11C2}", [0xAC1B]),
      ("\u{AC01}\u{11AB}", [0xAC01, 0x11AB]), ("e\u{301}", [0xE9]), ("x\u{301}", [0x78, 0x301]), ("가", [0xAC00]),
      ("\u{1161}", [0x1161]), ("a\u{308}\u{304}", [0x1DF]),
    ] as [(String, [UInt32])])
  func composerJoinsToNFC(text: String, scalars: [UInt32]) {
    #expect(Composer.joined(text).unicodeScalars.map(\.value) == scalars)
  }
}
