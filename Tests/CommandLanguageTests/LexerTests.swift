import Catalog
import CommandLanguage
import TestSupport
import Testing

/// The tokens of lines: words, quotes, comments and separators.
@Suite struct LexerTests {
  private static let pieces = [
    "a", " ", "'", "\"", "\\", "$", "$a", "|", "/", "~/", "name~/", "assert", "matches", "{", "}", "[*]", ";", "#",
    "\n", "=", ">", "(", ")", ",", "가", "ㄱ", "\u{1100}\u{1161}",
    "👨‍👩‍👧", "ls", "patch",
    "where", "stock", "and", "not", "in", "@", "42", "-", "price", "as", "to", "json", "\u{0}", "\u{301}", "\r\n", "%",
    "secret=", "watch", "--", "page", "~", "!",
    "login", "u{AC00}", "until",
  ]

  private func words(_ text: String) -> [String] {
    Lexer(text).tokens.compactMap { token in
      if case .word(let word) = token { return word.text }
      return nil
    }
  }

  @Test func quotedWordIsReadBackUnchanged() {
    var random = SplitMix64(1)
    for _ in 0..<Trial.count(1_500, long: 20_000) {
      let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }
        .joined()
      for always in [false, true] {
        let quoted = Quoting.quote(text, always: always)
        let lexer = Lexer("x " + quoted + " y")
        #expect(
          lexer.error == nil
            && words("x " + quoted + " y").map { Array($0.unicodeScalars) }
              == ["x", text, "y"].map { Array($0.unicodeScalars) },
          "\(quoted)")
      }
    }
  }

  @Test func anyLineIsLexedAndCompleted() {
    var random = SplitMix64(2)
    var seen = RecentProductIndex()
    seen.insert(32, "우유병 텀블러")
    let sources = CompletionDataSource(
      seen: seen, vendors: ["red 123"], files: { _ in ["a b.txt", "dir/"] }, settings: [], variables: ["a"])
    for _ in 0..<Trial.count(600, long: 6_000) {
      let line = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.pieces.randomElement(using: &random)! }
        .joined()
      let count = line.unicodeScalars.count
      let whole = 0..<(count + 1)
      do throws(ParseError) {
        _ = try Sample.grammar.read(line) { $0 == "a" ? NamedValue(word: "x y") : nil }
      } catch {
        if let range = error.range { #expect(whole.contains(range.lowerBound) && range.upperBound <= count, "\(line)") }
      }
      var last = 0
      for run in Sample.grammar.highlights(line) {
        #expect(run.range.lowerBound >= last && run.range.upperBound <= count && !run.range.isEmpty, "\(line)")
        last = run.range.upperBound
      }
      let cursor = Int.random(in: 0...count, using: &random)
      let completion = Sample.grammar.completions(line, cursor: cursor, sources: sources)
      #expect(completion.range.lowerBound >= 0 && completion.range.upperBound <= count, "\(line)")
      _ = Sample.grammar.usageHint(line)
      _ = Sample.grammar.mayContainSecret(line)
    }
  }

  @Test func textIsSentAsTyped() {
    #expect(words("'\u{1112}\u{1161}\u{11AB}'").first?.unicodeScalars.count == 3)
  }

  @Test(arguments: [
    ("pgae", "page"), ("lss", "ls"), ("stok", "stock"), ("xyzzy", nil), ("", nil), ("pirce", "price"),
    ("pxxe", nil), ("prxxe", "price"),
  ])
  func nearestWordIsSuggested(word: String, expected: String?) {
    #expect(SpellingSuggester.closest(word, in: ["ls", "page", "price", "stock"]) == expected)
  }
}
