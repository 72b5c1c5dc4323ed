/// Runs an asynchronous operation for each element with bounded concurrency, on the global concurrent executor.
package enum BoundedTaskGroup {
  /// Calls `work` for each item and passes the results to `take` in order of completion.
  ///
  /// - Parameters:
  ///   - items: The items, taken one by one in their order when there is capacity.
  ///   - width: The maximum number of concurrent operations.
  ///   - work: The operation.
  ///   - take: The receiver of the results, called one at a time.
  /// - Throws: The first error of `work` or `take`; the remaining operations are cancelled.
  package static func forEachConcurrently<Item: Sendable, Value: Sendable>(
    of items: some Sequence<Item>, atOnce width: Int, _ work: @escaping @Sendable (Item) async throws -> Value,
    take: (Value) throws -> Void
  ) async throws {
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
