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

  /// A line of curl follows prefixes. Before a command of this language `curl` is a prefix itself.
  @Test(arguments: [
    ("curl http://h/", []), ("curl HTTPS://h/", []), ("swift curl -s h.example/", ["swift"]),
    ("curl raw curl http://h/", ["curl", "raw"]), ("curl curl http://h/", ["curl"]),
    ("watch 1 curl http://h/", ["watch 1"]), ("time watch  10 raw curl http://h/", ["time", "watch  10", "raw"]),
    ("$ dry curl 'http://h/'", ["dry"]), ("curl ls", nil), ("curl raw GET /x", nil), ("watch curl http://h/", nil),
    ("echo curl http://h/", nil), ("curl watch 5", nil), ("watch 5", nil), ("curl", nil), ("", nil),
  ])
  func pastedLineFollowsPrefixes(line: String, words: [String]?) {
    #expect(POSIXQuoteState.matches(line) == (words != nil))
    if let words { #expect(POSIXQuoteState.split(line).words == words) }
  }
}
