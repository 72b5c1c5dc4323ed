/// The limits for executing a batch.
package struct BatchOptions: Hashable, Sendable {
  /// The number of writes in flight, 1 to 8; never two for one product.
  package var concurrency: Int
  /// The minimum interval between two attempts, or `nil` for no limit.
  package var minimumInterval: Duration?
  /// The number of consecutive failures after which the batch stops.
  package var failureLimit: Int
  /// A Boolean value that indicates whether status 403 stops the batch, as it does if every product is another vendor's.
  package var stopsWhenForbidden = true

  package init(concurrency: Int = 1, minimumInterval: Duration? = nil, failureLimit: Int = 5) {
    self.concurrency = min(max(concurrency, 1), 8)
    self.minimumInterval = minimumInterval
    self.failureLimit = max(failureLimit, 1)
  }
}
