import TestSupport
import Testing

@testable import EmbeddedMarket

/// JSON written directly as bytes.
@Suite(.timeLimit(Trial.limit)) struct WireWriterTests {
  @Test(arguments: [
    ("", #""""#), ("머그 🫖 /", #""머그 🫖 /""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\0\u{1}\u{B}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u000B\\u001F\u{7F}\""), ("é\n한", #""é\n한""#),
    ("\\", #""\\""#), ("\\\\", #""\\\\""#), ("\"", #""\"""#), ("\n", #""\n""#),
  ])
  func stringsAreEscaped(_ text: String, _ json: String) throws {
    #expect(WireJSON.text(text).minified == json)
    #expect(try WireJSONReader.read(json.utf8) == .text(text))
  }

  @Test(arguments: ["-", "1.", "1.e1", "1e", "1e+", "-e1", "[1.]"])
  func aNumberWithoutADigitIsRefused(json: String) {
    #expect(throws: WireJSONReader.Failure.self) { try WireJSONReader.read(json.utf8) }
  }

  @Test(
    arguments: [
      (0, 1, "0"), (0, 2, "00"), (7, 2, "07"), (2026, 4, "2026"), (123, 2, "123"), (-5, 1, "-5"),
      (.max, 1, "9223372036854775807"), (.min, 1, "-9223372036854775808"),
    ] as [(Int64, Int, String)])
  func integersArePaddedToTheirWidth(_ value: Int64, _ width: Int, _ digits: String) {
    var writer = WireWriter()
    writer.integer(value, width: width)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == digits)
  }

  @Test func objectsAndArraysAreWritten() {
    var writer = WireWriter()
    writer.object { out in
      out.member("empty") { $0.object { _ in } }
      out.member("brace", "{")
      out.member("none") { $0.list([Int64]()) { $1.integer($0) } }
      out.member("some") { $0.list([1, 2] as [Int64]) { $1.integer($0) } }
      out.member("right", true)
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == #"{"empty":{},"brace":"{","none":[],"some":[1,2],"right":true}"#)
  }
}
