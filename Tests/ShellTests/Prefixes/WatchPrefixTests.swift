import Catalog
import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// `watch` prints the rows that change; the test controls the time between rounds.
@Suite(.timeLimit(Trial.limit)) struct WatchPrefixTests {
  @Test func changedRowsArePrinted() async throws {
    let said = try await watching(
      "watch 5 ls page 2 size 2 columns id,name,price,stock",
      [
        .nothing, .away, .away, .nothing,
        .write { _ = try await $0.send(EditProduct(138, WatchPrefixTests.fields(price: 8500), boundary: "b")) },
        .write { try await WatchPrefixTests.delete(138, $0) },
      ])
    #expect(
      said == """
         id  name                     price  stock
        139  Cotton T-shirt, Sage  US$17.90     59
        138  먹색 요리책            ₩19,000     25
        ! warning: Cannot reach the server.
        !   reason: Connection refused.
        !   hint: Is the server running? Run `session` to check the URL.
        !   hint: Still watching.
        ! The server is responding again.
        138 price 19000 -> 8500
        + 137 크림 한지 조명  price 81900  stock 47
        - 138 먹색 요리책
        ! note: Interrupted.
        = 130

        """)
  }

  @Test func eachChangeIsAJSONObject() async throws {
    let said = try await watching(
      "watch 5 show 138 name price as json",
      [
        .write { _ = try await $0.send(EditProduct(138, WatchPrefixTests.fields(price: 8500), boundary: "b")) },
        .write { try await WatchPrefixTests.delete(138, $0) },
      ])
    #expect(
      said == """
        {"name":"먹색 요리책","price":19000}
        {"change":"changed","id":138,"field":"price","before":19000,"after":8500}
        ! warning: Not found on the server.
        !   reason: Status 404: Product 138 does not exist
        !   hint: Still watching.
        ! note: Interrupted.
        = 130

        """)
  }

  @Test func untilEndsTheWatch() async throws {
    let said = try await watching(
      "watch 5 show 138 stock until stock=40",
      [.write { _ = try await $0.send(EditProduct(138, WatchPrefixTests.fields(stock: 40), boundary: "b")) }])
    #expect(
      said == """
        stock  25
        138 stock 25 -> 40
        ! note: Product 138 now matches `stock=40`.

        """)
  }

  @Test func unreachableServerIsWaitedFor() async throws {
    let said = try await watching("watch 5 health", [.away, .nothing], startsAway: true)
    #expect(
      said == """
        ! warning: Cannot reach the server.
        !   reason: Connection refused.
        !   hint: Is the server running? Run `session` to check the URL.
        !   hint: Still watching.
        ! The server is responding again.
        health  OK
        ! note: Interrupted.
        = 130

        """)
  }

  /// The commands of scheduled changes are writes; their lists are not.
  @Test(arguments: ["watch 5 due", "watch 5 sale list"]) func listOfScheduledChangesIsWatched(_ line: String)
    async throws
  {
    let said = try await watching(line, [])
    #expect(said.contains("No scheduled plans.\n") && said.hasSuffix("! note: Interrupted.\n= 130\n"), "\(said)")
  }

  @Test func invalidWatchLineIsRefused() async throws {
    let lines = [
      "watch 5 rm 12", "watch 5 due apply", "watch 5 sale cancel 1", "watch 5 curl ls", "watch 5 time ls", "watch 0 ls",
      "watch 5 ls to a.txt", "watch 5 ls | cat",
      "watch 5 clear", "time curl ls", "watch 5", "ls until stock=0",
    ]
    let pauses = Counter()
    try await Sandbox.with(adjusting: { $0.clock.pause = { _ in _ = pauses.next() } }) { sandbox in
      for line in lines {
        let said = await sandbox.run(line)
        #expect(said.hasSuffix("= 2\n"), "\(line)\n\(said)")
      }
    }
    #expect(pauses.next() == 1, "nothing was watched")
  }

  @Sendable private static func delete(_ id: Product.ID, _ market: Client<MarketService>) async throws {
    let ticket = try await market.send(RequestDeletion(id))
    _ = try await market.send(DeleteProduct(id, token: ticket))
  }

  private static func fields(price: Int? = nil, stock: Int? = nil) -> ProductValues {
    var fields = ProductValues()
    fields.price = price.map { Amount(Decimal($0)) }
    fields.stock = stock
    return fields
  }

  /// An event between two rounds.
  ///
  /// After the last one comes Ctrl-C.
  private enum Happening: Sendable {
    case nothing
    /// The server is unreachable until the next event.
    case away
    case write(@Sendable (Client<MarketService>) async throws -> Void)
  }

  private func watching(_ line: String, _ happenings: [Happening], startsAway: Bool = false) async throws -> String {
    let isAway = Mutex(startsAway)
    let door = Mutex<(any Transport)?>(nil)
    let rest = Mutex(happenings[...])
    let result = Mutex("")
    try await Sandbox.with(
      between: { transport, url in
        door.withLock { $0 = transport }
        return Fickle(transport) { isAway.withLock { $0 } }
      },
      adjusting: { context in
        let credentials = context.network.embedded.login?.credentials
        let address = context.network.embedded.address
        context.clock.pause = { _ in
          guard let next = rest.withLock({ $0.popFirst() }), let transport = door.withLock({ $0 }) else {
            throw CancellationError()
          }
          isAway.withLock { $0 = false }
          switch next {
          case .nothing: break
          case .away: isAway.withLock { $0 = true }
          case .write(let write):
            try await write(
              Client(
                MarketService(address(.open), dialect: Dialect(.open), credentials: credentials), through: transport))
          }
        }
      }
    ) { sandbox in
      let said = await sandbox.run(line)
      result.withLock { $0 = said }
    }
    return result.withLock { $0 }
  }

  /// A transport that fails at times.
  private struct Fickle: Transport {
    let inner: any Transport
    let isAway: @Sendable () -> Bool

    init(_ inner: any Transport, isAway: @escaping @Sendable () -> Bool) {
      self.inner = inner
      self.isAway = isAway
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if isAway() { throw TransportError(.connectionRefused, extent: .none) }
      return try await inner.send(request, to: base, with: options)
    }
  }
}
