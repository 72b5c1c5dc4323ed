/// One thing done with each of many, so many of them at a time, on threads of the pool: the next begins when one is over.
package enum SideBySide {
  /// - Parameters:
  ///   - items: taken one by one and in their order, each when its turn comes.
  ///   - width: how many are under way at most.
  ///   - take: is handed the results as they come, one after the other.
  /// - Throws: what `work` or `take` throws first; whatever else is under way is cancelled.
  package static func each<Item: Sendable, Value: Sendable>(
    of items: some Sequence<Item>, atOnce width: Int, _ work: @escaping @Sendable (Item) async throws -> Value,
    take: (Value) throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(globalConcurrentExecutor) {
      try await withThrowingTaskGroup(of: Value.self) { group in
        var rest = items.makeIterator()
        func begin() {
          guard let item = rest.next() else { return }
          group.addTask { try await work(item) }
        }
        for _ in 0..<width { begin() }
        while let value = try await group.next() {
          try take(value)
          begin()
        }
      }
    }
  }
}
