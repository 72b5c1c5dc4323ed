import Platform

/// The stores to which a session records what it read and sent.
package struct RecordingServices: Sendable {
  /// Records exchanges in the archive, or `nil` if none are recorded.
  package var exchanges: CallRecorder?
  /// Stores the results of complete scans, or `nil` if none are stored.
  package var snapshots: SnapshotRecorder?
  /// The retries and the last exchange of the current command.
  package let log = RequestLog()
}
