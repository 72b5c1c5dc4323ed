import Catalog
import Foundation
import MarketAPI
import Networking
import Synchronization

/// A market of edition `open` whose list is changed by another writer between requests: newest first, with counts.
///
/// Responses arrive in an order chosen by a seed.
package final class MovingMarket: Transport {
  package struct Event: Sendable {
    package var inserts: Int
    /// The positions of deleted products in the list, from 0.
    package var deletes: [Int]

    package init(inserts: Int, deletes: [Int]) {
      self.inserts = inserts
      self.deletes = deletes
    }
  }

  private struct State {
    var ids: [Int]
    var next: Int
    var requests = 0
    var events: [Int: Event]
    var sure: Set<Int>
  }

  private let state: Mutex<State>
  /// The server's own maximum page size.
  private let maximumRows: Int

  package init(count: Int, events: [Int: Event] = [:], maximumRows: Int = 1000, sparse: Bool = false) {
    let ids = (1...max(1, count)).reversed().prefix(count).map { sparse ? $0 * 7 : $0 }
    state = Mutex(State(ids: Array(ids), next: (ids.first ?? 0) + 1, events: events, sure: Set(ids)))
    self.maximumRows = maximumRows
  }

  /// The ids of products that existed since the first request.
  package var throughout: Set<Int> { state.withLock { $0.sure } }
  package var requests: Int { state.withLock { $0.requests } }

  package var client: Client<MarketService> {
    Client(
      MarketService(URL(string: "http://127.0.0.1:1") ?? URL(fileURLWithPath: "/"), dialect: Dialect(.open)),
      through: self)
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    await Task.yield()
    func number(_ name: String) -> Int { request.query.first { $0.name == name }.flatMap { Int($0.value) } ?? 1 }
    let size = min(number("items_per_page"), maximumRows)
    return state.withLock { state in
      state.requests += 1
      if let event = state.events[state.requests] { happen(event, &state) }
      return reply(number("page_no"), size, state)
    }
  }

  private func happen(_ event: Event, _ state: inout State) {
    for place in event.deletes where !state.ids.isEmpty {
      state.sure.remove(state.ids.remove(at: place % state.ids.count))
    }
    for _ in 0..<event.inserts {
      state.ids.insert(state.next, at: 0)
      state.next += 1
    }
  }

  private func reply(_ page: Int, _ size: Int, _ state: State) -> Response {
    let rows = state.ids.dropFirst((page - 1) * size).prefix(size)
    let last = (state.ids.count + size - 1) / size
    let body = """
      {"pageNo":\(page),"itemsPerPage":\(size),"totalCount":\(state.ids.count),"lastPage":\(last),\
      "hasNext":\(page < last),"hasPrev":\(page > 1),\
      "pages":[\(rows.map { "{\"id\":\($0),\"name\":\"n\($0)\",\"price\":\($0).0,\"stock\":1}" }.joined(separator: ","))]}
      """
    return Response(status: 200, headers: [HeaderField("Content-Type", "application/json")], body: Data(body.utf8))
  }
}
