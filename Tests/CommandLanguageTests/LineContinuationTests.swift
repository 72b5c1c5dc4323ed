import CommandLanguage
import TestSupport
import Testing

/// The end of a line that is read line by line agrees with the lexer on the complete text.
@Suite struct LineContinuationTests {
  private static let pieces = [
    "a", " ", "'", "\"", "\\", "\\\\", "\\\"", "$", "$a", "|", ";", "#", "\r", "\\n", "\\u", "\\u{AC00}", "\\u{110000}",
    "\\u{D800}", "\\u{123456789}", "{", "}", "\\q", "가", "=", "\u{3000}", "echo", "/", "~", "~/", "name~/a", "where",
    "assert", "matches", "{", "[", "]", ":", "!", "$a[\"x\"]",
  ]

  @Test func continuationAgreesWithTheLexer() {
    var dice = SplitMix64(77)
    for _ in 0..<Trial.count(3_000, long: 300_000) {
      var continuation = LineContinuation()
      var whole = ""
      for index in 0..<Int.random(in: 1...4, using: &dice) {
        let line = (0..<Int.random(in: 0...5, using: &dice)).map { _ in Self.pieces.randomElement(using: &dice) ?? "" }
          .joined()
        whole += (index == 0 ? "" : "\n") + line
        #expect(
          continuation.needsContinuation(after: line) == (Lexer(whole).error?.isIncomplete ?? false),
          "\(whole.debugDescription)")
      }
    }
  }

  /// The lexer of appended lines continues where it ended: its tokens are those of the whole text.
  @Test(arguments: [
    ["echo 'a", "b\"", "c' d ", ""], ["echo \"a\\", "b $x \\\"", "\\u{AC00}\" e", ""],
    ["let a = 1\\", "2\\", "3; ls | head", ""],
    ["assert $p matches {", "\"a\": int # a }", "}; ls", ""], ["ls where name~/a|b/ \\", " and stock=2 # it's", ""],
  ])
  func appendedLinesHaveTheTokensOfTheWholeText(_ lines: [String]) {
    var lexer = Lexer()
    for line in lines { _ = lexer.append(line) }
    #expect(lexer.tokens == Lexer(lines.joined(separator: "\n")).tokens)
  }

  /// A line of many physical lines, of which none is read again: reading each from its beginning would take minutes.
  @Test(arguments: ["'", "\"", "\\", ""]) func manyLinesAreOne(_ ending: String) {
    var continuation = LineContinuation()
    var isRight = true
    for number in 0..<20_000 {
      let line = number == 0 ? "echo " + ending : "line \(number)" + (ending == "\\" ? ending : "")
      isRight = isRight && continuation.needsContinuation(after: line) == !ending.isEmpty
    }
    #expect(isRight)
  }

  /// A line of curl follows prefixes. Before a command of this language `curl` is a prefix itself.
  @Test(arguments: [
    ("curl http://h/", []), ("curl HTTPS://h/", []), ("swift curl -s h.example/", ["swift"]),
    ("curl raw curl http://h/", ["curl", "raw"]), ("curl curl http://h/", ["curl"]),
    ("watch 1 curl http://h/", ["watch 1"]), ("time watch  10 raw curl http://h/", ["time", "watch  10", "raw"]),
    ("$ dry curl 'http://h/'", ["dry"]), ("curl ls", nil), ("curl raw GET /x", nil), ("watch curl http://h/", nil),
    ("echo curl http://h/", nil), ("curl ‘http://h/’", []),
    ("curl “HTTPS://h/”", []), ("raw curl “h.example”", ["raw"]), ("curl ‘localhost:8080’ -s", []),
    ("curl “show”", nil), ("curl ‘ls’ x", nil), ("curl watch 5", nil), ("watch 5", nil), ("curl", nil), ("", nil),
  ])
  func pastedLineFollowsPrefixes(line: String, words: [String]?) {
    #expect(PastedLine.matches(line) == (words != nil))
    if let words { #expect(PastedLine.split(line).words == words) }
  }
}
