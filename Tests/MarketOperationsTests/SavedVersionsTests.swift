import Catalog
import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import History
import MarketOperations
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// The versions of a market: stored by every complete scan, queried with SQL, compared, listed and restored.
@Suite(.timeLimit(Trial.limit)) struct SavedVersionsTests {
  @Test func transcriptOfVersions() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try await Transcript("Scripting/versions").check(in: sandbox)
    }
  }

  /// A query of a version older than an hour reports its age, until the market is read again.
  @Test func oldVersionReportsItsAge() async throws {
    let clock = SetClock()
    let start = clock.now
    try await Sandbox.with(adjusting: { $0.clock.now = { clock.now } }) { sandbox in
      _ = await sandbox.run("snapshot")
      let lines = ["sql select count(*) from products as csv", "changes as csv", "show 42 over 300d as csv"]
      for (age, words) in [
        (3_600.0, ""), (7_300, "is 2 h old"), (47 * 3_600, "is 47 h old"), (72 * 3_600, "is 3 d old"),
      ] {
        clock.set(start + age)
        for line in lines {
          let said = await sandbox.run(line)
          let isSaid = said.contains(" old. It is of ") && said.contains("Run `snapshot` to save the current state.")
          #expect(isSaid == !words.isEmpty && !said.contains("= "), "\(said)")
          #expect(words.isEmpty || said.contains("! note: The latest saved version " + words), "\(line): \(said)")
        }
      }
      #expect(await sandbox.run("sql select count(*) from calls as csv").contains(" old.") == false)
      _ = await sandbox.run("snapshot")
      #expect(await sandbox.run(lines[0]) == "count(*)\n141\n")
    }
  }

  /// Returns the shell of a program that has just started in the home of a sandbox, and has read nothing.
  private func started(in sandbox: Sandbox, _ counts: CountingTransport.Counts) async throws -> Shell {
    let earlier = await sandbox.shell.context
    let context = CommandContext(
      earlier.program, earlier.stores, through: CountingTransport(earlier.network.bareTransport, counts),
      embedded: earlier.network.embedded, clock: earlier.clock)
    return Shell(session: try sandbox.reopened(), context: context)
  }

  private static let ofSnapshot = "The snapshot s1 is of another market. Nothing was sent."
  private static let ofVersions = "The saved versions are of another market. Nothing was sent."

  /// After a reset, a program that has just started reads the market before it uses the versions of the one before.
  @Test(arguments: [
    ("diff s1", ofSnapshot), ("diff s1 s1", ofSnapshot), ("changes since s1", ofSnapshot), ("ls from s1", ofSnapshot),
    ("restore 138 stock from s1 yes", ofSnapshot), ("show 138 stock over 30d", ofVersions), ("changes", ofVersions),
    ("sql 'select id from products'", ofVersions),
  ])
  func versionsBeforeAResetAreOfAnotherMarket(_ line: String, _ words: String) async throws {
    try await Sandbox.with(served: { $0.copiesBeginning = true }) { sandbox in
      _ = await sandbox.run("snapshot s1")
      try await sandbox.returnToBeginning()
      for _ in 1...2 {
        let shell = try await started(in: sandbox, CountingTransport.Counts())
        for _ in 1...2 {
          let code = await shell.run(line)
          let said = sandbox.console.take()
          #expect(code.rawValue == 4 && said.contains(words) && said.contains("embedded:open was reset"), "\(said)")
        }
      }
    }
  }

  /// The market is recognized by one request, and by none if it has responded already or no version is used.
  @Test func marketOfVersionsIsRecognizedOnce() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("snapshot s1")
      for (first, count) in [("ls from s1", 1), ("show 138", 1), ("sql 'select count(*) from calls'", 0)] {
        let counts = CountingTransport.Counts()
        let shell = try await started(in: sandbox, counts)
        #expect(await shell.run(first) == .success)
        #expect(counts.total == count, "\(first)")
        guard count > 0 else { continue }
        for line in ["ls from s1", "changes", "show 138 stock over 30d", "sql 'select id from products'"] {
          #expect(await shell.run(line) == .success, "\(line)")
        }
        #expect(counts.total == count, "\(first)")
      }
      _ = sandbox.console.take()
    }
  }

  /// The version that a time refers to, at noon of Thursday, 2022-12-01: the newest one up to that time, or none.
  @Test(arguments: [
    ("yesterday", 1), ("today", 1), ("now", nil), ("wednesday", 1), ("thursday", nil), ("friday", 0), ("monday", 0),
    ("2h", 1),
    ("30min", 2),
    ("2022-11-30", 1), ("2022-11-29", 0), ("2022-11-29T10:00", 0), ("2022-12-01T11:45:00Z", 2), ("어제", 1), ("월요일", 0),
    ("1w", nil), ("6d", 0), ("2022-11-25", 0), ("2022-11-24", nil),
    ("11-30", 1), ("11-29", 0), ("12-01", 2), ("12-02", nil), ("2-29", nil), ("13-01", nil),
    ("2022-13-01", nil), ("soon", nil), ("", nil),
  ])
  func timeSelectsTheVersion(_ text: String, _ expected: Int?) throws {
    let folder = NSTemporaryDirectory() + "moments-" + UUID().uuidString
    try Files.createDirectory(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try MarketSnapshotStore(at: folder + "/versions.sqlite")
    let place = SnapshotMarket(name: "demo", edition: "open", market: MarketIdentity(address: "embedded:open"))
    // The versions are of 2022-11-25 12:00, 2022-11-30 20:00 and 2022-12-01 11:20, read at noon of the last day.
    let noon: Int64 = 1_669_896_000
    let ages: [Int64] = [518_400, 57_600, 2_400]
    for age in ages { try store.add([], of: place, taken: noon - age, isComplete: true) }
    let versions = try store.versions(of: place)
    let found = PastDate(text, at: noon)?.choice(of: versions)
    #expect(found.map { $0.number - 1 } == expected)
  }

  /// The time from which changes are meant, as on a clock in UTC at noon of Thursday, 2022-12-01.
  @Test(arguments: [
    ("yesterday", "2022-11-30T00:00:00Z"), ("today", "2022-12-01T00:00:00Z"), ("그제", "2022-11-29T00:00:00Z"),
    ("wednesday", "2022-11-30T00:00:00Z"), ("thursday", "2022-11-24T00:00:00Z"), ("2h", "2022-12-01T10:00:00Z"),
    ("2022-11-30", "2022-11-30T00:00:00Z"), ("11-30", "2022-11-30T00:00:00Z"), ("12-01", "2022-12-01T00:00:00Z"),
    ("12-02", "2021-12-02T00:00:00Z"), ("2-29", "2020-02-29T00:00:00Z"),
    ("2022-11-29T10:00", "2022-11-29T10:00:00Z"), ("2022-12-01T11:45:00Z", "2022-12-01T11:45:00Z"), ("2-30", nil),
  ])
  func changesSinceADayAreThoseFromItsBeginning(_ text: String, _ expected: String?) {
    let found = PastDate(text, at: 1_669_896_000)?.beginning
    #expect(found.map { Timestamp(seconds: $0, isUTC: true).description } == expected)
  }

  /// Completion offers tables and columns, also after a parenthesis.
  @Test(arguments: [
    ("sql sel", "select"), ("sql select vendor from pro", "products"), ("sql select avg(pri", "price"),
    ("sql select vendor_i", "vendor_id"), ("sql select n from cal", "calls"),
  ])
  func tablesAndColumnsAreCompleted(_ line: String, _ expected: String) {
    let grammar = AllCommands.registry.grammar
    let found = grammar.completions(line, cursor: line.unicodeScalars.count, sources: .init())
    #expect(found.candidates.map(\.text).contains(expected), "\(found)")
  }
}
