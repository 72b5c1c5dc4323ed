import Presentation

/// A failure about which everything has been said in the report itself.
struct SilentFailure: Error {
  let code: ExitStatus
  /// What was said, for those who report on a whole script.
  var message: Message?
}
