import Archive
import Catalog
import Dispatch
import Foundation
import Journal
import Marketplace
import Platform
import Presentation
import Synchronization
import Text

/// Keeps what whole scans saw as versions of their markets, behind the back of the command that scanned. Where that
/// fails it is said once; no command fails or waits for it.
package final class VersionKeeper: Sendable {
  private struct State {
    var store: VersionStore?
    var trouble: Message?
    var hasTold = false
  }

  /// Products of a scan that is kept unasked: nobody notices so many. A larger market is kept by `mirror` and `snapshot`.
  package static let most = 20_000

  private let path: String
  private let queue = DispatchQueue(label: "versions", qos: .utility)
  /// What is still to be written.
  private let writing = DispatchGroup()
  private let state = Mutex(State())

  /// How long the end of the program waits for a version that is being written.
  private static let patience = DispatchTimeInterval.seconds(3)

  /// - Parameter path: of the file, made with its folder when the first version is kept.
  package init(at path: String) { self.path = path }

  /// Keeps a scan that saw the whole market; comes back at once.
  ///
  /// - Parameter taken: seconds since 1970, UTC.
  package func keep(_ products: [Product], of place: MarketPlace, taken: Int64) {
    queue.async(group: writing) {
      do throws(ArchiveFailure) {
        try self.store().add(products, of: place, taken: taken, isComplete: true)
      } catch {
        let reason = error.words
        self.state.withLock { state in
          guard !state.hasTold else { return }
          state.hasTold = true
          state.trouble = .warning("This version of the market was not kept.", ko: "이 시점의 마켓을 저장하지 못했습니다.")
            .because(reason)
        }
      }
    }
  }

  /// Why a version was not kept; each process says it once.
  package func trouble() -> Message? {
    state.withLock { state in
      defer { state.trouble = nil }
      return state.trouble
    }
  }

  /// The archive itself, with everything that was handed over so far; made when it is not there.
  ///
  /// - Throws: `ArchiveFailure`.
  package func settled() async throws(ArchiveFailure) -> VersionStore {
    await withCheckedContinuation { done in queue.async { done.resume() } }
    return try store()
  }

  /// Where the file is, for a query of its own.
  package var file: String { path }

  /// The end of the program: what is not written soon is given up.
  package func finish() { _ = writing.wait(timeout: .now() + VersionKeeper.patience) }

  private func store() throws(ArchiveFailure) -> VersionStore {
    if let store = state.withLock({ $0.store }) { return store }
    let folder = Paths.parent(of: path)
    guard (try? Files.makeFolder(folder)) != nil else {
      throw .unreachable(path: folder, reason: String(cString: strerror(errno)))
    }
    let store = try VersionStore(at: path, isNetwork: PrivateFiles.isNetwork(folder))
    state.withLock { $0.store = $0.store ?? store }
    return store
  }
}

extension Session {
  /// Whose versions are those of this session. The edition must be known.
  package var marketPlace: MarketPlace {
    let address = server.url?.value.absoluteString ?? ""
    return MarketPlace(
      name: server.profile?.value ?? (address.isEmpty ? ServerContext.demo : address),
      edition: (server.edition?.value ?? .open).rawValue, address: address)
  }
}
