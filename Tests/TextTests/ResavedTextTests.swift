import Foundation
import Testing
import Text

/// Texts that a program changed when it saved a file, and edits that look similar.
@Suite struct ResavedTextTests {
  @Test(arguments: [
    ("✅ 상품 ☕", "? 상품 ?", ResavedText.lostCharacters as ResavedText?), ("✅ 상품 ☕", "✅ 상품 ☕", nil),
    ("✅ 상품 ☕", "? 상품 ☕", nil), ("✅ 상품 ☕", "? 새 상품 ?", nil), ("☕️ 컵", "? 컵", .lostCharacters),
    ("☕️ 컵", "?? 컵", .lostCharacters), ("🚀 컵", "?? 컵", .lostCharacters), ("🚀 컵", "???? 컵", .lostCharacters),
    ("🚀 컵", "????? 컵", nil), ("사이즈?", "사이즈!", nil), ("사이즈가", "사이즈?", nil), ("한글 이름", "?? ??", .lostCharacters),
    ("한글 이름", "?? 이름", nil), ("가나", "가\u{FFFD}", .lostCharacters), ("가나", "가\u{FFFD}\u{FFFD}\u{FFFD}", .lostCharacters),
    ("가나", "다\u{FFFD}", nil), ("컵?", "컵??", nil), ("", "?", nil), ("abc", "a?c", nil),
    ("90.750", "90.75", .formattedNumber), ("1e5", "1.00E+05", .formattedNumber), ("1,800", "1800", .formattedNumber),
    ("007", "7", .formattedNumber), ("123456789012", "1.23457E+11", .formattedNumber),
    ("8801234567890123", "8801234567890120", .formattedNumber), ("1800", "1801", nil), ("1.50 L", "1.5 L", nil),
    ("90.750", "90.7", nil), ("1234567", "1234560", nil), ("-5", "5", nil), ("0", "0.0", .formattedNumber),
    ("999999999999", "1E+12", .formattedNumber),
  ])
  func resavedTextIsNoEdit(_ original: String, _ text: String, _ expected: ResavedText?) {
    #expect(ResavedText(text, from: original) == expected)
  }

  @Test(arguments: [
    ("application/json; charset=EUC-KR", [0xB0, 0xA1, 0xB3, 0xAA] as [UInt8], "가나" as String?),
    ("application/json;charset=\"ks_c_5601-1987\"", [0xB0, 0xA1], "가"),
    ("text/plain; charset=MS949", [0x8C, 0x63], "똠"),
    ("text/html; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "café"),
    ("application/json; charset=utf-16", [0xFF, 0xFE, 0x00, 0xAC], "가"),
    ("application/json; charset=UTF-16", [0x00, 0x7B, 0x00, 0x7D], "{}"),
    ("application/json; charset=utf-16", [0x7B, 0x00, 0x7D, 0x00], "{}"),
    ("application/json; charset=EUC-KR", [0xB0], nil),
  ])
  func charsetOfAResponseIsDecoded(_ type: String, _ bytes: [UInt8], _ expected: String?) throws {
    let charset = try #require(Charset(contentType: type, body: Data(bytes)))
    #expect((try? charset.text(of: Data(bytes))) == expected)
  }

  @Test(arguments: ["application/json", "application/json; charset=utf-8", "text/plain; charset=UTF-7", "a;b;charset"])
  func otherCharsetIsNone(_ type: String) { #expect(Charset(contentType: type, body: Data([0xB0, 0xA1])) == nil) }
}
