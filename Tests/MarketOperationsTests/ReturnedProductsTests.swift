import Catalog
import MarketOperations
import Platform
import ShellTesting
import TestSupport
import Testing
import WriteJournal

/// A product that an undo created again is found by its former id.
@Suite(.timeLimit(Trial.limit)) struct ReturnedProductsTests {
  /// One journal holds the writes to all markets, and each market counts its products from 1.
  @Test(arguments: [("embedded:open", 142), ("http://127.0.0.1:1", 120)] as [(String, Product.ID)])
  func idOfAReturnedProductIsFollowedInItsOwnMarket(baseURL: String, id: Product.ID) async throws {
    try await Sandbox.with { sandbox in
      for line in ["rm 120 yes", "undo yes"] { #expect(!(await sandbox.run(line)).contains("\n= ")) }
      let journal = try Journal(at: sandbox.home.journalFolder)
      #expect(try ReturnedProducts(journal, at: baseURL).current(120) == id)
    }
  }
}
