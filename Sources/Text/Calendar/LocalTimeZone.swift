import Glibc

/// The time zone of this machine at one point in time, including daylight saving time.
package struct LocalTimeZone: Hashable, Sendable {
  /// The offset from UTC in seconds, positive to the east.
  package let secondsFromGMT: Int64
  /// The abbreviation of the zone, such as `KST` or `CET`; `+0545` for a zone without one.
  package let name: String

  /// Creates the zone that applies at a Unix time, or returns `nil` for a year outside the range of `localtime_r`.
  ///
  /// - Parameter seconds: The seconds since 1970-01-01T00:00:00 UTC.
  package init?(at seconds: Int64) {
    var (time, fields) = (time_t(seconds), tm())
    guard localtime_r(&time, &fields) != nil else { return nil }
    secondsFromGMT = Int64(fields.tm_gmtoff)
    name = fields.tm_zone.map { String(cString: $0) } ?? "UTC"
  }
}
