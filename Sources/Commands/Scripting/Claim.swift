import Engine
import Presentation

/// Something that a script says is so.
protocol Claim: Sendable {
  /// Throws `Failure` with `.assertionFailed` when it is not.
  func prove(_ session: inout Session, _ mode: Execution.Mode, in context: Context) async throws
  /// Throws what is wrong with it as it is written.
  func check(_ session: inout Session, in context: Context) throws
}

extension Claim {
  package func check(_ session: inout Session, in context: Context) throws {}
}
