/// A date and time as the server gave it: without a zone, or in UTC where the edition counts seconds.
///
/// Sorts as time; prints `2022-10-18T00:00:00`, with `Z` for UTC.
package struct Moment: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Seconds since 1970-01-01T00:00:00 of the calendar the server wrote, whatever its zone was.
  package let seconds: Int64
  package let isUTC: Bool

  /// Seconds since 1970 that a count of them can mean: up to the end of the year 9999.
  package static let countable: ClosedRange<Int64> = 0...253_402_300_799

  package init(seconds: Int64, isUTC: Bool) {
    self.seconds = seconds
    self.isUTC = isUTC
  }

  /// Reads `yyyy-MM-dd`, with `T` or a space and `HH:mm:ss`, and any fraction (cut off), `Z` allowed; nil otherwise.
  package init?(_ text: String) {
    if let usual = text.utf8.withContiguousStorageIfAvailable(Moment.usual), let usual {
      self = usual
    } else {
      self.init(any: text)
    }
  }

  /// As `init(_:)`, from the bytes of the text; the usual form without making a text of them.
  package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    if let usual = Moment.usual(bytes) {
      self = usual
    } else {
      self.init(any: String(decoding: bytes, as: UTF8.self))
    }
  }

  private init?(any text: String) {
    var rest = Substring(text)
    let isUTC = rest.last == "Z"
    if isUTC { rest.removeLast() }
    let halves = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard date.count == 3, let year = Moment.number(date[0], 4), let month = Moment.number(date[1], 2),
      let day = Moment.number(date[2], 2), (1...12).contains(month),
      (1...Moment.days(in: month, of: year)).contains(day)
    else { return nil }
    var second: Int64 = 0
    if halves.count == 2 {
      let clock = halves[1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      if clock.count == 2, clock[1].isEmpty || !clock[1].utf8.allSatisfy({ (48...57).contains($0) }) { return nil }
      let time = clock[0].split(separator: ":", omittingEmptySubsequences: false)
      guard time.count == 3, let h = Moment.number(time[0], 2), let m = Moment.number(time[1], 2),
        let s = Moment.number(time[2], 2), h < 24, m < 60, s < 61
      else { return nil }
      second = h * 3600 + m * 60 + s
    }
    self.init(seconds: Moment.days(toYear: year, month: month, day: day) * 86_400 + second, isUTC: isUTC)
  }

  /// Reads `yyyy-MM-ddTHH:mm:ss`; nil for every other form.
  private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> Moment? {
    func two(_ place: Int) -> Int64? {
      let (tens, ones) = (bytes[place] &- 48, bytes[place + 1] &- 48)
      return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }
    guard bytes.count == 19, bytes[4] == 45, bytes[7] == 45, bytes[10] == 84, bytes[13] == 58, bytes[16] == 58,
      let century = two(0), let years = two(2), let month = two(5), let day = two(8), let hour = two(11),
      let minute = two(14), let second = two(17), (1...12).contains(month), hour < 24, minute < 60, second < 61,
      (1...Moment.days(in: month, of: century * 100 + years)).contains(day)
    else { return nil }
    let days = Moment.days(toYear: century * 100 + years, month: month, day: day)
    return Moment(seconds: days * 86_400 + hour * 3600 + minute * 60 + second, isUTC: false)
  }

  package static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }

  /// True at 00:00:00, which is what a market says that keeps days only.
  package var isMidnight: Bool { seconds % 86_400 == 0 }

  package var description: String {
    let days = Moment.floor(seconds, 86_400)
    // Not by subtraction: the first day that 64 bits reach does not begin within them.
    let clock = (seconds % 86_400 + 86_400) % 86_400
    let date = Moment.civil(days)
    var text = Array(Moment.pad(date.year, 4).utf8)
    for (mark, part) in zip("--T::".utf8, [date.month, date.day, clock / 3600, clock / 60 % 60, clock % 60]) {
      text += [mark, UInt8(48 + part / 10), UInt8(48 + part % 10)]
    }
    if isUTC { text.append(UInt8(ascii: "Z")) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func number(_ text: Substring, _ width: Int) -> Int64? {
    guard text.utf8.count == width, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func pad(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func floor(_ number: Int64, _ step: Int64) -> Int64 {
    number / step - (number % step < 0 ? 1 : 0)
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days since 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func days(toYear year: Int64, month: Int64, day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = floor(y, 400)
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

extension Moment: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let moment = Moment(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date and time: \(text)")
    }
    self = moment
  }
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
