import Journal
import Synchronization

/// A journal that is opened when it is first asked for, and then kept.
package final class OnceOpened: Sendable {
  private let opened = Mutex<Journal?>(nil)

  package init() {}

  /// The journal, opened by `open` the first time.
  ///
  /// - Throws: what `open` throws; it is tried again the next time.
  package func journal(_ open: () throws -> Journal) throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      let journal = try open()
      opened = journal
      return journal
    }
  }
}
