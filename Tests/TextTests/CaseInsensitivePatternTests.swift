import Foundation
import TestSupport
import Testing

@testable import Text

/// A search gives the same result as the slow way: both texts folded completely, then compared character by character.
@Suite struct CaseInsensitivePatternTests {
  private static let pieces = [
    "a", "A", "z", " ", "텀", "블러", "가", "각", "\u{1100}\u{1161}", "\u{11A8}", "ß", "SS", "ss", "é", "e\u{301}", "İ", "ı",
    "中",
    "\u{D7A3}", "\u{D7B0}", "Ａ", "🙂", "\u{200D}", "\r", "\n", "\r\n", "Σ", "ς", "1", "-",
  ]

  private static func text(_ most: Int, _ dice: inout SplitMix64) -> String {
    (0..<Int.random(in: 0...most, using: &dice)).map { _ in pieces.randomElement(using: &dice) ?? "" }.joined()
  }

  private static func folded(_ text: String) -> String { text.nfcNormalized.uppercased().lowercased().nfcNormalized }

  @Test func matchesEqualThoseOfCompleteFolding() {
    var dice = SplitMix64(41)
    for _ in 0..<20_000 {
      let (text, wanted) = (Self.text(8, &dice), Self.text(2, &dice))
      let slow = wanted.isEmpty || Self.folded(text).contains(Self.folded(wanted))
      #expect(
        CaseInsensitivePattern(wanted).isContained(text) == slow,
        "\(wanted.debugDescription) in \(text.debugDescription)")
    }
  }

  @Test(arguments: [
    ("텀블러", "우유병 텀블러 12", true), ("SAND", "Ukulele, Sand", true), ("텀", "터ㅁ", false), ("", "", true), ("a", "", false),
    ("strasse", "Straße", true), ("각", "가\u{11A8}", true),
  ])
  func textIsFoundOrNot(_ wanted: String, _ text: String, _ isIn: Bool) {
    #expect(CaseInsensitivePattern(wanted).isContained(text) == isIn)
  }
}
