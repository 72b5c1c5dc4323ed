import GRDB

/// One request and its response as stored in the archive: the searchable values as columns, everything else in a
/// compressed text whose format the writer defines.
///
/// The writer has removed the secrets.
package struct ExchangeRecord: Hashable, Sendable {
  /// The number assigned by the archive; 0 before.
  package var number = 0
  /// The shell that sent the request.
  package var session: String
  /// Milliseconds since 1970, UTC.
  package var started: Int64
  /// The microseconds until the last byte of the response.
  package var duration: Int
  package var profile: String
  package var base: String
  package var method: String
  /// The request target with its query, as it was sent.
  package var path: String
  /// The HTTP status, or `nil` if no complete response was received.
  package var status: Int?
  /// The size of the response body in bytes.
  package var size: Int
  /// The `Content-Type` of the response.
  package var type: String?

  package init(
    session: String, started: Int64, duration: Int, profile: String, base: String, method: String, path: String,
    status: Int?, size: Int, type: String?
  ) {
    self.session = session
    self.started = started
    self.duration = duration
    self.profile = profile
    self.base = base
    self.method = method
    self.path = path
    self.status = status
    self.size = size
    self.type = type
  }
}

extension ExchangeRecord {
  init(_ row: Row) {
    self.init(
      session: row["session"], started: row["started"], duration: row["duration"], profile: row["profile"],
      base: row["base"], method: row["method"], path: row["path"], status: row["status"], size: row["size"],
      type: row["type"])
    number = row["n"]
  }
}
