import Foundation
import Networking
import TestSupport
import Testing
import Text

/// A secret is masked in every encoding in which a server may return it.
@Suite struct SecretRedactorTests {
  static let secrets = ["s3cret-Tok3n!", "p&ss \"w<o>rd\" \\n/+%41", "비밀 번호é😀'", "abcd", "q=1;{x}"]

  /// The encodings that a server may use for a text.
  static let writings: [(name: String, write: @Sendable (String) -> String)] = [
    ("json", { json($0) { _ in nil } }),
    ("json, all in \\u", { text in text.utf16.map { unit($0, uppercase: false) }.joined() }),
    ("json, all in \\u, capitals", { text in text.utf16.map { unit($0, uppercase: true) }.joined() }),
    ("json, ASCII alone", { json($0) { $0 > 0x7E ? unit($0, uppercase: false) : nil } }),
    ("json, slashes too", { json($0) { _ in nil }.replacingOccurrences(of: "/", with: "\\/") }),
    ("\\x", { text in text.utf8.map { "\\x" + hex(Int($0), 2) }.joined() }),
    ("percent", { PercentEncoding.query($0) }), ("segment", { PercentEncoding.segment($0) }),
    ("percent, all", { text in text.utf8.map { "%" + hex(Int($0), 2) }.joined() }),
    ("percent, all, capitals", { text in text.utf8.map { "%" + hex(Int($0), 2).uppercased() }.joined() }),
    ("form", { PercentEncoding.query($0).replacingOccurrences(of: "%20", with: "+") }),
    ("html", { html($0) }), ("html, then json", { JSON.escaped(html($0)).replacing("&", with: "\\u0026") }),
    ("json, then html", { html(JSON.escaped($0)) }),
    ("html, all in decimal", { references($0) { "&#\($0.value);" } }),
    ("html, all in decimal with zeros", { references($0) { "&#000\($0.value);" } }),
    ("html, all in hexadecimal", { references($0) { "&#x" + hex(Int($0.value), 2) + ";" } }),
    ("html, all in hexadecimal, capitals", { references($0) { "&#X" + hex(Int($0.value), 8).uppercased() + ";" } }),
    ("hex", { text in text.utf8.map { hex(Int($0), 2) }.joined() }),
    ("hex, capitals", { text in text.utf8.map { hex(Int($0), 2).uppercased() }.joined() }),
    ("base64", { Data($0.utf8).base64EncodedString() }),
  ]

  private static func hex(_ value: Int, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
  private static func unit(_ unit: UInt16, uppercase: Bool) -> String {
    "\\u" + (uppercase ? hex(Int(unit), 4).uppercased() : hex(Int(unit), 4))
  }
  private static func json(_ text: String, _ other: (UInt16) -> String?) -> String {
    JSON.escaped(text).utf16.reduce(into: [UInt16]()) {
      $0 += (other($1) ?? "").isEmpty ? [$1] : Array(other($1)!.utf16)
    }
    .withUnsafeBufferPointer { String(decoding: $0, as: UTF16.self) }
  }
  private static func references(_ text: String, _ write: (Unicode.Scalar) -> String) -> String {
    text.unicodeScalars.map(write).joined()
  }
  private static func html(_ text: String) -> String {
    let names: [Unicode.Scalar: String] = ["&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos"]
    return references(text) { scalar in names[scalar].map { "&\($0);" } ?? String(scalar) }
  }

  /// Written in each way, in the middle of other text; base64 and hexadecimal digits also within the escapes of another.
  @Test(arguments: secrets) func secretIsMaskedInEveryEncoding(_ secret: String) throws {
    let masker = SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(password: secret)))])
    var misses: [String] = []
    for first in SecretRedactorTests.writings {
      try expect(first.write(secret), masker, secret, first.name, &misses)
      guard first.name == "base64" || first.name.hasPrefix("hex") else { continue }
      for second in SecretRedactorTests.writings where second.name != "base64" && !second.name.hasPrefix("hex") {
        let twice = second.write(first.write(secret))
        try expect(twice, masker, secret, first.name + " in " + second.name, &misses)
      }
    }
    #expect(misses == [])
  }

  private func expect(
    _ written: String, _ masker: SecretRedactor, _ secret: String, _ name: String, _ misses: inout [String]
  ) throws {
    let text = "before: \"" + written + "\", after"
    if masker.mask(text) != "before: \"" + Secret.mask + "\", after" { misses.append(name + ": " + masker.mask(text)) }
  }

  /// Each character escaped or not, all in one way; a shorter secret isn't searched for in a text.
  @Test(arguments: secrets.filter { $0.utf8.count >= 8 }) func secretIsMaskedInMixedEscapes(_ secret: String) throws {
    let masker = SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(password: secret)))])
    var dice = SplitMix64(Trial.seed)
    let ways = SecretRedactorTests.writings.filter {
      ["json, all in \\u", "percent, all", "html, all in decimal"].contains($0.name)
    }
    for _ in 0..<Trial.count(100, long: 2_000) {
      let way = ways.randomElement(using: &dice)!
      let mixed = secret.map { character in
        // A backslash, a percent or an ampersand that stands for itself would begin an escape.
        "\\%+&".contains(character) || Bool.random(using: &dice) ? way.write(String(character)) : String(character)
      }.joined()
      #expect(masker.mask("<" + mixed + ">") == "<" + Secret.mask + ">", "\(mixed)")
    }
  }

  /// References of several kinds in one text, as servers mix them.
  @Test(arguments: [
    "R&amp;D&lt;key&gt;2024", "R&#38;D&#60;key&#62;2024", "R&#x26;D&#x3c;key&#x3E;2024", "R&amp;D&#060;key&#x003E;2024",
    "R&amp;D<key>2024", "R&D&lt;key>2024", "&#82;&amp;D&lt;&#107;ey&gt;2024", #"R\u0026amp;D\u0026lt;key\u0026gt;2024"#,
    #"R\u0026amp;D\u003Ckey\u003e2024"#,
  ])
  func secretIsMaskedInMixedReferences(written: String) throws {
    let masker = SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(password: "R&D<key>2024")))])
    let mask = Secret.mask
    #expect(masker.mask("a&b; " + written + " c&d;") == "a&b; " + mask + " c&d;")
    #expect(masker.mask(bytes: Data((written + "&#;" + written).utf8)) == Data((mask + "&#;" + mask).utf8))
  }

  /// A JSON text that contains the secret, in base64: the secret begins at each of the three alignments.
  ///
  /// A shorter secret is not searched for within a text.
  @Test(arguments: secrets.filter { $0.utf8.count >= 8 }) func secretIsMaskedInJSONInBase64(_ secret: String) throws {
    let masker = SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(password: secret)))])
    for first in SecretRedactorTests.writings
    where ["json", "json, slashes too", "json, ASCII alone"].contains(first.name) {
      for start in ["", "a", "ab"] {
        let json = "{\"\(start)\":\"" + first.write(secret) + "\",\"b\":1}"
        let masked = masker.mask(Data(json.utf8).base64EncodedString())
        // A letter of base64 that also holds bits of a neighbour of the secret remains.
        let pieces = masked.components(separatedBy: Secret.mask)
        #expect(pieces.count == 2, "\(json): \(masked)")
        #expect(pieces.joined().count < 34, "\(json): \(masked)")
      }
    }
  }

  @Test func otherTextIsUnchanged() throws {
    let masker = SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(password: "s3cret-Tok3n!")))])
    for text in [
      "", "plain", #"{"a":"\u0041\n","b":"100%","c":"a&amp;b"}"#, "%", "%4", "\\", "\\u", "\\u00", "\\ud800\\u0041",
      "&", "&#", "&#;",
      "&#x;", "&#99999999;", "&nosuch;", "&#x110000;", "&#55296;", "&amp", "&#38", "&#000000000000;", "+", "\\x4",
      "\\u{", "\\u{110000}",
    ] { #expect(masker.mask(text) == text) }
  }

  @Test func secretIsMaskedInInvalidUTF8() throws {
    let masker = SecretRedactor([NamedSecret("OPENMARKET_SECRET", try #require(Secret(password: "s3cret-Tok3n!")))])
    let bytes = Data([0xFF, 0xE9]) + Data("s3cret-Tok3n!".utf8) + Data([0xFE]) + Data("s3cret\\u002dTok3n!".utf8)
    #expect(masker.mask(bytes: bytes) == Data([0xFF, 0xE9]) + Data("•••".utf8) + Data([0xFE]) + Data("•••".utf8))
  }
}
