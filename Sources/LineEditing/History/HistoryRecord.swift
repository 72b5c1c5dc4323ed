import Glibc

/// The time and the exit status of a line.
struct HistoryRecord: Equatable {
  /// The time in milliseconds since 1970, or `nil` for a line of an older file.
  var time: Int64?
  /// The exit status, or `nil` while the line runs and if it is unknown.
  var status: Int32?

  /// A local date and time.
  struct Moment: Equatable {
    private let day: String
    private let minute: String

    /// Creates the local date and time of `time`, in milliseconds since 1970.
    init(_ time: Int64) {
      var (seconds, fields) = (time_t(time / 1_000), tm())
      localtime_r(&seconds, &fields)
      func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
      day = "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
      minute = "\(two(fields.tm_hour)):\(two(fields.tm_min))"
    }

    /// Returns the date and time; for today only the time, padded to the same width.
    func text(_ now: Moment?) -> String {
      day == now?.day ? String(repeating: " ", count: 11) + minute : "\(day) \(minute)"
    }
  }
}
