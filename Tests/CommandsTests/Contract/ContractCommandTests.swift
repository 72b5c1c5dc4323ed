import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `contract`: the embedded server satisfies every edition, and fails the checks for the known faults.
@Suite(.timeLimit(Trial.limit)) struct ContractCommandTests {
  private static func sandbox(
    _ edition: Edition, quirks: Bool = false, _ body: (Sandbox) async throws -> Void
  ) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(options: options, edition: served, served: { $0.emulatesKnownBugs = quirks }) {
      try await body($0)
    }
  }

  @Test(arguments: Edition.allCases) func embeddedServerSatisfiesEachEdition(_ edition: Edition) async throws {
    try await Self.sandbox(edition) { sandbox in
      let before = await sandbox.data("ls all as jsonl").data
      let read = await sandbox.run("contract as csv")
      #expect(!read.contains(",false\n") && !read.contains("= 6"), "\(read)")
      #expect(read.contains("checks passed: the server follows"), "\(read)")
      let written = await sandbox.run("contract writes yes as csv")
      #expect(!written.contains(",false\n") && !written.contains("= "), "\(written)")
      #expect(written.contains("delete,200,"), "\(written)")
      // The product is deleted at the end.
      #expect(await sandbox.data("ls all as jsonl").data == before)
    }
  }

  /// The checks that fail if the server has the faults of an edition.
  @Test(arguments: [
    (Edition.camp1, ["image of the new product"]), (.camp2, ["image of the new product"]),
    (.training, ["the oldest product", "page 0", "page -1"]),
    (.open, ["page 2", "page 3", "page 0", "page -1", "update", "delete"]),
  ])
  func knownFaultsFailTheirChecks(_ edition: Edition, _ expected: [String]) async throws {
    try await Self.sandbox(edition, quirks: true) { sandbox in
      let said = await sandbox.run("contract writes yes as jsonl")
      let missed = said.split(separator: "\n").filter { $0.contains("\"passed\":false") }.compactMap { line in
        line.firstMatch(of: /"check":"([^"]*)"/).map { String($0.1) }
      }
      #expect(Set(missed) == Set(expected), "\(said)")
      #expect(said.hasSuffix("= 6\n"))
    }
  }

  /// An edition other than the server's own isn't satisfied, which only reads determine.
  @Test func anotherEditionFailsTheReadChecks() async throws {
    var options = SessionOptions()
    options.edition = .training
    try await Sandbox.with(options: options, edition: .open) { sandbox in
      let said = await sandbox.run("contract --tap")
      #expect(said.contains("TAP version 13\n") && said.contains("\nnot ok 3 - "), "\(said)")
      #expect(said.hasSuffix("= 6\n"))
      #expect(await sandbox.run("log").contains("The log is empty."))
    }
  }

  /// Writes require approval, and a read-only session doesn't offer them.
  @Test func contractWritesRequireApproval() async throws {
    try await Sandbox.with { sandbox in
      #expect(await sandbox.run("contract writes").hasSuffix("= 4\n"))
      #expect(await sandbox.run("dry contract writes as csv").contains("Dry run: only read requests are sent."))
      #expect(await sandbox.run("log").contains("The log is empty."))
    }
    var options = SessionOptions()
    options.readOnly = true
    try await Sandbox.with(options: options) { sandbox in
      #expect(await sandbox.run("contract writes yes").hasSuffix("= 4\n"))
    }
  }
}
