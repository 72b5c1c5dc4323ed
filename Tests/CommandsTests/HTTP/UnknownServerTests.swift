import EmbeddedMarket
import Foundation
import Networking
import Platform
import Shell
import ShellTesting
import TestSupport
import Testing

/// The exploration of an unknown server, from its address to the files saved at the end.
@Suite(.timeLimit(Trial.limit)) struct UnknownServerTests {
  @Test func explorationOfAnUnknownServerEqualsItsTranscript() async throws {
    try await Sandbox.with(served: { $0.enforcesDocumentedLimits = true }) { sandbox in
      try sandbox.writeFile("key", EmbeddedMarket.demoVendor.secret)
      try await Transcript("Requests/exploring").check(in: sandbox)
      let folder = sandbox.folder
      func left(_ name: String) throws -> String { try String(contentsOfFile: folder + "/" + name, encoding: .utf8) }

      let archive = try left("session.har")
      #expect(HARChecker().problems(of: try JSON(parsing: Data(archive.utf8))) == [])
      let report = try left("contract.csv").split(separator: "\r\n")
      #expect(report.count > 20 && report.dropFirst().allSatisfy { $0.hasSuffix(",true") })
      let script = try left("session.market")
      try Golden("Requests/exploring-script", in: Transcript.folder).check(
        script.replacing(folder, with: "HOME").replacing(sandbox.url.absoluteString, with: "http://market"))
      for text in [archive, script] { #expect(!text.contains(EmbeddedMarket.demoVendor.secret)) }
      // The saved files have the same effect as the session.
      #expect(await sandbox.shell.run("source ~/session.market") == .success)
      #expect(
        try await SwiftCodeGeneratorTests.run("swiftc -swift-version 6 -typecheck \(folder)/show.swift", sandbox) == "")
    }
  }
}
