import EmbeddedMarket
import Foundation
import GRDB
import Platform
import Shell
import TestSupport
import Testing
import WriteJournal

/// A full disk or an unusable journal: reads work, nothing is sent, and the reason is reported.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct DiskFullTests {
  /// The limits are in blocks of 512 bytes, and whole pages of a file as on a disk. The second run begins with the journal that the first one left.
  @Test(arguments: Trial.isLong ? [0, 8, 40, 64, 96, 128, 160, 200, 304] : [0, 8, 64, 128, 304])
  func fullDiskStopsWritesButNotReads(limit: Int) async throws {
    try await Town.with { town in
      await #expect(try town.run([town.new("Before"), town.new("Second")]).code == 0)
      let id = try #require(try await town.market.auditLog().first?.product)
      for round in 1...2 {
        let patches = (1...30).map { "patch \(id) stock=\(round * 100 + $0)" }
        let before = try await town.market.auditLog().count
        let run = try await town.run(patches + ["ls", "show \(id)"], fileLimit: limit)
        let sent = try await town.market.auditLog().count - before
        // The write was sent and confirmed, but its outcome couldn't be stored.
        let isUnwritten = run.errors.split(separator: "\n")
          .contains { $0.contains("Cannot write to the log") && !$0.contains("Nothing was sent.") }
        #expect(run.code == (isUnwritten ? 5 : sent == 30 ? 0 : 4), "\(run.code): \(run.errors)")
        #expect(run.errors.components(separatedBy: "Nothing was sent").count - 1 == 30 - sent, "\(run.errors)")
      }
      // Products may have changed before writes that were planned and never sent. That is reported, and isn't a failure
      // of the disk.
      try await town.run(["resume yes"])
      let after = try await town.run(["patch \(id) stock=7", "log as json"])
      #expect(after.code == 0, "\(after.errors)")
      await #expect(try town.faults() == [])
    }
  }

  @Test func initiallyFullDiskAllowsReads() async throws {
    try await Town.with { town in
      let run = try await town.run(["ls", town.new("Never"), "health"], fileLimit: 1)
      #expect(run.code == 4, "\(run.errors)")
      #expect(run.errors.contains("Cannot write to the log"), "\(run.errors)")
      #expect(try await town.market.auditLog().isEmpty)
      await #expect(try town.run([town.new("Now")]).code == 0)
    }
  }

  @Test func newerJournalIsReadOnly() async throws {
    try await Town.with { town in
      await #expect(try town.run([town.new("Before")]).code == 0)
      try await DatabaseQueue(path: journal(town)).write { try $0.execute(sql: "PRAGMA user_version = 99") }
      let run = try await town.run(["ls", "log 1 as json", "patch mine stock=5", "rm 1", town.new("Never")])
      #expect([2, 4].contains(run.code), "\(run.errors)")
      #expect(run.output.contains("Before"))
      #expect(
        run.errors.contains("The log was written by a newer version of openmarket (format 99). Nothing was sent."))
      #expect(try await town.market.auditLog().count == 1)
    }
  }

  /// The last page is truncated, replaced by an earlier one, or zeroed.
  @Test(arguments: Tear.allCases)
  func damagedJournalStopsWrites(tear: Tear) async throws {
    try await Town.with { town in
      await #expect(try town.run((1...8).map { town.new("Before \($0)") }).code == 0)
      try tear.apply(to: journal(town))
      let run = try await town.run(["ls", "show 1", town.new("After")])
      let count = try await town.market.auditLog().count
      // Either the damage was detected and nothing sent, or it had no effect and the write is normal.
      #expect(count == (run.code == 0 ? 9 : 8), "\(run.errors)")
      #expect([0, 5].contains(run.code), "\(run.errors)")
      #expect(run.output.contains("Before 1"), "\(run.errors)")
      #expect(run.errors.contains("Nothing was sent") == (run.code == 5), "\(run.errors)")
      #expect(run.code == tear.code, "\(run.errors)")
    }
  }

  enum Tear: CaseIterable {
    case halfPage
    case noise
    case noDatabase
    case strangeLog

    /// The exit code of the shell.
    ///
    /// It isn't known which earlier changes took effect. A file that was never a WAL isn't part of the journal, and has no
    /// effect.
    var code: Int32 { self == .strangeLog ? 0 : 5 }

    func apply(to path: String) throws {
      var bytes = FileManager.default.contents(atPath: path) ?? Data()
      switch self {
      case .halfPage: bytes = bytes.dropLast(2048)
      case .noise: bytes = bytes.dropLast(4096 * 6) + Data((0..<4096 * 6).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) })
      case .noDatabase: bytes = Data("This was a journal once.\n".utf8) + bytes.dropFirst(25)
      case .strangeLog:
        try Files.write(Data(repeating: 0xA5, count: 10_000), to: path + "-wal", mode: 0o600)
        return
      }
      try Files.write(bytes, to: path, mode: 0o600)
    }
  }

  private func journal(_ town: Town) -> String { town.home.journalFolder + "/journal.sqlite" }
}
