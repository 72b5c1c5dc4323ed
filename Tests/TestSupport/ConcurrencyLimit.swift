/// A limit of the tests that run at the same time; others wait in the order of arrival.
///
/// All tests of a run are started at the same time. If each has a server of its own, none of the servers meets its time
/// limits on a small machine; a few at a time finish sooner.
package actor ConcurrencyLimit {
  /// The limit of tests that run a server in the process.
  package static let servers = ConcurrencyLimit(4)
  /// The limit of tests that start programs and wait for them.
  static let programs = ConcurrencyLimit(7)
  /// The limit of tests that compute for long.
  static let counting = ConcurrencyLimit(1)

  /// Indicates that the test is counted already.
  @TaskLocal private static var isWithin = false

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(_ count: Int) { free = count }

  /// Performs the work once fewer tests than the limit run.
  package func run<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
  ) async rethrows -> Value {
    if ConcurrencyLimit.isWithin { return try await work() }
    await enter()
    do {
      let value = try await ConcurrencyLimit.$isWithin.withValue(true, operation: work)
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func leave() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    free += 1
  }
}
