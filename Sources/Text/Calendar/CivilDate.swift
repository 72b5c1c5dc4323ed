import Glibc

/// A day of the proleptic Gregorian calendar.
///
/// All calendar arithmetic of the program uses this type. It is correct for every year that 64 bits of seconds can
/// reach, also before 1970 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
package struct CivilDate: Hashable, Sendable, CustomStringConvertible {
  package let year: Int64
  /// The month, 1 to 12.
  package let month: Int64
  /// The day of the month, 1 to 31.
  package let day: Int64

  /// Creates a date, or returns `nil` for a day that the calendar does not have, such as February 30.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), (1...CivilDate.length(of: month, in: year)).contains(day) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  package init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = CivilDate.flooredDivision(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  }

  /// Returns the date of a Unix time, and the seconds since midnight of that day.
  package static func split(seconds: Int64) -> (date: CivilDate, secondOfDay: Int64) {
    // The second of the day is not computed by subtraction: the first day that 64 bits reach begins before `Int64.min`.
    (CivilDate(daysSince1970: flooredDivision(seconds, 86_400)), (seconds % 86_400 + 86_400) % 86_400)
  }

  /// The number of days since 1970-01-01, negative before it.
  package var daysSince1970: Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = CivilDate.flooredDivision(y, 400)
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The date in ISO 8601 form, such as `2022-10-18`.
  package var description: String {
    func padded(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  /// The day of the week, from 0 for Sunday to 6 for Saturday.
  package var weekday: Int64 {
    let days = daysSince1970 + 4
    return days - CivilDate.flooredDivision(days, 7) * 7
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the quotient rounded down, also for negative numbers.
  private static func flooredDivision(_ number: Int64, _ step: Int64) -> Int64 {
    number / step - (number % step < 0 ? 1 : 0)
  }
}

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

  /// Returns the Unix time at which the clock of this machine shows a local time.
  ///
  /// Of a time that the clock shows twice it is the first one. A time that daylight saving skips counts with the offset
  /// before the gap (RFC 5545, section 3.3.5), so that a skipped midnight is the first instant of its day.
  ///
  /// - Parameters:
  ///   - local: The seconds since 1970-01-01T00:00:00 of the local time.
  ///   - offset: Returns the offset from UTC at a Unix time, by default that of this machine.
  package static func unixTime(
    ofLocal local: Int64, offset: (Int64) -> Int64 = { LocalTimeZone(at: $0)?.secondsFromGMT ?? 0 }
  ) -> Int64 {
    let (before, after) = (offset(local - 86_400), offset(local + 86_400))
    let isAfterTheChange = offset(local - before) != before && offset(local - after) == after
    return local - (isAfterTheChange ? after : before)
  }
}
