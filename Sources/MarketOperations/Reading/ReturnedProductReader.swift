import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The reader of products by numbers that may be old: a product that was deleted and brought back has another number, and its old
/// one still means it.
package struct ReturnedProductReader: Sendable {
  private let market: Client<MarketService>
  private let scope: CommandScope

  package init(_ market: Client<MarketService>, _ scope: CommandScope) {
    self.market = market
    self.scope = scope
  }

  /// Returns the product with that number, or the one that it has become, which is said.
  ///
  /// - Throws: The client's errors; for a product that doesn't exist, the error of the first read.
  package func product(_ id: Product.ID) async throws -> Product {
    try await read(id) { try await market.send(GetProduct($0)) }
  }

  /// Returns what `read` finds at that number, or at the one that the product has now, which is said.
  ///
  /// The log is only asked if there is no such product: a server may give an old number to a new product.
  ///
  /// - Throws: The errors of `read`; for a product that doesn't exist, the error of its first call.
  package func read<Value: Sendable>(
    _ id: Product.ID, by read: @Sendable (Product.ID) async throws -> Value
  ) async throws -> Value {
    do {
      return try await read(id)
    } catch let missing as MarketError where missing.status == 404 {
      guard let now = try current(id) else { throw missing }
      do {
        let value = try await read(now)
        scope.say(ReturnedProductReader.note(id, now: now))
        return value
      } catch let error as MarketError where error.status == 404 {
        throw missing
      }
    }
  }

  static func note(_ id: Product.ID, now: Product.ID) -> Message {
    .note("Product \(id) was deleted and restored as product \(now).", ko: "\(id)번 상품은 삭제했다가 \(now)번으로 되돌렸습니다.")
  }

  /// Returns the number that a restored product has now, or `nil` for any other number.
  private func current(_ id: Product.ID) throws -> Product.ID? {
    guard Journal.exists(in: scope.context.stores.home.journalFolder) else { return nil }
    let now = try scope.context.stores.journal().identity(of: id, scope.session.marketLogin(at: market.service.baseURL))
    return now == id ? nil : now
  }
}
