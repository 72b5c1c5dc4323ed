import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Every operation in every edition: the same script ends with the same product.
@Suite(.timeLimit(Trial.limit)) struct EditionScriptTests {
  @Test(arguments: Edition.allCases) func transcriptOfEachEdition(_ edition: Edition) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await Sandbox.with(options: options, edition: served) { sandbox in
      try sandbox.writePictures()
      let said = try await Transcript("Editions/" + edition.rawValue).check(in: sandbox)
      // The output for a product doesn't depend on the server.
      let name = #""name":"판 시험 상품","description":"네 판에 같은 상품""#
      #expect(
        said.split(separator: "\n").filter { $0.hasPrefix("{\"name\"") } == [
          #"{\#(name),"price":12000,"discount":1000,"sale":11000,"currency":"KRW","stock":3}"#,
          #"{\#(name),"price":15000,"discount":1000,"sale":14000,"currency":"KRW","stock":5}"#,
        ])
    }
  }
}
