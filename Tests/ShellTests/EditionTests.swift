import EmbeddedMarket
import Foundation
import MarketAPI
import Pacing
import Shell
import ShellRuntime
import Testing

/// Every operation in every edition: the same script ends with the same product.
@Suite(.timeLimit(Trial.limit)) struct EditionTests {
  @Test(arguments: Edition.allCases) func conversation(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await House.visit(options: options, edition: served) { house in
      try house.bringPictures()
      try await Transcript("Editions/" + edition.rawValue).check(in: house)
    }
  }

  /// The output for a product doesn't depend on the server.
  @Test func theSameProductInEveryEdition() throws {
    let folder = (#filePath as NSString).deletingLastPathComponent + "/Transcripts/Editions/"
    let said = try Edition.allCases.map { edition in
      try String(contentsOfFile: folder + edition.rawValue + ".txt", encoding: .utf8)
        .split(separator: "\n").filter { $0.hasPrefix("{\"name\"") }
    }
    #expect(said[0].count == 2)
    #expect(Set(said).count == 1)
  }
}
