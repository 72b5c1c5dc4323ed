/// So many at once, first come, first served.
///
/// All tests of a run are under way at the same time. Where each has a server of its own, none of the servers gets far
/// enough within its time limits on a small machine: a few at a time are done sooner.
package actor Places {
  /// For tests that run a server in the process.
  package static let servers = Places(4)
  /// For tests that start programs and wait for them.
  static let programs = Places(4)
  /// For tests that count for long.
  static let counting = Places(1)

  /// A test that has a place already needs no other.
  @TaskLocal private static var isSeated = false

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  package init(_ count: Int) { free = count }

  /// Does the work once there is a place.
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
