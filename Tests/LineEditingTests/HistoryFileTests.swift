import TestSupport
import Testing

@testable import LineEditing

/// History files of every earlier version; invalid lines are skipped and counted.
@Suite struct HistoryFileTests {
  @Test func filesOfEarlierVersionsAreRead() throws {
    let file = Golden("history-1", in: "Formats")
    let (entries, skipped) = try HistoryFile(path: file.path).load()
    #expect(entries.map(\.text) == ["list", "login identifier=me", "가나 \\n", "one\ntwo"])
    #expect(skipped == 2)
    let lines = entries.map { HistoryFile.line($0.text, at: nil) + "\n" }.joined()
    #expect(try file.text().hasPrefix(lines))
  }
}
