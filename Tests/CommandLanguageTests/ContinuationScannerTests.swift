import CommandLanguage
import TestSupport
import Testing

/// The line-by-line scan for unclosed quotes agrees with the lexer on the complete text.
@Suite struct ContinuationScannerTests {
  private static let pieces = [
    "a", " ", "'", "\"", "\\", "\\\\", "\\\"", "$", "$a", "|", ";", "#", "\r", "\\n", "\\u", "\\u{AC00}", "\\u{110000}",
    "\\u{D800}", "\\u{123456789}", "{", "}", "\\q", "가", "=", "\u{3000}", "echo", "/", "~", "~/", "name~/a", "where",
    "assert", "matches", "{", "[", "]", ":", "!", "$a[\"x\"]",
  ]

  @Test func scannerAgreesWithTheLexer() {
    var dice = SplitMix64(77)
    for _ in 0..<Trial.count(10_000, long: 300_000) {
      var scanner = ContinuationScanner()
      var whole = ""
      for index in 0..<Int.random(in: 1...4, using: &dice) {
        let line = (0..<Int.random(in: 0...5, using: &dice)).map { _ in Self.pieces.randomElement(using: &dice) ?? "" }
          .joined()
        whole += (index == 0 ? "" : "\n") + line
        #expect(
          scanner.needsContinuation(after: line) == (Lexer(whole).error?.isIncomplete ?? false),
          "\(whole.debugDescription)")
      }
    }
  }

  /// However long a quote is open, each character is scanned once.
  @Test(arguments: ["'", "\"", "\\", ""]) func eachCharacterIsScannedOnce(_ ending: String) {
    var scanner = ContinuationScanner()
    var characters = 0
    var isRight = true
    for number in 0..<10_000 {
      let line = number == 0 ? "echo " + ending : "line \(number)" + (ending == "\\" ? ending : "")
      characters += line.unicodeScalars.count + (number == 0 ? 0 : 1)
      isRight = isRight && scanner.needsContinuation(after: line) == !ending.isEmpty
    }
    #expect(isRight)
    #expect(scanner.work == characters)
  }
}
