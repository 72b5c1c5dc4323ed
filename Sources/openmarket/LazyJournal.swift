import Journal
import Networking
import Platform
import Shell
import Synchronization

/// The journal, opened when a command first needs it: reading a market works without one.
final class LazyJournal: Sendable {
  private let folder: String
  private let secrets: KnownSecrets
  private let opened = Mutex<Journal?>(nil)

  /// - Parameter secrets: what no text in it will hold, also those that become known later.
  init(folder: String, secrets: KnownSecrets) {
    self.folder = folder
    self.secrets = secrets
  }

  /// Throws `JournalFailure` where not even the log can be read; the next command tries again.
  func open() throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      try Files.makeFolder(folder)
      let journal = try Journal(at: folder, mask: { [secrets] in secrets.mask($0) })
      opened = journal
      Task.detached(priority: .background) { journal.sweepDaily() }
      return journal
    }
  }
}
