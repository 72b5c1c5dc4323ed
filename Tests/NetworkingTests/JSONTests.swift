import Foundation
import Networking
import TestSupport
import Testing

/// Numbers are exact or rejected, an invalid value does not affect others, and no text traps.
struct JSONTests {
  @Test(
    arguments: [
      ("6.0E7", 60_000_000, "60000000"), ("2000.0", 2000, "2000"), ("0", 0, "0"), ("-0", 0, "0"), ("0.0E999", 0, "0"),
      ("1E2", 100, "100"), ("999.99", nil, "999.99"), ("1e400", nil, nil), ("1e-400", nil, nil),
      ("9223372036854775807", Int.max, "9223372036854775807"), ("9223372036854775808", nil, "9223372036854775808"),
      ("-9223372036854775808", Int.min, "-9223372036854775808"), ("18446744073709551616", nil, "18446744073709551616"),
      ("1.323121323232E12", 1_323_121_323_232, "1323121323232"), ("0.1", nil, "0.1"), ("-5", -5, "-5"),
      ("1E99999999999999999999", nil, nil), ("12345678901234567890123456789012345678901", nil, nil),
      ("1e99", nil, "1" + String(repeating: "0", count: 99)), ("1e100", nil, nil),
    ] as [(String, Int?, String?)]) func jsonNumbersParseExactly(text: String, int: Int?, decimal: String?) throws
  {
    let number = try #require(JSONNumber(text))
    #expect(number.int == int)
    #expect(number.decimal.map { NSDecimalNumber(decimal: $0).stringValue } == decimal)
    #expect(number.literal == text)
  }

  @Test(arguments: [
    "", "-", "+5", "01", ".5", "5.", "1e", "1e+", "0x1F", "NaN", "Infinity", " 5", "5 ", "٣", "1_000", "1,5",
  ])
  func malformedNumbersAreRefused(text: String) { #expect(JSONNumber(text) == nil) }

  @Test(arguments: [Int.min, -10, -1, 0, 1, 10, 1_000_000, Int.max]) func integersAreReadBackExactly(value: Int) {
    #expect(JSONNumber(value) == JSONNumber(String(value)) && JSONNumber(value).int == value)
  }

  @Test(arguments: [
    (#"{"b":1,"a":[true,null,"x"]}"#, #"{"b":1,"a":[true,null,"x"]}"#), ("\u{FEFF} [ 1 , 2.0 ] ", "[1,2.0]"),
    (#""\uAC00\ud83d\ude00\ud800x""#, "\"가😀\u{FFFD}x\""), (#"{"a":1,"a":2}"#, #"{"a":2}"#),
    (#"{"p":NaN}"#, #"{"p":"NaN"}"#), (#""a\u0000\u001b\u009b""#, #""a\u0000\u001b\u009b""#), ("[]", "[]"),
    ("{}", "{}"),
    ("OK", "\"OK\""),
  ]) func jsonTextIsRead(text: String, written: String) throws {
    #expect(try JSON(parsing: Data(text.utf8)).serialized == written)
  }

  @Test(arguments: [
    "", " ", "{", "[1,", "[1,]", #"{"a"}"#, #"{"a":}"#, "<html>", #""abc"#, #""\u12"#, #""\x""#, "1 2", "{1:2}",
  ])
  func malformedJSONIsRefused(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Data(text.utf8)) }
  }

  @Test func deepNestingIsRefused() {
    let deep = Data(repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: JSONSyntaxError(offset: 128, isTooDeep: true)) { try JSON(parsing: deep) }
  }

  /// Damaged text is refused, or read as a value that is read again from what is written of it.
  @Test func damagedTextIsRefusedOrReadAsWritten() throws {
    var random = SplitMix64(Trial.seed)
    let seed = Array(#"{"a":[1.5e3,-0,"x\u00e9\n",true,null,{"b":"가"}],"c":NaN}"#.utf8)
    var read = 0
    for _ in 0..<3000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        bytes[at] = UInt8.random(in: 0...255, using: &random)
        if Bool.random(using: &random) { bytes.removeSubrange(at..<min(at + 3, bytes.count - 1)) }
      }
      guard let value = try? JSON(parsing: Data(bytes)) else { continue }
      let written = value.serialized
      #expect(try JSON(parsing: Data(written.utf8)).serialized == written, "\(String(decoding: bytes, as: UTF8.self))")
      read += 1
    }
    #expect(read > 100)
  }

  @Test func invalidMemberIsNamedAndOthersAreRead() throws {
    let text = #"{"id":"7","n":7.0,"big":1e400,"s":5,"b":"true","none":null,"o":{"x":1},"twice":1,"twice":2}"#
    let object = try #require(try JSON(parsing: Data(text.utf8)).object)
    #expect(try object.int("id") == 7 && object.int("n") == 7 && object.int("none") == nil && object.int("no") == nil)
    #expect(try object.string("s") == "5" && object.bool("b") == true && object.int("twice") == 2)
    #expect(object.duplicateKeys == ["twice"])
    #expect(throws: JSONTypeError(field: "big", found: "1e400")) { try object.decimal("big") }
    #expect(throws: JSONTypeError(field: "big", found: "1e400")) { try object.int("big") }
    #expect(throws: JSONTypeError(field: "o", found: "{…}")) { try object.string("o") }
  }
}
