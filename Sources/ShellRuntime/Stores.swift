import CommandLanguage
import MarketAPI
import Networking
import Platform
import WriteJournal

/// The stores of the program: its home with its files, the journal, the archive, and the secrets that none of them may
/// contain.
package struct Stores: Sendable {
  package var home: AppDirectories
  /// Returns the journal, which is opened when it is first needed.
  ///
  /// Throws `JournalError` if it can't be written.
  package var journal: @Sendable () throws -> Journal
  /// The secrets that are removed from the journal.
  package let secrets: SecretRegistry
  package var recording: RecordingServices
  package var typedLines: InputHistoryAccess
  /// Returns a unique name for a multipart boundary or an operation.
  package var freshName: @Sendable () -> String

  package init(
    home: AppDirectories, secrets: SecretRegistry = SecretRegistry(), calls: CallRecorder? = nil,
    journal: @escaping @Sendable () throws -> Journal, freshName: @escaping @Sendable () -> String,
    typedLines: InputHistoryAccess = InputHistoryAccess()
  ) {
    self.home = home
    self.secrets = secrets
    self.journal = journal
    self.freshName = freshName
    recording = RecordingServices(exchanges: calls, snapshots: SnapshotRecorder(at: home.versionsFile))
    self.typedLines = typedLines
  }
}

extension Stores {
  /// Adds secrets to those that are removed from the journal from now on.
  ///
  /// Identifiers and one-time deletion tokens aren't added: an identifier may be an ordinary word, and a deletion token
  /// is replaced by a placeholder where it is sent.
  package func remember(_ secrets: [NamedSecret]) {
    let others = [Credentials.identifierVariable, Credentials.deletionTokenVariable]
    self.secrets.add(secrets.filter { !others.contains($0.environmentVariable) })
  }

  /// Returns whether a file name would show a secret to everybody who can list its folder.
  package func holdsSecret(name: String) -> Bool { CommandParser.showsSecret(name) || secrets.occur(in: name) }
}

/// The stores to which a session records what it read and sent.
package struct RecordingServices: Sendable {
  /// Records exchanges in the archive, or `nil` if none are recorded.
  package var exchanges: CallRecorder?
  /// Stores the results of complete scans, or `nil` if none are stored.
  package var snapshots: SnapshotRecorder?
  /// The retries and the last exchange of the current command.
  package let log = RequestLog()
}

/// The lines that the user typed, in this session and earlier ones.
package struct InputHistoryAccess: Sendable {
  package var lines: @Sendable () async -> [String]
  /// Removes lines and returns their number.
  package var remove: @Sendable (Set<String>) async -> Int

  package init(
    lines: @escaping @Sendable () async -> [String] = { [] },
    remove: @escaping @Sendable (Set<String>) async -> Int = { _ in 0 }
  ) {
    self.lines = lines
    self.remove = remove
  }
}
