import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Impossible numbers from the server or the user are reported and never trap.
@Suite(.timeLimit(Trial.limit)) struct PageLoaderTests {
  static let numbers = [
    "9223372036854775807", "-9223372036854775808", "999999999999999999", "1000000000000", "-1", "0",
  ]

  private func withSandbox(_ number: String, _ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with(between: { door, _ in AbsurdTransport(inner: door, number: number) }, body)
  }

  @Test(arguments: numbers) func scanReadsRowsDespiteImpossibleCounts(_ number: String) async throws {
    try await withSandbox(number) { sandbox in
      let all = await sandbox.data("ls all columns id as jsonl")
      #expect(all.data.split(separator: "\n").count { $0.hasPrefix("{") } == 141, "\(all.all)")
      let some = await sandbox.data("ls where id>138 columns id as jsonl")
      #expect(some.data.split(separator: "\n").count { $0.hasPrefix("{") } == 3, "\(some.all)")
      let plan = await sandbox.run("dry patch mine stock=77")
      #expect(plan.contains("Dry run: nothing was sent."), "\(plan)")
    }
  }

  @Test(arguments: numbers) func nextAndPrevWorkDespiteImpossibleCounts(_ number: String) async throws {
    try await withSandbox(number) { sandbox in
      #expect(await sandbox.data("ls columns id as jsonl").data.split(separator: "\n").count == 20)
      await sandbox.shell.readAhead()
      for line in ["next", "prev", "last", "next", "refresh"] {
        let said = await sandbox.run(line)
        #expect(!said.contains("error:") && !said.contains("\n= "), "\(line): \(said)")
      }
    }
  }

  @Test(arguments: numbers) func productIsCreatedAndDeletedDespiteImpossibleCounts(_ number: String) async throws {
    try await withSandbox(number) { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run("ls")
      let made = await sandbox.run(
        "new name='우유병 텀블러' description='보온이 잘 되는 텀블러입니다' price=3500 currency=KRW images=~/cup.png yes")
      #expect(made.contains("Created product 142."), "\(made)")
      let gone = await sandbox.run("rm 142 yes")
      #expect(gone.contains("Deleted product 142."), "\(gone)")
    }
  }

  /// The search for the last page has a bounded number of steps, and nothing is created if it isn't found.
  @Test(arguments: [Edition.camp1, .camp2]) func searchForTheLastPageIsBounded(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(
      options: options, edition: served, between: { door, _ in FirstPageTransport(inner: door) }
    ) { sandbox in
      try sandbox.writePictures()
      let all = await sandbox.data("ls all columns id as jsonl")
      #expect(
        all.data.split(separator: "\n").count { $0.hasPrefix("{") } == 20 && all.data.hasSuffix("= 7\n"), "\(all)")
      _ = await sandbox.run("ls")
      let last = await sandbox.run("last")
      #expect(last.contains("error: Could not find the last page.") && last.hasSuffix("= 1\n"), "\(last)")
      let made = await sandbox.run(
        "new name='우유병 텀블러' description='보온이 잘 되는 텀블러입니다' price=3500 currency=KRW images=~/cup.png yes")
      #expect(made.contains("the list does not end") && made.hasSuffix("= 3\n"), "\(made)")
    }
  }

  @Test(arguments: [
    "ls page 9223372036854775807", "ls page 1000000000001", "ls page 99999999999999999999",
    "ls size 9223372036854775807", "ls size 10001",
  ])
  func impossiblePageIsRefused(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run(line)
      #expect(said.hasPrefix("! error: Invalid value for ") && said.hasSuffix("= 2\n"), "\(said)")
      #expect(await !sandbox.run("next").contains("error:"))
    }
  }

  @Test(arguments: [Edition.camp2, .training, .open]) func largestPageHasNoNext(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(options: options, edition: served) { sandbox in
      let far = await sandbox.run("ls page 1000000000000 columns id")
      #expect(far.contains("There is no page 1000000000000."), "\(far)")
      #expect(await sandbox.run("next").contains("This is the last page."))
      #expect(await !sandbox.run("prev").contains("error:"))
    }
  }
}
