import Foundation
import GRDB
import NIOCore
import NIOPosix

/// A whole market in this process: the API of one edition over a file, with a believable stock of goods.
///
/// Several may run at once over one directory, in one process or in many, each on its own port.
package actor EmbeddedMarket {
  /// The vendor to log in as; owns several products of the sample market.
  package static let demoVendor = SampleVendors.demo

  private let options: MarketOptions
  private let limits: ServerLimits
  private var running: RunningServer?
  private var store: Store?
  private var hasStarted = false

  package init(_ options: MarketOptions) { self.init(options, limits: ServerLimits()) }

  init(_ options: MarketOptions, limits: ServerLimits) {
    self.options = options
    self.limits = limits
  }

  /// Opens or makes the market and listens; the address to reach it at, once it answers there.
  ///
  /// Throws `MarketStartError`.
  package func start() async throws -> URL {
    guard !hasStarted else { throw MarketStartError.alreadyStarted }
    hasStarted = true
    let clock = { @Sendable [now = options.clock] in Stamp(now()) }
    let sample = SampleMarket(seed: options.seed, empty: options.empty, now: clock())
    let store = try await Store.opened(in: options.dataDirectory) { try sample.fill($0) }
    self.store = store
    let desk = Desk(
      store: store, studio: Studio(), rules: Rules(strict: options.strict), quirks: Quirks(isOn: options.quirks),
      clock: clock)
    let server = try await RunningServer.listen(options, limits: limits, edition: edition(desk), clock: clock)
    running = server
    return server.address
  }

  /// Starts, unless that was done, and serves until the task is cancelled.
  package func run() async throws {
    if running == nil { _ = try await start() }
    guard let running else { return }
    await withTaskCancellationHandler {
      await running.finish()
    } onCancel: {
      running.cancel()
    }
    await stop()
  }

  /// Answers what was asked, closes every connection and the file.
  package func stop() async {
    if let running { await running.stop() }
    running = nil
    try? store?.pool.close()
    store = nil
  }

  /// Everything that was changed through any server over this file, oldest first; only between `start` and `stop`.
  package func effects() async throws -> [MarketEffect] {
    guard let store else { return [] }
    return try await store.read { try Effects.all(in: $0) }
  }

  private func edition(_ desk: Desk) -> any Edition {
    switch options.edition {
    case .open: ProductsEdition(kind: .open, desk: desk)
    case .training: ProductsEdition(kind: .training, desk: desk)
    case .camp1: CampEdition(kind: .camp1, desk: desk)
    case .camp2: CampEdition(kind: .camp2, desk: desk)
    }
  }
}
