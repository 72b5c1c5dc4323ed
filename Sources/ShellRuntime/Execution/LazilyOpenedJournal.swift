import Synchronization
import WriteJournal

/// A journal that is opened when it is first needed.
package final class LazilyOpenedJournal: Sendable {
  private let opened = Mutex<Journal?>(nil)

  package init() {}

  /// Returns the journal, after calling `open` the first time.
  ///
  /// - Parameter open: Opens the journal.
  /// - Returns: The journal.
  /// - Throws: The error of `open`, which is tried again the next time.
  package func journal(_ open: () throws -> Journal) throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      let journal = try open()
      opened = journal
      return journal
    }
  }
}
