import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// The rejections of each edition's server at the prompt: the server's message, an explanation, and exit code 1.
@Suite(.timeLimit(Trial.limit)) struct EditionErrorTests {
  @Test(arguments: Edition.allCases) func transcriptOfRejectionsInEachEdition(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(
      options: options, edition: served, between: { door, _ in BendingTransport(inner: door) },
      // With its vendors, the built-in market would refuse a wrong secret at the login.
      adjusting: { $0.network.embedded.vendors = { [] } }
    ) { sandbox in
      try sandbox.writePictures()
      let secret = EmbeddedMarket.demoVendor.secret
      for (name, text) in [("right.txt", secret), ("wrong.txt", "wrong-secret")] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/" + name))
      }
      let said = try await Transcript("Errors/" + edition.rawValue).check(in: sandbox)
      // Every mistake is rejected by the server: none is guessed, unreachable or successful.
      let mistakes = said.components(separatedBy: "# ").dropFirst().filter { !$0.hasPrefix("(") }
      #expect(mistakes.count >= 8)
      for mistake in mistakes {
        #expect(mistake.contains("= 1\n") && !mistake.contains("= 2\n") && !mistake.contains("= 3\n"), "\(mistake)")
        #expect(mistake.contains("response  4"), "\(mistake)")
      }
    }
  }
}
