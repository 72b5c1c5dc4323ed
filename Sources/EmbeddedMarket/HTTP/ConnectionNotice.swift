/// A report that connections were closed or have to wait, for the user who runs the server.
///
/// Each kind is reported once a minute.
package struct ConnectionNotice: Hashable, Sendable {
  /// The reason for which connections are closed.
  package enum Kind: Hashable, Sendable, CaseIterable {
    /// All connections are in use, and the one that was idle for longest was closed.
    case full
    /// All connections are in use and none is idle: new ones wait.
    case busy
    /// Almost all connections are in use, and the address has more than its share.
    case share
    /// The address has too many connections that have not sent a byte.
    case silent
    /// The uploads that are being received take too much memory.
    case uploads
  }

  package var kind: Kind
  /// The address of the client whose connection was closed last; "" if it is unknown.
  package var address: String
  /// The number of connections that were closed for this reason since the last report; 0 if they wait.
  package var closedCount: Int
  /// The limit: a number of connections, or of bytes for `uploads`.
  package var limit: Int

  /// The reason in the log, which is English only.
  var reason: String {
    switch kind {
    case .full: "All \(limit) connections are in use: closed \(closedCount) that were idle for longest"
    case .busy: "All \(limit) connections are in use and none is idle: new connections wait"
    case .share: "The address had more than its share of \(limit) connections: closed \(closedCount) that were idle"
    case .silent: "The address had more than \(limit) connections without a request: closed \(closedCount)"
    case .uploads: "Uploads took more than \(limit / 1_048_576) MiB of memory: closed \(closedCount)"
    }
  }
}
