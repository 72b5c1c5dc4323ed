import Catalog
import CommandLanguage
import TestSupport
import Testing

/// A completed name of a server is one sanitized word with exactly that name.
@Suite struct QuotingTests {
  @Test(arguments: [
    "a\u{1B}[31m'b", "x; rm 3", "$(touch x) `y` $z", "\u{202E}evil", "two\nlines", "'", "\"", "\\", "a, b) or (1=1",
    "| sh", "# no", "yes", "@file",
  ])
  func completedServerNameIsOneSanitizedWord(name: String) throws {
    var seen = RecentProductIndex()
    seen.insert(1, name)
    for line in ["ls where name=", "ls where name~"] {
      let completion = Sample.grammar.completions(
        line, cursor: line.unicodeScalars.count, sources: CompletionDataSource(seen: seen, vendors: [name]))
      let text = try #require(completion.candidates.first?.text)
      #expect(completion.candidates.count == 1)
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
      let whole = String(line.dropLast()) + "=" + text
      let words = try Sample.grammar.segments(of: whole)
      #expect(words.count == 1 && words[0].pipe == nil)
      let read = try Sample.grammar.read(whole)[0].text("where")
      let expression = try Condition.read(#require(read))
      #expect(try expression.holds(for: Product(id: 1, name: name), me: nil) || line.hasSuffix("~"), "\(whole)")
    }
  }
}
