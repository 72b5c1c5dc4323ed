import Platform
import WriteJournal

/// The decision that other lines are executed instead of, or before, the one that was typed.
///
/// It is thrown like an error, because nothing of the line may be executed.
package enum RunRedirection: Error, Hashable, Sendable {
  /// The interrupted run goes on.
  ///
  /// `isApproved` indicates that the line has its key, so that what it sends was approved before.
  case resume(Int, isApproved: Bool)
  /// The interrupted runs are undone first, and then the line is executed.
  case undoFirst([Int])
  /// A run with the same key has ended: nothing is executed.
  case hasEnded(Int)
}

/// The result of the lines of a script after the one where an interrupted run stopped.
package enum ResumedScript: Hashable, Sendable {
  /// Nothing is left to run.
  case complete
  /// A line failed with this status, which was already reported.
  case failed(ExitStatus)
  /// These lines can't be run, because they need values of earlier lines or the script has changed. It is empty if it isn't
  /// known which ones are left.
  case notRun([Run.ScriptLine])

  /// A Boolean value that indicates that lines are or may be left, so that the run stays interrupted.
  package var isStopped: Bool { self != .complete }
}
