import BuildInformation
import Synchronization

/// A `-c` or `-f` with its position among the others.
///
/// They run in the given order, as in psql.
struct GivenSource: Sendable {
  let source: ScriptSource
  let position: Int

  private static let count = Atomic(0)

  /// Creates a source.
  ///
  /// The parser calls this in the order of the command line.
  init(_ source: ScriptSource) {
    self.source = source
    position = GivenSource.count.add(1, ordering: .relaxed).newValue
  }
}
