import Foundation
import MarketOperations
import Platform
import Testing
import WriteJournal

/// The file of recurring lines, which users edit, and that of the occurrences that were begun.
@Suite final class RecurringLineStoreTests {
  private let folder = NSTemporaryDirectory() + "openmarket-lines-" + UUID().uuidString
  private var home: AppDirectories { AppDirectories(folder: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String) throws {
    try Files.createDirectory(home.configuration)
    try Files.write(Data(text.utf8), to: home.recurringLinesFile)
  }

  /// The file of version 1.
  private static let text = """
    last_number = 7
    version = 1

    [every.3]
    days = "monday,thursday"
    folder = "/home/me/my shop"
    line = "patch 138 stock+=1; echo \\"done\\""
    maker = "agent claude-code"
    profile = "shop"
    since = "2026-11-30T20:48:20Z"
    time = "07:05"

    """

  private static func line() throws -> RecurringLine {
    RecurringLine(
      number: 3, recurrence: try Recurrence(days: "thursday,monday", time: "7:05"),
      text: "patch 138 stock+=1; echo \"done\"", profile: "shop", folder: "/home/me/my shop", since: 1_796_071_700,
      maker: .agent("claude-code"))
  }

  @Test func linesOfTheFirstVersionAreReadAndWritten() throws {
    try write(Self.text)
    let store = RecurringLineStore(home)
    let line = try Self.line()
    #expect(try store.lines() == [line])
    let added = try store.add(line)
    #expect(added.number == 8)
    #expect(try store.remove(8) == added)
    #expect(try store.remove(8) == nil)
    #expect(
      try String(contentsOfFile: home.recurringLinesFile, encoding: .utf8)
        == Self.text.replacing("last_number = 7", with: "last_number = 8"))
  }

  @Test func lineWrittenByHandNeedsFewValues() throws {
    try write("[every.1]\ndays = \"day\"\ntime = \"7:00\"\nline = \"ls\"\nprofile = \"demo\"\n")
    let line = try #require(try RecurringLineStore(home).lines().first)
    #expect(line.since == 0 && line.folder == "" && line.maker == .person)
    #expect(try RecurringLineStore(home).add(line).number == 2)
  }

  @Test(arguments: [
    ("[every.x]\nline = \"ls\"\n", 2), ("[every.1]\ndays = \"day\"\ntime = \"7:00\"\nprofile = \"demo\"\n", 1),
    ("[every.1]\nline = \"ls\"\ndays = \"someday\"\ntime = \"7:00\"\nprofile = \"demo\"\n", 4),
    ("[every.1]\nline = \"ls\"\ndays = \"day\"\ntime = \"7:00\"\nprofile = \"demo\"\nsince = \"soon\"\n", 6),
    ("[every.1]\nline = 1\n", 1), ("every = 1\n", 1),
  ])
  func mistakeIsReportedWithItsLine(_ text: String, _ number: Int) throws {
    try write(text)
    do {
      _ = try RecurringLineStore(home).lines()
      Issue.record("no error for \(text)")
    } catch {
      guard case .syntax(let path, let line, _) = error else { throw error }
      #expect(path == home.recurringLinesFile && (1...number).contains(line), "\(line)")
    }
    // A file with a mistake is not replaced.
    #expect(throws: FileError.self) { try RecurringLineStore(home).add(Self.line()) }
    #expect(try String(contentsOfFile: home.recurringLinesFile, encoding: .utf8) == text)
  }

  @Test func begunOccurrencesAreStoredForLinesThatExist() throws {
    try write(Self.text)
    let store = RecurringLineStore(home)
    let begun = BegunOccurrence(
      Recurrence.Occurrence(seconds: 1_796_072_700, name: "2026-11-30T07:05"), isOver: true, attempts: 3,
      notBefore: 1_796_072_800, status: 7)
    try store.record(begun, of: 3)
    try store.record(begun, of: 9)
    #expect(try store.begun() == [3: begun])
    let text = try String(contentsOfFile: home.timerFolder + "/begun.jsonl", encoding: .utf8)
    let head = #"{"openmarket":"begun-occurrences","version":1}"#
    let row =
      #"{"every":3,"occurrence":"2026-11-30T07:05","seconds":1796072700,"over":true,"attempts":3,"not_before":1796072800,"exit":7}"#
    #expect(text == head + "\n" + row + "\n")
  }
}
