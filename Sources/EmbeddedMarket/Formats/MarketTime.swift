import Foundation

/// A timestamp in microseconds since 1970 UTC.
///
/// Responses show it as a UTC date, as the captured ones do, although the servers and their users were in Korea (see
/// Protocol).
struct MarketTime: Hashable, Sendable, Comparable {
  var microseconds: Int64

  init(microseconds: Int64) { self.microseconds = microseconds }

  init(_ date: Date) {
    let micros = (date.timeIntervalSince1970 * 1_000_000).rounded()
    microseconds = Int64(exactly: micros) ?? 0
  }

  static func < (left: MarketTime, right: MarketTime) -> Bool { left.microseconds < right.microseconds }

  func adding(seconds: Int64) -> MarketTime { MarketTime(microseconds: microseconds + seconds * 1_000_000) }

  /// The date in UTC, such as `2022-10-18`.
  var dateText: String {
    let date = CivilDate(daysSince1970: floorDivide(seconds, 86_400))
    return pad(date.year, 4) + "-" + pad(date.month, 2) + "-" + pad(date.day, 2)
  }

  /// Writes the date as `2022-10-18`, or compact as `20221018`, as in the paths of pictures.
  func writeDay(isCompact: Bool = false, to out: inout WireWriter) {
    let date = CivilDate(daysSince1970: floorDivide(seconds, 86_400))
    out.integer(date.year, width: 4)
    if !isCompact { out.add(UInt8(ascii: "-")) }
    out.integer(date.month, width: 2)
    if !isCompact { out.add(UInt8(ascii: "-")) }
    out.integer(date.day, width: 2)
  }

  /// The time of day in UTC, such as `08:25:27`.
  var timeText: String {
    let time = seconds - floorDivide(seconds, 86_400) * 86_400
    return [time / 3600, time / 60 % 60, time % 60].map { pad($0, 2) }.joined(separator: ":")
  }

  /// The Unix time in seconds with microseconds, such as `1620633040.6505718` in the captures of 2021.
  var unixSeconds: String {
    let fraction = pad(microseconds % 1_000_000, 6)
    return String(microseconds / 1_000_000) + "." + fraction
  }

  /// The value of the `Date` header (RFC 9110 section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  var httpDate: String {
    let days = floorDivide(seconds, 86_400)
    let date = CivilDate(daysSince1970: days)
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekday = weekdays[Int(days - floorDivide(days, 7) * 7)]
    return "\(weekday), \(pad(date.day, 2)) \(months[Int(date.month) - 1]) \(pad(date.year, 4)) \(timeText) GMT"
  }

  private var seconds: Int64 { floorDivide(microseconds, 1_000_000) }

  private func pad(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// Returns the quotient rounded down, also for negative numbers.
func floorDivide(_ number: Int64, _ step: Int64) -> Int64 {
  number >= 0 ? number / step : (number - step + 1) / step
}
