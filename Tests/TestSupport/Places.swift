/// A semaphore with a fixed number of places, in the order of arrival.
///
/// All tests of a run are started at the same time. If each has a server of its own, none of the servers meets its time
/// limits on a small machine; a few at a time finish sooner.
package actor Places {
  /// The places for tests that run a server in the process.
  package static let servers = Places(4)
  /// The places for tests that start programs and wait for them.
  static let programs = Places(4)
  /// The places for tests that compute for long.
  static let counting = Places(1)

  /// Indicates that the test has a place already and needs no other.
  @TaskLocal private static var isSeated = false

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(_ count: Int) { free = count }

  /// Performs the work once there is a free place.
  package func hold<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
  ) async rethrows -> Value {
    if Places.isSeated { return try await work() }
    await take()
    do {
      let value = try await Places.$isSeated.withValue(true, operation: work)
      await giveBack()
      return value
    } catch {
      await giveBack()
      throw error
    }
  }

  private func take() async {
    guard free == 0 else { return free -= 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func giveBack() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    free += 1
  }
}
