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

  /// The timestamp in UTC with milliseconds, such as `2024-05-23T08:56:21.618Z` (RFC 3339).
  var isoText: String {
    let milliseconds = floorDivide(microseconds, 1000) - floorDivide(microseconds, 1_000_000) * 1000
    return "\(dateText)T\(timeText).\(pad(milliseconds, 3))Z"
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

/// A date of the proleptic Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
struct CivilDate: Hashable, Sendable {
  let year: Int64
  let month: Int64
  let day: Int64

  init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  }
}

/// A time-based UUID (RFC 9562 section 5.1) in lower case, as the servers used for vendors, pictures and deletion
/// tokens.
struct UUIDv1: Hashable, Sendable {
  let text: String

  /// The units of 100 ns between 1582-10-15 and 1970-01-01.
  private static let epoch: UInt64 = 0x01B2_1DD2_1381_4000

  /// Creates a UUID.
  ///
  /// `random` provides the clock sequence and the node, so that two with the same timestamp differ.
  init(at stamp: MarketTime, random: UInt64) {
    let ticks = UInt64(max(0, stamp.microseconds)) &* 10 &+ UUIDv1.epoch &+ (random & 0x7)
    let clock = (random >> 50) & 0x3FFF | 0x8000
    let node = random & 0xFFFF_FFFF_FFFF | 0x0100_0000_0000
    text = [
      UUIDv1.hex(ticks & 0xFFFF_FFFF, 8), UUIDv1.hex(ticks >> 32 & 0xFFFF, 4),
      UUIDv1.hex(ticks >> 48 & 0x0FFF | 0x1000, 4), UUIDv1.hex(clock, 4), UUIDv1.hex(node, 12),
    ].joined(separator: "-")
  }

  /// The 32 hexadecimal digits, as in the paths of pictures.
  var hexString: String { text.filter { $0 != "-" } }

  private static func hex(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
