import Networking
import Platform
import Synchronization
import WriteJournal

/// A journal that is opened when a command first needs it.
///
/// Reading a market works without one.
final class LazyJournal: Sendable {
  private let folder: String
  private let secrets: SecretRegistry
  private let busyTimeout: Duration
  private let opened = Mutex<Journal?>(nil)

  /// Creates the journal.
  ///
  /// `secrets` are redacted from its texts, including secrets that are added later.
  ///
  /// `busyTimeout` is the time to wait for another program that writes to it.
  init(folder: String, secrets: SecretRegistry, busyTimeout: Duration = .seconds(10)) {
    self.folder = folder
    self.busyTimeout = busyTimeout
    self.secrets = secrets
  }

  /// Opens the journal.
  ///
  /// After an error the next call tries again.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  func open() throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      try Files.createDirectory(folder)
      let journal = try Journal(at: folder, busyTimeout: busyTimeout, mask: { [secrets] in secrets.mask($0) })
      opened = journal
      Task.detached(priority: .background) { journal.pruneDaily() }
      return journal
    }
  }

  /// Releases the journal.
  ///
  /// It is closed when its last user is done.
  func close() { opened.withLock { $0 = nil } }
}
