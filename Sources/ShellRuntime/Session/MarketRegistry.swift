import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Synchronization
import WriteJournal

/// The generations of markets as their responses say them, and the names of markets in the journal.
///
/// Every copy of a session shares it. It is not part of the session's value.
package final class MarketRegistry: Sendable {
  private struct State {
    /// The generation of each base URL that responded, in canonical form; `nil` where the server sends none.
    var seen: [String: MarketGeneration?] = [:]
    var embedded: [String: URL] = [:]
    /// The names by market: few, so that they are searched in order.
    var names: [(market: MarketIdentity, name: String)] = []
    /// The base URLs whose generation changed or was seen first, since `takeNew()`.
    var new: Set<String> = []
    /// Indicates that the journal is neither read nor written.
    var leavesJournal = false
    /// The canonical forms by base URL, which each response needs.
    var addresses: [(url: URL, address: String)] = []

    /// Returns the canonical form of a base URL, and stores it.
    mutating func address(of url: URL) -> String {
      if let known = addresses.first(where: { $0.url == url }) { return known.address }
      let address = MarketIdentity.canonicalAddress(url.absoluteString)
      addresses.append((url, address))
      return address
    }
  }

  private let state = Mutex(State())
  private let journal: @Sendable () throws -> Journal?

  /// Creates a registry.
  ///
  /// - Parameter journal: Returns the journal, or `nil` if there is none yet.
  package init(journal: @escaping @Sendable () throws -> Journal? = { nil }) { self.journal = journal }

  /// Notes the generation that a response says.
  ///
  /// A response without one, such as that of a proxy, changes nothing that is known.
  package func note(_ exchange: Exchange) {
    guard case .success(let response) = exchange.outcome else { return }
    let generation = response.header(MarketGeneration.headerName).flatMap { MarketGeneration($0) }
    state.withLock { state in
      let base = state.address(of: exchange.base)
      guard let generation else {
        if state.seen[base] == nil { state.seen[base] = .some(nil) }
        return
      }
      if state.seen[base] != generation { state.new.insert(base) }
      state.seen[base] = generation
    }
  }

  /// Replays a market: notes the generation of the recorded responses, so that no request for it is missing in the recording,
  /// and leaves the journal as it is.
  package func replay(_ generation: MarketGeneration?, at url: URL) {
    state.withLock { state in
      state.leavesJournal = true
      if let generation { state.seen[state.address(of: url)] = generation }
    }
  }

  /// Returns the generation at a base URL, or `nil` if no response said one.
  package func generation(at url: URL) -> MarketGeneration? {
    state.withLock { $0.seen[$0.address(of: url)] ?? nil }
  }

  /// Returns the generation of a resource of the server at a base URL; see `MarketGeneration.ofResource(_:)`.
  fileprivate func generation(at url: URL, of resource: String?) -> MarketGeneration? {
    let generation = generation(at: url)
    guard let resource else { return generation }
    return generation?.ofResource(resource)
  }

  /// Returns whether a market at that base URL responded.
  package func hasResponded(at url: URL) -> Bool {
    state.withLock { $0.seen[$0.address(of: url)] != nil }
  }

  /// Returns whether the generation at a base URL changed or was seen first since the last call.
  package func takeNew(at url: URL) -> Bool {
    state.withLock { $0.new.remove($0.address(of: url)) != nil }
  }

  /// The base URL of the embedded market by edition, once it listens.
  package func embeddedURL(_ edition: Edition) -> URL? { state.withLock { $0.embedded[edition.rawValue] } }

  package func setEmbeddedURL(_ url: URL, _ edition: Edition) {
    state.withLock { $0.embedded[edition.rawValue] = url }
  }

  /// Returns the name of a market in the journal; see `Journal.name(of:)`.
  ///
  /// Without a journal it is the address, and if the journal can't be used, nothing is written under the name.
  func name(of market: MarketIdentity) -> String {
    if let known = state.withLock({ state in state.names.first { $0.market == market } }) { return known.name }
    guard !state.withLock({ $0.leavesJournal }), let journal = try? journal(), let name = try? journal.name(of: market)
    else { return market.address }
    // Another process may see another generation at the address in the meantime.
    if market.generation != nil { state.withLock { $0.names.append((market, name)) } }
    return name
  }
}

/// The generation for which a plan was made, to notice that another one responds.
package struct MarketWatch: Sendable {
  private let registry: MarketRegistry
  private let url: URL
  private let resource: String?
  private let expected: MarketGeneration?

  /// Begins to watch a base URL.
  ///
  /// - Parameters:
  ///   - server: The server of the session, with the generations that responded.
  ///   - url: The base URL.
  ///   - market: The market of the products that the plan refers to, or `nil` for the one that responded last.
  package init(_ server: ServerConfiguration, at url: URL, for market: MarketIdentity? = nil) {
    (registry, self.url, resource) = (server.markets, url, server.resource)
    expected = market?.generation ?? registry.generation(at: url, of: resource)
  }

  /// A Boolean value that indicates that a response said another generation since.
  package var isOtherMarket: Bool {
    guard let expected, let now = registry.generation(at: url, of: resource) else { return false }
    return now != expected
  }
}

extension MarketRegistry: Hashable {
  package static func == (left: MarketRegistry, right: MarketRegistry) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

extension Session {
  /// Returns the market at the base URL of its client.
  ///
  /// The address of the embedded market is its edition, because its port changes.
  package func market(at url: URL) -> MarketIdentity {
    let address = server.isEmbedded ? "embedded:" + server.embeddedEdition.rawValue : url.absoluteString
    return MarketIdentity(
      server: address, also: server.otherURLs.map(\.absoluteString), resource: server.resource,
      generation: server.markets.generation(at: url))
  }

  /// The market as far as it is known without a request.
  package var market: MarketIdentity {
    let embedded = server.markets.embeddedURL(server.embeddedEdition)
    return market(at: server.url?.value ?? embedded ?? URL(filePath: "/"))
  }

  /// The market and vendor of writes as far as they are known without a request.
  package var marketLogin: MarketLogin { marketLogin(at: market) }

  /// Returns the market and vendor of writes at the base URL of a client.
  package func marketLogin(at url: URL) -> MarketLogin { marketLogin(at: market(at: url)) }

  private func marketLogin(at market: MarketIdentity) -> MarketLogin {
    MarketLogin(
      profile: server.name, baseURL: server.markets.name(of: market), vendor: credentials.identifier ?? "")
  }
}

extension CommandScope {
  /// Reads the generation of the market, if the server hasn't responded yet.
  ///
  /// Call it before a record is compared with the market, unless products were read already. One product of the list is
  /// requested. Requests that are only shown and recordings have none.
  ///
  /// - Throws: The errors of the request.
  package func recognize(_ market: Client<MarketService>) async throws {
    guard !session.server.markets.hasResponded(at: market.service.baseURL) else { return }
    try await readGeneration(of: market)
  }

  /// Reads the generation of the market, whatever it was before; see `recognize(_:)`.
  ///
  /// - Throws: The errors of the request.
  package func readGeneration(of market: Client<MarketService>) async throws {
    guard mode != .curl else { return }
    do {
      _ = try await market.send(ListProducts(page: 1, size: 1, search: nil))
    } catch let error as TransportError {
      guard case .notRecorded = error.reason else { throw error }
    }
  }

  /// Reads the generation of the market before its records of the journal are used; see `recognize(_:)`.
  ///
  /// In a home that knows no generations, nothing is read.
  ///
  /// - Throws: `JournalError`, and the errors of the request.
  package func recognizeForJournal(_ market: Client<MarketService>) async throws {
    guard Journal.exists(in: context.stores.home.journalFolder), try context.stores.journal().knowsGenerations else {
      return
    }
    try await recognize(market)
  }
}
