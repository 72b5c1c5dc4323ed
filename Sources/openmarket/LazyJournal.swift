import Journal
import Marketplace
import Networking
import Shell
import Synchronization

/// The journal, opened when a command first needs it: reading a market works without one.
final class LazyJournal: Sendable {
  private let folder: String
  private let secrets: Credentials
  private let opened = Mutex<Journal?>(nil)

  init(folder: String, secrets: Credentials) {
    self.folder = folder
    self.secrets = secrets
  }

  /// Throws `JournalFailure` where not even the log can be read; the next command tries again.
  func open() throws -> Journal {
    try opened.withLock { opened in
      if let opened { return opened }
      try Files.makeFolder(folder)
      let masker = Masker([secrets.secret].compactMap { $0 }.map { NamedSecret(Credentials.secretVariable, $0) })
      let journal = try Journal(at: folder, mask: { masker.mask($0) })
      opened = journal
      Task.detached(priority: .background) { journal.sweepDaily() }
      return journal
    }
  }
}
