/// The commands of a session, oldest first.
///
/// The newest 2,000 are stored.
package struct CommandHistory: Hashable, Sendable {
  private static let maximumCount = 2_000

  package private(set) var all: [CommandRecord] = []
  private var count = 0

  package init() {}

  /// The number of the next command.
  package var next: Int { count + 1 }

  package mutating func add(_ record: CommandRecord) {
    count += 1
    all.append(record)
    if all.count > CommandHistory.maximumCount { all.removeFirst(all.count - CommandHistory.maximumCount) }
  }
}
