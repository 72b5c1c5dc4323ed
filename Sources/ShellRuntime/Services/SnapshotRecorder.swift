import Catalog
import Dispatch
import Foundation
import History
import MarketAPI
import Platform
import Presentation
import Synchronization
import Text
import WriteJournal

/// Stores the results of complete scans as snapshots of their markets, in the background.
///
/// If that fails, it is reported once; no command fails or waits for it.
package final class SnapshotRecorder: Sendable {
  private struct State {
    var store: MarketSnapshotStore?
    var warning: Message?
    var hasReported = false
  }

  /// The maximum number of products of a scan that is stored automatically.
  ///
  /// Storing so many takes no noticeable time. `snapshot` stores larger markets.
  package static let maxProducts = 20_000

  private let path: String
  private let queue = DispatchQueue(label: "versions", qos: .utility)
  /// The pending disk writes.
  private let writing = DispatchGroup()
  private let state = Mutex(State())

  /// The time that the end of the program waits for a snapshot that is being written.
  private static let flushTimeout = DispatchTimeInterval.seconds(3)

  /// Creates a store.
  ///
  /// Its file and folder are created with the first snapshot.
  package init(at path: String) { self.path = path }

  /// Stores a complete scan asynchronously.
  ///
  /// `taken` is its time in seconds since 1970, UTC.
  package func record(_ products: [Product], of identity: SnapshotMarket, taken: Int64) {
    queue.async(group: writing) {
      do throws(StoreError) {
        try self.store().add(products, of: identity, taken: taken, isComplete: true)
      } catch {
        let reason = error.localizedDescription
        self.state.withLock { state in
          guard !state.hasReported else { return }
          state.hasReported = true
          state.warning = .warning("Could not save this version of the market.", ko: "이 시점의 마켓을 저장하지 못했습니다.")
            .because(reason)
        }
      }
    }
  }

  /// Returns the reason why a version wasn't stored.
  ///
  /// Each process reports it once.
  package func takeWarning() -> Message? {
    state.withLock { state in
      defer { state.warning = nil }
      return state.warning
    }
  }

  /// Returns the archive after all pending versions are written.
  ///
  /// It is created if necessary.
  ///
  /// - Throws: `StoreError`.
  package func flushedStore() async throws(StoreError) -> MarketSnapshotStore {
    await withCheckedContinuation { done in queue.async { done.resume() } }
    return try store()
  }

  /// Waits briefly for pending writes at the end of the program.
  package func finish() { _ = writing.wait(timeout: .now() + SnapshotRecorder.flushTimeout) }

  private func store() throws(StoreError) -> MarketSnapshotStore {
    if let store = state.withLock({ $0.store }) { return store }
    let folder = Paths.parent(of: path)
    guard (try? Files.createDirectory(folder)) != nil else {
      throw .unreachable(path: folder, reason: String(cString: strerror(errno)))
    }
    let store = try MarketSnapshotStore(at: path, isNetwork: PrivateFiles.isNetwork(folder))
    state.withLock { $0.store = $0.store ?? store }
    return store
  }
}

extension Session {
  /// The market whose versions belong to this session.
  ///
  /// The dialect must be known.
  package var snapshotMarket: SnapshotMarket {
    SnapshotMarket(
      name: server.profile?.value ?? server.url?.value.absoluteString ?? ServerConfiguration.demo,
      edition: server.expectedDialect.name, market: market)
  }
}
