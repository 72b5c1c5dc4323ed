import ShellRuntime
import WriteJournal

extension CommandScope {
  /// Records that the line made something that is no write of the log, such as a sale or a snapshot, if it is a line of a
  /// script: another start of the script would make it again.
  ///
  /// - Throws: `JournalError` if it can't be recorded.
  package func recordStep(_ name: String) throws {
    guard mode == .write, let current = session.script.run, current.unit.kind == .script else { return }
    try context.stores.journal().recordStep(name, of: current, session.marketLogin)
  }
}
