import Catalog

/// Time, handed in: `elapsed` decides, `wall` is only ever shown.
package protocol Chronometer: Sendable {
  /// Monotonic, counting suspended time, from any fixed instant of this process.
  var elapsed: Duration { get }
  /// UTC.
  var wall: Timestamp { get }
  /// Throws `CancellationError` when the task is cancelled.
  func pause(_ duration: Duration) async throws
}
