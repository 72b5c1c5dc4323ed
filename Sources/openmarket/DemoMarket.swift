import EmbeddedMarket
import Engine
import Foundation
import Marketplace
import Platform
import Shell

/// The market inside the program: starts in the background when it is first needed, one for each edition spoken.
actor DemoMarket {
  private let folder: String
  private var starting: [Edition: Task<URL, any Error>] = [:]
  private var running: [EmbeddedMarket] = []

  init(folder: String) { self.folder = folder }

  /// Its address, once it listens; throws `MarketStartError`.
  func address(_ edition: Edition) async throws -> URL {
    if let task = starting[edition] { return try await task.value }
    let folder = folder
    // Making it takes long, and whatever ends the program must not wait for it behind the few threads of the pool.
    let thread = WorkThread("market")
    let task = Task(executorPreference: thread) {
      defer { thread.finish() }
      try Files.makeFolder(folder)
      var options = MarketOptions(dataDirectory: folder)
      options.edition = edition.served
      let market = EmbeddedMarket(options)
      let url = try await market.start()
      await self.keep(market)
      return url
    }
    starting[edition] = task
    do {
      return try await task.value
    } catch let error as MarketStartError {
      starting[edition] = nil
      throw Failure(error)
    } catch {
      // The next command may find the disk writable again.
      starting[edition] = nil
      throw error
    }
  }

  func stop() async {
    for market in running { await market.stop() }
    running = []
  }

  private func keep(_ market: EmbeddedMarket) { running.append(market) }
}

extension Edition {
  /// The server's own word for the edition: the two sides share no types.
  var served: ServedEdition {
    switch self {
    case .camp1: .camp1
    case .camp2: .camp2
    case .training: .training
    case .open: .open
    }
  }
}
