import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Every operation in every edition, with everything that it prints.
///
/// That all editions have the same product is tested by `EditionMatrixTests`.
@Suite(.timeLimit(Trial.limit)) struct EditionScriptTests {
  @Test(arguments: Edition.allCases) func transcriptOfEachEdition(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(options: options, edition: served) { sandbox in
      try sandbox.writePictures()
      try await Transcript("Editions/" + edition.rawValue).check(in: sandbox)
    }
  }
}
