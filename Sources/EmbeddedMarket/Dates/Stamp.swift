import Foundation

/// A point in time as the market keeps it, microseconds since 1970 UTC, and shows it: as a day in Korea (UTC+9, no summer time).
struct Stamp: Hashable, Sendable, Comparable {
  var microseconds: Int64

  init(microseconds: Int64) { self.microseconds = microseconds }

  init(_ date: Date) {
    let micros = (date.timeIntervalSince1970 * 1_000_000).rounded()
    microseconds = Int64(exactly: micros) ?? 0
  }

  static func < (left: Stamp, right: Stamp) -> Bool { left.microseconds < right.microseconds }

  func adding(seconds: Int64) -> Stamp { Stamp(microseconds: microseconds + seconds * 1_000_000) }

  /// `2022-10-18` in Korea.
  var day: String {
    let date = Civil(daysSince1970: floorDivide(microseconds / 1_000_000 + 9 * 3600, 86_400))
    return pad(date.year, 4) + "-" + pad(date.month, 2) + "-" + pad(date.day, 2)
  }

  /// `20221018` in Korea, as in the paths of pictures.
  var compactDay: String { day.replacingOccurrences(of: "-", with: "") }

  /// Seconds since 1970 with microseconds, `1620633040.6505718` in the captures of 2021.
  var unixSeconds: String {
    let fraction = pad(microseconds % 1_000_000, 6)
    return String(microseconds / 1_000_000) + "." + fraction
  }

  /// The `Date` header (RFC 9110 section 5.6.7), `Sun, 06 Nov 1994 08:49:37 GMT`.
  var httpDate: String {
    let seconds = floorDivide(microseconds, 1_000_000)
    let days = floorDivide(seconds, 86_400)
    let clock = seconds - days * 86_400
    let date = Civil(daysSince1970: days)
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekday = weekdays[Int(days - floorDivide(days, 7) * 7)]
    let time = [clock / 3600, clock / 60 % 60, clock % 60].map { pad($0, 2) }.joined(separator: ":")
    return "\(weekday), \(pad(date.day, 2)) \(months[Int(date.month) - 1]) \(pad(date.year, 4)) \(time) GMT"
  }

  private func pad(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// Rounds down also below zero.
func floorDivide(_ number: Int64, _ step: Int64) -> Int64 {
  number >= 0 ? number / step : (number - step + 1) / step
}
