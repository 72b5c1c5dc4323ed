import Foundation
import TestSupport
import Testing
import Text

/// Untrusted text cannot control a terminal, hide text or overflow.
struct SanitizerTests {
  @Test(arguments: [
    ("a\u{1B}[31mb", "a^[[31mb"), ("\u{9B}1m", "\\u{9B}1m"), ("a\rb", "a^Mb"), ("\u{8}\u{7}", "^H^G"), ("\u{7F}", "^?"),
    ("a\nb\tc", "a\\nb\\tc"), ("\u{202E}txt", "\\u{202E}txt"), ("a\u{200B}b", "a\\u{200B}b"), ("\u{2028}", "\\u{2028}"),
    ("\u{E0041}", "\\u{E0041}"), ("👨‍👩‍👧", "👨👩👧"), ("👍🏽", "👍"), ("가\u{1F3FD}", "가\\u{1F3FD}"),
    ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{301}", "\\u{301}"), ("우유병 café", "우유병 café"),
  ])
  func controlCharactersAreSpelledOut(text: String, shown: String) {
    #expect(Sanitizer.sanitized(text) == shown)
  }

  @Test(arguments: [
    ("a\u{1B}[31m\u{202E}b", "a [31mb"), (" a \n\t b ", "a b"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{200B}", ""),
    (String(repeating: "가", count: 200), String(repeating: "가", count: 120)),
  ])
  func nameBecomesALabel(text: String, label: String) {
    #expect(Sanitizer.label(text) == label)
  }

  @Test func linesOfABlockAreKept() {
    #expect(Sanitizer.sanitized("a\r\nb\tc\rd", .keep) == "a\nb  c^Md")
  }

  @Test func combiningMarksAndLengthAreLimited() {
    let zalgo = Sanitizer.sanitized("a" + String(repeating: "\u{316}", count: 1_000) + "b")
    #expect(zalgo.unicodeScalars.count == 1 + 4 + 3 + 1)
    #expect(
      Sanitizer.sanitized(String(repeating: "가", count: 1_000_000), limit: 10) == String(repeating: "가", count: 10)
        + "...")
  }

  /// Tests each scalar after a letter and after an emoji; all scalars with OPENMARKET_LONG_TESTS=1.
  @Test func everyScalarIsSanitized() {
    let isLong = Trial.isLong
    var value: UInt32 = 0
    while value <= 0x10FFFF {
      if let scalar = Unicode.Scalar(value) { check(scalar) }
      value += isLong || value < 0x3100 || (0xD7A0...0xD800).contains(value) ? 1 : 61
    }
  }

  private func check(_ scalar: Unicode.Scalar) {
    for before in ["", "a", "가", "👍"] {
      let shown = Sanitizer.sanitized(before + String(scalar) + "z")
      let isHarmless = shown.unicodeScalars.allSatisfy(SanitizerTests.isAllowed)
      let parts = shown.unicodeScalars.reduce(0) { $0 + WidthMeasurer().of($1) }
      if !isHarmless || parts != WidthMeasurer().of(shown) || Sanitizer.sanitized(shown) != shown {
        Issue.record("U+\(String(scalar.value, radix: 16)) after \"\(before)\" is shown as \(shown.debugDescription)")
      }
    }
  }

  /// Returns true for a visible scalar, implemented independently of the sanitizer.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF,
      0xFFF9...0xFFFB, 0xD800...0xDFFF, 0xE000...0xF8FF, 0xE0000...0x10FFFF:
      false
    default: scalar.properties.generalCategory != .unassigned
    }
  }
}
