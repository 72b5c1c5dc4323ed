/// How fast and how stubbornly a batch goes.
package struct Pace: Hashable, Sendable {
  /// Writes in flight together, 1 to 8; never two on one product.
  package var jobs: Int
  /// At least this long between two sends; nil for no limit.
  package var spacing: Duration?
  /// Stops after so many failures in a row.
  package var stopAfter: Int

  package init(jobs: Int = 1, spacing: Duration? = nil, stopAfter: Int = 5) {
    self.jobs = min(max(jobs, 1), 8)
    self.spacing = spacing
    self.stopAfter = max(stopAfter, 1)
  }
}
